use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1),
    joint(pivot, axis = [0, 1, 0]),
)]
struct Arm;

fn main() {}
