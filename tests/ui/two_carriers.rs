use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    link(hand, mass = 2),
    joint(wrist, fixed(arm -> hand)),
    joint(strap, fixed(world -> hand)),
)]
struct Arm;

fn main() {}
