use jourdain::prelude::*;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, inertia = [1, 1, 1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    link(plate, mass = 1),
    joint(glue, fixed(arm -> plate)),
    limit(bare),
    limit(still, c = 1 - 0.5 * length),
    limit(timed, c = pivot - t),
    limit(fast, c = 1 - rate(pivot)),
    limit(rigid, c = glue),
    limit(soft, c = pivot, stiffness = 3),
    limit(typo, c = 1 - pivott),
    limit(typo, c = pivot),
    limit(typo, c = pivot + 1),
)]
struct Arm { length: f64 }

fn main() {}
