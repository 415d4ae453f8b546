use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/negative_mass.urdf",
)]
struct Arm;

fn main() {}
