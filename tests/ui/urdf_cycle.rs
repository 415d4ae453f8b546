use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/cycle.urdf",
)]
struct Arm;

fn main() {}
