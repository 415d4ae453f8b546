use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(a, mass = 1),
    joint(first, revolute(world -> a), axis = [0, 1, 0], mimic(second)),
    link(b, mass = 1),
    joint(second, revolute(a -> b), axis = [0, 1, 0], mimic(first, multiplier = 2)),
)]
struct Arm;

fn main() {}
