//! Robots that walk.

mod biped;
mod compass;
