//! What the names in an expression mean: fields, constants and, where it may stand, the robot's state.

use std::f64::consts;

use super::state::{State, TIME};
use super::suggest::{did_you_mean, list};
use crate::scalar::Scalar;

/// Constants that an expression may use.
pub(super) const CONSTANTS: [(&str, f64); 8] = [
    ("PI", consts::PI),
    ("TAU", consts::TAU),
    ("FRAC_PI_2", consts::FRAC_PI_2),
    ("FRAC_PI_3", consts::FRAC_PI_3),
    ("FRAC_PI_4", consts::FRAC_PI_4),
    ("FRAC_PI_6", consts::FRAC_PI_6),
    ("INFINITY", f64::INFINITY),
    ("NEG_INFINITY", f64::NEG_INFINITY),
];

/// What an expression may be made of beside literals.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    /// The struct's fields.
    pub(super) fields: &'a [String],
    /// The robot's state, where it may stand.
    pub(super) state: Option<&'a State<'a>>,
    /// Joints that are described but could not be resolved.
    pub(super) unresolved: &'a [String],
}

/// The value of an identifier: a field, a constant, or a part of the state.
pub(super) fn variable(ident: &str, scope: Scope<'_>) -> Result<Scalar, String> {
    let plain = |field: &String| field.strip_prefix("r#").unwrap_or(field) == ident;
    let field = scope.fields.iter().position(plain).map(Scalar::Field);
    let state = scope.state.and_then(|state| state.coordinate(ident, None));
    match (field, state) {
        (Some(_), Some(_)) => {
            return Err(format!(
                "`{ident}` is a field and a part of the state; write `self.{ident}` for the field"
            ));
        }
        (Some(field), None) => return Ok(field),
        (None, Some(state)) => return state,
        (None, None) => {}
    }
    if let Some(&(_, value)) = CONSTANTS.iter().find(|(name, _)| *name == ident) {
        return Ok(Scalar::Number(value));
    }
    Err(unknown(ident, scope))
}

fn unknown(ident: &str, Scope { fields, state, unresolved }: Scope<'_>) -> String {
    let unresolved = || unresolved.iter().map(String::as_str);
    let joints = || state.into_iter().flat_map(|of| of.names().chain(unresolved()));
    let names = fields.iter().map(String::as_str).chain(CONSTANTS.map(|(name, _)| name));
    let hint = did_you_mean(ident, names.chain(joints()));
    let known = match fields {
        [] => "the struct has none".to_owned(),
        _ => format!("the struct has {}", list(fields.iter().map(String::as_str))),
    };
    match state {
        None => format!("there is no field `{ident}`, {known}{hint}"),
        Some(state) if !state.has_joints() => {
            format!("there is no field `{ident}`, {known}; the ground is at `x` and `y`{hint}")
        }
        Some(state) => {
            let joints = list(joints());
            let time =
                if state.has_time() { format!(", and time is `{TIME}`") } else { String::new() };
            format!(
                "there is neither a field nor a joint `{ident}`, joints are {joints}{time}{hint}"
            )
        }
    }
}
