//! Declared constraints: their rows, and mechanisms whose answers are known.

mod four_bar;
