use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1),
    joint(pivot, planar(world -> arm), damping = [1, 2]),
)]
struct Arm;

fn main() {}
