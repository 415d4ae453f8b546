//! What may act in a step.

use crate::contact::limit::Limit;

/// What it is.
#[derive(Clone, Copy, Debug)]
pub(in crate::contact) enum Source {
    Contact(usize),
    /// A point where solids touch.
    Pair(usize),
    Limit(Limit),
    /// A declared limit.
    Declared(usize),
    /// A row of a declared constraint that gives way.
    Constraint(usize),
    /// A line of springs and dampers, and the place of its impulse.
    Spring {
        line: usize,
        place: usize,
    },
    /// On the velocity coordinate `v`, up to an impulse.
    Motor {
        v: usize,
        bound: f64,
    },
    DryFriction {
        v: usize,
        bound: f64,
    },
    /// On three velocity coordinates from `v` on, up to an impulse of all.
    Ball {
        v: usize,
        bound: f64,
    },
}
