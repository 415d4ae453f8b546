use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(trunk, sphere(radius = 0.1), mass = 1),
    joint(base, floating(world -> trunk), friction = [1, 1, 1, 2, 2, 2]),
    link(arm, sphere(radius = 0.1), mass = 1),
    joint(shoulder, spherical(trunk -> arm), friction = [0.1, 0.1, 0.2]),
)]
struct Arm;

fn main() {}
