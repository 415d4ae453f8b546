use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1),
    joint(pivot, revolute(arm -> world), axis = [0, 1, 0]),
)]
struct Arm;

fn main() {}
