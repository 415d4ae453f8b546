use jourdain::prelude::*;

#[derive(Robot)]
#[robot(
    collide(some),
    link(arm, mass = 1, inertia = [1, 1, 1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    link(hand, mass = 1),
    joint(glue, fixed(arm -> hand)),
    link(ball, mass = 1, inertia = [1, 1, 1]),
    joint(free, floating(world -> ball)),
    shape(nothing, on = arm),
    shape(bone, on = arm, capsule = [0.1, 1]),
    shape(bone, on = hand, sphere = 0.1),
    shape(palm, on = hand, sphere = 0.1, friction = -1),
    shape(astray, on = leg, sphere = 0.1),
    shape(wide, on = arm, cylinder = [0, 1]),
    contact(skin, on = ball, sphere = 0.1),
    contact(nose, on = ball),
    contact(tip, on = arm),
    contact(wide, on = ball),
    pair(bone),
    pair(bone, bone),
    pair(bone, palm),
    pair(bone, skim),
    pair(bone, astray),
    pair(nose, tip),
    pair(bone, skin, friction = -0.5, restitution = 2, directions = 5),
    pair(skin, bone),
)]
struct Arm;

fn main() {}
