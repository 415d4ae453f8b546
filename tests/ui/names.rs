use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link("", mass = 1),
    joint(pivot, revolute(world -> ""), axis = [0, 1, 0]),
    link(box mass = 2),
    joint(lid, fixed(box -> lid)),
    link(lid, massless, com = [0, 0, 0]),
)]
struct Arm;

fn main() {}
