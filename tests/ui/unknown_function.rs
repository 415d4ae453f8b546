use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = tan(l), com = [0, 0, -sine(l)]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
)]
struct Arm {
    l: f64,
}

fn main() {}
