use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/constraints.urdf",
)]
struct Arm;

fn main() {}
