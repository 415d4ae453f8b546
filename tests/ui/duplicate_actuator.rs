use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), actuated, axis = [0, 1, 0]),
    actuator(pivot, joint = pivot),
)]
struct Arm;

fn main() {}
