//! Steps and runs of small robots with known answers, laws of contact, and bad input.

mod laws;
mod robots;
mod runs;
mod steps;
