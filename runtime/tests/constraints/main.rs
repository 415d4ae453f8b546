//! Declared constraints: their rows, and mechanisms whose answers are known.

mod andrews;
mod four_bar;
mod mobility;
mod refusals;
mod simulated;
mod stance;
