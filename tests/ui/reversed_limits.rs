use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), limits = [1, -1], axis = [0, 1, 0]),
)]
struct Arm;

fn main() {}
