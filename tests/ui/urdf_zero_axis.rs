use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/zero_axis.urdf",
)]
struct Arm;

fn main() {}
