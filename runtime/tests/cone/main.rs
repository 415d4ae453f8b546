//! Contact problems with friction cones: laws of their solutions, known answers, refusals.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

#[path = "../common/numbers.rs"]
mod numbers;

mod allocation;
mod known;
mod laws;
mod limits;
mod planar;
mod problems;
mod random;
mod refusals;
mod star;
