use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolut(world -> arm), axis = [0, 1, 0]),
)]
struct Arm;

fn main() {}
