use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/dangling_mimic.urdf",
)]
struct Arm;

fn main() {}
