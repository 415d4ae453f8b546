use jourdain::prelude::*;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, inertia = [1, 1, 1]),
    joint(free, floating(world -> arm)),
    link(hand, mass = 1, inertia = [1, 1, 1]),
    joint(wrist, revolute(arm -> hand), axis = [0, 1, 0]),
    closure(weld, a = world, b = hand),
    closure(bolt, a = world @ [0, 0, 0.25], b = hand, axes = [x, z]),
    constraint(stop, h = wrist - 1),
    drive(motor, joint = wrist, rate = 2),
)]
struct Arm;

fn main() {}
