use jourdain::Robot;

#[derive(Robot)]
#[robot(
    urdf = "urdf/not_xml.urdf",
)]
struct Arm;

fn main() {}
