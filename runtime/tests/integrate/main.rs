//! Integration of smooth motion: orders, errors, dense output, roots of guards, and bad input.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod adaptive;
mod fixed;
mod problems;
mod robots;
mod roots;
mod stiff;
