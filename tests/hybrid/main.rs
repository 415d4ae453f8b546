//! Robots that walk.

mod compass;
