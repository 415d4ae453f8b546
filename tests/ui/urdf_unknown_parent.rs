use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/unknown_parent.urdf",
)]
struct Arm;

fn main() {}
