//! Worlds of several robots and bodies: known answers, one description of all as another opinion, and bad input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod bodies;
mod fast;
mod heap;
mod one_description;
mod refusals;
mod robots;
mod rolling;
