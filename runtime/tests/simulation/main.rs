//! Steps and runs of small robots with known answers, laws of contact, and bad input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod laws;
mod refusals;
mod robots;
mod runs;
mod steps;
