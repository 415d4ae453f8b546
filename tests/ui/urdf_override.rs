use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/sound.urdf",
    base = flying,
    link(arn, mass = 2),
    joint(pivto, damping = 1),
    joint(pivot, damping = -1),
    joint(pivot, friction = 1),
    contact(tip, on = amr),
)]
struct Arm;

fn main() {}
