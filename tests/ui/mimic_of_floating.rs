use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1),
    joint(base, floating(world -> arm)),
    link(hand, mass = 1),
    joint(wrist, revolute(arm -> hand), axis = [0, 1, 0], mimic(base)),
)]
struct Arm;

fn main() {}
