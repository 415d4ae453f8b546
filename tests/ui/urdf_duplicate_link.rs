use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/duplicate_link.urdf",
)]
struct Arm;

fn main() {}
