use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/missing_parent.urdf",
)]
struct Arm;

fn main() {}
