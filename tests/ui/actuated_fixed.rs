use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1),
    joint(pivot, fixed(world -> arm), actuated),
)]
struct Arm;

fn main() {}
