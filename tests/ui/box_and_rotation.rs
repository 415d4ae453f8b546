use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, rpy = [0, 0, 1], com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    link(lid, mass = 1, box(size = [1, -1, 1]), rpy = [0, 0, 1], quaternion = [0, 0, 0, 1]),
    joint(hinge, fixed(arm -> lid)),
)]
struct Arm;

fn main() {}
