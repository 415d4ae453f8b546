use jourdain::prelude::*;

#[derive(Robot)]
#[robot(
    link(base, mass = 1),
    joint(ground, fixed(world -> base)),
    link(arm, mass = 1, inertia = [1, 1, 1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    closure(apart, a = base @ [1, 0, 0], b = world),
    closure(idle, a = base, b = world, axes = [x, y]),
    rod(fits, a = arm @ [0, 0, 1], b = world @ [1, 0, 0], length = 1),
    limit(idle, c = pivot - pivot + 1),
)]
struct Arm;

fn main() {}
