use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    contact(tip, on = arm, torsion = -0.01),
    contact(heel, on = arm, rolling = -0.01),
)]
struct Arm;

fn main() {}
