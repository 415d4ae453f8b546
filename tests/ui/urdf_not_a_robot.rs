use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/not_a_robot.urdf",
)]
struct Arm;

fn main() {}
