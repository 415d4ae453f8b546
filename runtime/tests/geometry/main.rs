//! Gaps, normals and points of convex solids, against another library, by laws, and bad input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod footing;
mod laws;
mod manifolds;
mod parry;
mod polytopes;
mod refusals;
mod rims;
mod solids;
