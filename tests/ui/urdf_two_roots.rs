use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/two_roots.urdf",
)]
struct Arm;

fn main() {}
