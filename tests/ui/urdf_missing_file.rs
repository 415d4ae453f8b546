use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/nowhere.urdf"
)]
struct Arm;

fn main() {}
