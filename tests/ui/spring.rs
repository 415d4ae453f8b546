use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    spring(band, a = arm @ [0, 0], b = wrld, stiffness = -5),
    spring(rope, a = arm),
)]
struct Arm;

fn main() {}
