use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/dangling_child.urdf",
)]
struct Arm;

fn main() {}
