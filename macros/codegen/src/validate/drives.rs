//! A coordinate has one rate.

use std::collections::HashMap;

use crate::description::{Description, Law};
use crate::diagnostic::{Errors, Name};
use crate::scalar::Scalar;

/// Reports coordinates that two constraints drive.
pub fn drives(description: &Description, errors: &mut Errors) {
    let mut seen: HashMap<usize, &Name> = HashMap::new();
    for constraint in &description.constraints {
        let Some(coordinate) = driven(&constraint.law) else { continue };
        let name = &constraint.name;
        if let Some(first) = seen.insert(coordinate, name) {
            let message =
                format!("`{name}` drives a coordinate that `{first}` drives on {}", first.at);
            errors.push(&name.at, message);
        }
    }
}

/// The velocity coordinate that the law gives a rate which depends on no velocity.
fn driven(law: &Law) -> Option<usize> {
    let Law::Velocity(Scalar::Sub(coordinate, rate)) = law else { return None };
    let of_velocity = |x: &Scalar| matches!(x, Scalar::Velocity(_));
    match **coordinate {
        Scalar::Velocity(k) if !rate.contains(&of_velocity) => Some(k),
        _ => None,
    }
}
