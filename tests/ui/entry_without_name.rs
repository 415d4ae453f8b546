use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(mass = 1),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
)]
struct Arm;

fn main() {}
