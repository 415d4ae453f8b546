use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = m, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
)]
struct Arm {
    m: f64,
    legs: usize,
    name: String,
}

fn main() {}
