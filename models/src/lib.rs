//! Robots described with jourdain, one file each.

pub mod acrobot;
pub mod bricard;
pub mod brick;
pub mod cart_pole;
pub mod compass_biped;
pub mod compass_gait;
pub mod double_pendulum;
pub mod g1;
pub mod go2;
pub mod hollow_ball;
pub mod jansen_walker;
pub mod kneed_walker;
pub mod panda;
pub mod slider_crank;
pub mod solo12;
pub mod stewart_platform;
pub mod stick_slip;
pub mod ur5;

pub use acrobot::Acrobot;
pub use bricard::Bricard;
pub use brick::{SlidingBrick, WheeledBrick};
pub use cart_pole::CartPole;
pub use compass_biped::CompassBiped;
pub use compass_gait::{CompassGait, CompassWalk};
pub use double_pendulum::DoublePendulum;
pub use g1::G1;
pub use go2::Go2;
pub use hollow_ball::HollowBall;
pub use jansen_walker::JansenWalker;
pub use kneed_walker::{KneedWalk, KneedWalker};
pub use panda::Panda;
pub use slider_crank::SliderCrank;
pub use solo12::Solo12;
pub use stewart_platform::StewartPlatform;
pub use stick_slip::StickSlip;
pub use ur5::Ur5;
