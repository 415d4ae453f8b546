//! Robots described with jourdain, one file each.

pub mod double_pendulum;
pub mod g1;
pub mod panda;
pub mod solo12;
pub mod ur5;

pub use double_pendulum::DoublePendulum;
pub use g1::G1;
pub use panda::Panda;
pub use solo12::Solo12;
pub use ur5::Ur5;
