//! Constrained motion: laws of its solutions, agreement of its methods, and what they refuse.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

#[path = "../common/numbers.rs"]
mod numbers;

mod agreement;
mod known;
mod massless;
mod meaning;
mod principles;
mod problems;
mod refusals;
