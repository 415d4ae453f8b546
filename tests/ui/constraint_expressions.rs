use jourdain::prelude::*;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, inertia = [1, 1, 1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    link(plate, mass = 1),
    joint(glue, fixed(arm -> plate)),
    constraint(clock, h = sin(t)),
    constraint(still, h_v = pivot),
    constraint(typo, h = pivott - 1),
    drive(motor, joint = glue, rate = t),
    closure(twice, a = arm, b = world, axes = [x, rx, x]),
    rod(bar, a = arm, b = world),
)]
struct Arm;

fn main() {}
