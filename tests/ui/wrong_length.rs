use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, -1]),
    joint(pivot, revolute(world -> arm), axis = 1),
)]
struct Arm;

fn main() {}
