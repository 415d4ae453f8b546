use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/empty.urdf",
)]
struct Arm;

fn main() {}
