use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/bad_numbers.urdf",
)]
struct Arm;

fn main() {}
