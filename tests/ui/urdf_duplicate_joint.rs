use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/duplicate_joint.urdf",
)]
struct Arm;

fn main() {}
