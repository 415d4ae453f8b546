use jourdain::Robot;

#[derive(Robot)]
#[robot]
struct Arm;

fn main() {}
