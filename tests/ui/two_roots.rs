use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    link(hand, mass = 2),
    link(finger, mass = 1),
    joint(knuckle, fixed(hand -> finger)),
)]
struct Arm;

fn main() {}
