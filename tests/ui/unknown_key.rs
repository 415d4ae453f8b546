use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mas = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axsi = [0, 1, 0]),
)]
struct Arm;

fn main() {}
