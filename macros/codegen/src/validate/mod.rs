//! What must hold for a description to be a robot, beyond that it could be read.
//!
//! Bounds on numbers that contain fields are left for run time; all others are checked here. The
//! links must form trees that hang on the world.

mod armature;
mod drives;
mod friction;
mod inertia;
mod names;
mod points;
mod structure;

use std::fmt;

use crate::description::{Bound, Requirement, Severity};
use crate::diagnostic::Errors;
use crate::parse::Parsed;
use crate::scalar::Scalar;

pub use armature::armature;
pub use drives::drives;
pub use friction::friction;
pub use names::names;
pub use points::points;
pub use structure::structure;

/// Checks everything and returns the bounds that only run time can check.
pub fn validate(parsed: &Parsed, errors: &mut Errors) -> Vec<Requirement> {
    let open = bounds(parsed.requirements.clone(), errors);
    if parsed.complete {
        structure(&parsed.description, errors);
    }
    names(&parsed.description, errors);
    armature(&parsed.description, errors);
    friction(&parsed.description, errors);
    drives(&parsed.description, errors);
    points(&parsed.description, errors);
    open
}

/// Checks the requirements on constants and returns the others, each bound on the same numbers
/// once.
pub fn bounds(requirements: Vec<Requirement>, errors: &mut Errors) -> Vec<Requirement> {
    let mut open: Vec<Requirement> = Vec::new();
    for requirement in requirements {
        let constants: Option<Vec<f64>> = requirement.values.iter().map(Scalar::constant).collect();
        let known = |other: &Requirement| {
            (other.bound, &other.values) == (requirement.bound, &requirement.values)
        };
        match constants {
            Some(numbers) => {
                if let Some(bad) = violation(requirement.bound, &numbers) {
                    let Requirement { quantity, bound, at, severity, .. } = &requirement;
                    let message = format!("{quantity} {bad}, expected {bound}");
                    match severity {
                        Severity::Error => errors.push(at, message),
                        Severity::Warning => errors.warn(at, message),
                    }
                }
            }
            None if open.iter().any(known) => {}
            None => open.push(requirement),
        }
    }
    open
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::Finite => "a finite number",
            Bound::Positive => "a number greater than 0",
            Bound::NonNegative => "a number of at least 0",
            Bound::Fraction => "a number from 0 to 1",
            Bound::Interval => "a lower limit below the upper one",
            Bound::Direction => "a direction of non-zero length",
            Bound::Inertia => {
                "principal moments of at least 0, none above the sum of the two others"
            }
        })
    }
}

/// What the numbers are, in words; `None` if the bound holds.
fn violation(bound: Bound, x: &[f64]) -> Option<String> {
    let text = match (bound, x) {
        (Bound::Inertia, &[xx, yy, zz, xy, xz, yz]) => {
            return inertia::implausible([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
        }
        _ if bound.admits(x) => return None,
        (Bound::Interval, [a, b]) => format!("is {a} and the upper one {b}"),
        (_, [a]) => format!("is {a}"),
        _ => format!("is {}", list(x)),
    };
    Some(text)
}

fn list(x: &[f64]) -> String {
    let numbers: Vec<String> = x.iter().map(f64::to_string).collect();
    format!("[{}]", numbers.join(", "))
}
