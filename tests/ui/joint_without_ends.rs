use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1),
    joint(pivot, revolute(arm), axis = [0, 1, 0]),
)]
struct Arm;

fn main() {}
