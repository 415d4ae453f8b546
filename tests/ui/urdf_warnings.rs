#![deny(deprecated)]

use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/warnings.urdf",
)]
struct Arm;

#[derive(Robot)]
#[robot(
    urdf = "urdf/warnings.urdf",
    joint(wrist, fixed(upper -> lower)),
)]
struct Stiff;

fn main() {}
