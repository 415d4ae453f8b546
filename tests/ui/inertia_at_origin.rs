use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, inertia = [0.5, 0.5, 0.5], at_origin, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
)]
struct Arm;

fn main() {}
