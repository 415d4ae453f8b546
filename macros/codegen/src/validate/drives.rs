//! A coordinate has one rate, or several that fields may make agree.
//!
//! Of the latter the one or the other can be made active. Whether they disagree whatever the fields are is seen
//! where contradictions are looked for in numbers.

use std::collections::HashMap;

use crate::description::{Description, Law};
use crate::diagnostic::{Errors, Name};
use crate::scalar::Scalar;

/// Reports coordinates that two constraints drive at rates without fields.
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

/// The velocity coordinate that the law gives a rate which depends on no velocity and no field.
fn driven(law: &Law) -> Option<usize> {
    let Law::Velocity(Scalar::Sub(coordinate, rate)) = law else { return None };
    let varies = |x: &Scalar| matches!(x, Scalar::Velocity(_) | Scalar::Field(_));
    match **coordinate {
        Scalar::Velocity(k) if !rate.contains(&varies) => Some(k),
        _ => None,
    }
}
