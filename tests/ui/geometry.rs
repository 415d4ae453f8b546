use jourdain::prelude::*;

#[derive(Robot)]
#[robot(
    ground(normal = [0, 0, 1], height = 0.1 * x),
    link(arm, mass = 1, inertia = [1, 1, 1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    contact(both, on = arm, sphere = 0.1, box = [1, 1, 1]),
    contact(flat, on = arm, box = [1, 0, 1]),
    contact(short, on = arm, capsule = [0.1]),
    contact(inverted, on = arm, capsule = [-0.1, -1]),
    contact(empty, on = arm, hull = []),
    contact(list, on = arm, hull = [0, 0, 1]),
    contact(tube, on = arm, cylinder = [1, 1]),
    contact(high, on = arm, height = sin(z) + pivot),
    contact(early, on = arm, height = t),
    contact(two, on = arm, plane(offset = 1), height = x),
    contact(foot, on = arm, capsule = [0.1, 1]),
    contact(foot_1, on = arm),
)]
struct Arm;

fn main() {}
