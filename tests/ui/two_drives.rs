use jourdain::prelude::*;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, inertia = [1, 1, 1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    drive(slow, joint = pivot, rate = 1),
    drive(fast, joint = pivot, rate = 2 * t),
)]
struct Arm;

fn main() {}
