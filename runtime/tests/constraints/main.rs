//! Declared constraints: their rows, and mechanisms whose answers are known.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

#[path = "../common/numbers.rs"]
mod numbers;

mod adversarial;
mod anchors;
mod andrews;
mod batch;
mod four_bar;
mod mobility;
mod nearest;
mod principles;
mod projection;
mod redundant;
mod refusals;
mod rheonomic;
mod rolling;
mod simulated;
mod softened;
mod stance;
mod units;
mod weights;
