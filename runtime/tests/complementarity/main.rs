//! Solvers of complementarity problems against problems with known answers, seeded random ones, and the
//! enumeration of all bases.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod enumeration;
mod families;
mod friction;
mod infeasible;
mod positive_semidefinite;
mod references;
mod solvers;
mod watched;
