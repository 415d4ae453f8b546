use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1),
    joint(pivot, universal(world -> arm), axes = [[0, 1, 1], [0, 2, 2]]),
)]
struct Arm;

fn main() {}
