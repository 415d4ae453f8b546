use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, density = 2, capsule(radius = -0.1)),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
)]
struct Arm;

fn main() {}
