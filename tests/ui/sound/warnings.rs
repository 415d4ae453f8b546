//! Warnings end no build, and an entry silences them.

use jourdain::Robot;

#[derive(Robot)]
#[robot(urdf = "../urdf/warnings.urdf")]
struct Warned;

mod strict {
    #![deny(warnings)]

    use jourdain::Robot;

    #[derive(Robot)]
    #[robot(urdf = "../urdf/warnings.urdf", warnings = ignore)]
    pub(crate) struct Silent;
}

fn main() {
    let _ = (Warned, strict::Silent);
}
