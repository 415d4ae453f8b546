use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(trunk, sphere(radius = 0.1), mass = 1),
    joint(base, floating(world -> trunk), armature = 0.1),
    link(arm, sphere(radius = 0.1), mass = 1),
    joint(shoulder, spherical(trunk -> arm), armature = [0.1, 0.1, 0.2]),
)]
struct Arm;

fn main() {}
