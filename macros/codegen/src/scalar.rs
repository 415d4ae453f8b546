//! Numbers of a description: constants, or expressions of the struct's fields.
//!
//! This is what a numeric entry of an attribute says, before it becomes part of the expression
//! graph: plain data without tokens. What a constraint demands may also depend on the robot's state
//! and on time, and the height of the ground on the place.

use crate::expr::{fold_sin_cos, fold_sum};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// An expression of literals and fields.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A constant.
    Number(f64),
    /// The field of this index.
    Field(usize),
    /// The configuration coordinate of this index.
    Configuration(usize),
    /// The velocity coordinate of this index.
    Velocity(usize),
    /// Time, s.
    Time,
    /// The place on the ground in the world, x of index 0 and y of index 1, m.
    Ground(usize),
    /// −a.
    Neg(Box<Scalar>),
    /// a + b.
    Add(Box<Scalar>, Box<Scalar>),
    /// a − b.
    Sub(Box<Scalar>, Box<Scalar>),
    /// a · b.
    Mul(Box<Scalar>, Box<Scalar>),
    /// a / b.
    Div(Box<Scalar>, Box<Scalar>),
    /// sin a.
    Sin(Box<Scalar>),
    /// cos a.
    Cos(Box<Scalar>),
    /// √a.
    Sqrt(Box<Scalar>),
}

impl Scalar {
    /// Zero.
    pub const ZERO: Scalar = Scalar::Number(0.0);
    /// One.
    pub const ONE: Scalar = Scalar::Number(1.0);

    /// The value, if it is a constant: folded as the expression graph folds it, so that what is
    /// checked is what is derived.
    pub fn constant(&self) -> Option<f64> {
        Some(match self {
            Scalar::Number(x) => *x,
            Scalar::Field(_)
            | Scalar::Configuration(_)
            | Scalar::Velocity(_)
            | Scalar::Time
            | Scalar::Ground(_) => return None,
            Scalar::Neg(a) => -a.constant()?,
            Scalar::Add(a, b) => fold_sum(a.constant()?, b.constant()?),
            Scalar::Sub(a, b) => fold_sum(a.constant()?, -b.constant()?),
            Scalar::Mul(a, b) => a.constant()? * b.constant()?,
            Scalar::Div(a, b) => a.constant()? / b.constant()?,
            Scalar::Sin(a) => fold_sin_cos(a.constant()?).0,
            Scalar::Cos(a) => fold_sin_cos(a.constant()?).1,
            Scalar::Sqrt(a) => a.constant()?.sqrt(),
        })
    }

    /// Whether a part of it, or itself, is as `of` says.
    pub fn contains(&self, of: &impl Fn(&Scalar) -> bool) -> bool {
        of(self)
            || match self {
                Scalar::Neg(a) | Scalar::Sin(a) | Scalar::Cos(a) | Scalar::Sqrt(a) => {
                    a.contains(of)
                }
                Scalar::Add(a, b) | Scalar::Sub(a, b) | Scalar::Mul(a, b) | Scalar::Div(a, b) => {
                    a.contains(of) || b.contains(of)
                }
                _ => false,
            }
    }

    /// The square root.
    pub fn sqrt(self) -> Scalar {
        Scalar::Sqrt(Box::new(self))
    }
}

impl From<f64> for Scalar {
    fn from(x: f64) -> Self {
        Scalar::Number(x)
    }
}

impl Neg for Scalar {
    type Output = Scalar;
    fn neg(self) -> Scalar {
        Scalar::Neg(Box::new(self))
    }
}

impl Add for Scalar {
    type Output = Scalar;
    fn add(self, other: Scalar) -> Scalar {
        Scalar::Add(Box::new(self), Box::new(other))
    }
}

impl Sub for Scalar {
    type Output = Scalar;
    fn sub(self, other: Scalar) -> Scalar {
        Scalar::Sub(Box::new(self), Box::new(other))
    }
}

impl Mul for Scalar {
    type Output = Scalar;
    fn mul(self, other: Scalar) -> Scalar {
        Scalar::Mul(Box::new(self), Box::new(other))
    }
}

impl Div for Scalar {
    type Output = Scalar;
    fn div(self, other: Scalar) -> Scalar {
        Scalar::Div(Box::new(self), Box::new(other))
    }
}
