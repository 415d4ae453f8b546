use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/reversed_limits.urdf",
)]
struct Arm;

fn main() {}
