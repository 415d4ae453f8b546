use jourdain::Robot;

#[derive(Robot)]
#[robot(
    link(arm, mass = 1, com = [0, 0, -1]),
    joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),
    actuator(motor, joint = pivto),
    actuator(torquer),
    actuator(drive, joint = pivot, coordinate = 1),
)]
struct Arm;

fn main() {}
