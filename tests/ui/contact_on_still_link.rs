use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(plate, box(size = [1, 1, 0.1]), mass = 1),
    joint(weld, fixed(world -> plate)),
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(plate -> arm), axis = [0, 1, 0]),
    contact(edge, on = plate),
)]
struct Arm;

fn main() {}
