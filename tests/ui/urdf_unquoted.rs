use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = nowhere
)]
struct Arm;

fn main() {}
