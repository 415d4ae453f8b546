use jourdain::Robot;

#[derive(Robot)]
struct Arm;

fn main() {}
