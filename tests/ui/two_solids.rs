use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, sphere(radius = 1), box(size = [1, 1, 1])),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
)]
struct Arm;

fn main() {}
