use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/nowhere.urdf",
    link(base, mass = 2),
    joint(knee, damping = 1),
    contact(tip, on = foot),
    actuator(motor, joint = hip),
)]
struct Arm;

fn main() {}
