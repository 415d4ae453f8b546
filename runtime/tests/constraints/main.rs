//! Declared constraints: their rows, and mechanisms whose answers are known.

mod anchors;
mod andrews;
mod batch;
mod four_bar;
mod mobility;
mod refusals;
mod rolling;
mod simulated;
mod stance;
