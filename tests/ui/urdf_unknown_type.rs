use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/unknown_type.urdf",
)]
struct Arm;

fn main() {}
