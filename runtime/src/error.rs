//! What can be wrong with the values that a model is given.

use alloc::format;
use alloc::string::String;

use crate::bound::Bound;
use crate::digits::{given, moment};

/// A value that no motion can be computed from.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// An entry of `q`, `v`, `u`, a wrench, or the force that follows from them is NaN or infinite.
    #[error("{quantity}[{index}] is {}, expected a finite number", given(*value))]
    NotFinite {
        /// The vector's name.
        quantity: &'static str,
        /// Which entry.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// An entry of the input that a controller decided on is NaN or infinite.
    #[error("at {} s: u[{index}] of the controller is {}, expected a finite number", moment(*time), given(*value))]
    Control {
        /// The time of the state that it was asked at, in seconds.
        time: f64,
        /// Which entry.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// A gain or an effort of a controller is none: negative, NaN, or a gain that is infinite.
    #[error("the {gain} of the controller at joint `{joint}` is {}, expected a number from 0 on", given(*value))]
    Gain {
        /// The joint that it is of.
        joint: &'static str,
        /// `stiffness`, `damping` or `effort`.
        gain: &'static str,
        /// What it is.
        value: f64,
    },
    /// The quaternion of a floating or spherical joint is not of unit length.
    #[error("the quaternion of joint `{joint}` has length {}, expected 1", given(*norm))]
    NotUnitQuaternion {
        /// The joint.
        joint: &'static str,
        /// The quaternion's length.
        norm: f64,
    },
    /// The struct's fields give a quantity of the description a value that it cannot have. It is the first such quantity,
    /// and no field is named, since an expression of several may stand there; others show when it is mended.
    #[error("{quantity} is {}, expected {}", given(*value), expected.of(*value))]
    Quantity {
        /// What the description calls it, such as "the mass of link `upper`".
        quantity: &'static str,
        /// The value that the fields give it.
        value: f64,
        /// What it must be.
        expected: Bound,
    },
    /// The mass matrix is not positive definite: a joint moves no inertia.
    #[error(
        "the mass matrix is singular: joint `{joint}` moves no inertia that is independent of the \
         joints before it (pivot {pivot:.2e}){}", beside_link(*beside)
    )]
    SingularMassMatrix {
        /// The first joint, from the leaves, at which the factorisation breaks down.
        joint: &'static str,
        /// The pivot found there, relative to the diagonal entry.
        pivot: f64,
        /// The link that has most of the inertia that it moves, if others move that as well: beside it, a mass that is
        /// 10⁻¹² times as large is none.
        beside: Option<&'static str>,
    },
}

/// Beside what a mass may be too small to count.
fn beside_link(link: Option<&str>) -> String {
    link.map_or_else(String::new, |link| format!(", or none that counts beside link `{link}`"))
}
