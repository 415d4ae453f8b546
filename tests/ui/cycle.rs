use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    link(a, mass = 1),
    link(b, mass = 1),
    link(c, mass = 1),
    joint(ab, fixed(a -> b)),
    joint(bc, fixed(b -> c)),
    joint(ca, fixed(c -> a)),
)]
struct Arm;

fn main() {}
