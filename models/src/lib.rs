//! Robots described with jourdain, one file each.

pub mod acrobot;
pub mod brick;
pub mod cart_pole;
pub mod double_pendulum;
pub mod g1;
pub mod go2;
pub mod hollow_ball;
pub mod panda;
pub mod solo12;
pub mod ur5;

pub use acrobot::Acrobot;
pub use brick::{SlidingBrick, WheeledBrick};
pub use cart_pole::CartPole;
pub use double_pendulum::DoublePendulum;
pub use g1::G1;
pub use go2::Go2;
pub use hollow_ball::HollowBall;
pub use panda::Panda;
pub use solo12::Solo12;
pub use ur5::Ur5;
