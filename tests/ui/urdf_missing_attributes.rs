use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/missing_attributes.urdf",
)]
struct Arm;

fn main() {}
