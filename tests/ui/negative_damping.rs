use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), damping = -0.1, friction = -0.2, armature = -0.3, axis = [0, 1, 0]),
)]
struct Arm;

fn main() {}
