//! Tests of the whole way from tokens or a file to a description.

mod attribute;
mod constraints;
mod dialect;
mod errors;
mod merge;
mod urdf;
mod warnings;

use super::{Parsed, parse};
use crate::description::Requirement;
use crate::diagnostic::Errors;
use crate::scalar::Scalar;
use crate::validate::validate;

/// An arm on a pivot, to which tests add.
const ARM: &str = "link(arm, mass = 1), joint(pivot, revolute(world -> arm), axis = [0, 1, 0]),";

/// Reads `#[robot(attribute)] struct R { fields }`, or `struct R;` without fields.
fn read(attribute: &str, fields: &str) -> (Parsed, Vec<Requirement>, Vec<String>) {
    let body = if fields.is_empty() { ";".to_owned() } else { format!("{{ {fields} }}") };
    let text = format!("#[robot({attribute})] struct R {body}");
    let input = syn::parse_str(&text).unwrap();
    let mut errors = Errors::default();
    let parsed = parse(&input, &mut errors);
    let open = validate(&parsed, &mut errors);
    (parsed, open, errors.messages())
}

/// The description of an attribute that has no errors.
fn sound(attribute: &str, fields: &str) -> Parsed {
    let (parsed, _, messages) = read(attribute, fields);
    assert!(messages.is_empty(), "{attribute}: {messages:?}");
    parsed
}

/// The messages for an attribute, each of which the test expects to be about something else.
fn messages(attribute: &str, fields: &str) -> Vec<String> {
    read(attribute, fields).2
}

fn values<const N: usize>(scalars: &[Scalar; N]) -> [f64; N] {
    std::array::from_fn(|k| scalars[k].constant().unwrap())
}
