//! Integration of smooth motion: orders, errors, dense output, roots of guards, and bad input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod adaptive;
mod chaos;
mod errors;
mod fixed;
mod held;
mod problems;
mod refusals;
mod robots;
mod roots;
mod stalls;
mod stiff;
