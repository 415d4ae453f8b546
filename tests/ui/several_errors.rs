use jourdain::Robot;

#[derive(Robot)]
#[robot(
    gravity = [0, 0],
    link(arm, mass = -1),
    joint(pivot, revolute(world -> arm), axis = [0, 0, 0], limits = [2, 1]),
    link(hand, mass = 1 / 2),
    joint(wrist, revolute(arm -> hnad), axis = [0, 1, 0]),
    contact(tip, on = finger),
)]
struct Arm;

fn main() {}
