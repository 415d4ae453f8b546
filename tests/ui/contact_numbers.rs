use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    contact(tip, on = arm, sphere = -1, friction = -0.5, restitution = 1.5, directions = 5, plane(normal = [0, 0, 0])),
)]
struct Arm;

fn main() {}
