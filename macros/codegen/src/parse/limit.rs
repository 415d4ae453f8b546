//! What never becomes negative: `limit(name, c = …)`.

use super::keys::{Form, Keys};
use super::reader::{At, Reader};
use super::state::State;
use super::syntax::Item;
use crate::description::{Joint, Limit};
use crate::diagnostic::Name;
use crate::scalar::Scalar;

/// A limit, whose function is of joints and fields.
pub(super) fn limit(
    reader: &mut Reader<'_>,
    joints: &[Joint],
    name: Name,
    items: &[Item],
) -> Option<Limit> {
    let keys = Keys::read(reader, "a limit", items, &[("c", Form::Value)]);
    if keys.lacks("c") {
        let message = format!("limit `{name}` needs `c = …`, which never becomes negative");
        reader.error(&name.at, message);
    }
    let At { value, at } = keys.expression(reader, "c", &State::positions(joints))?;
    if !value.contains(&|x| matches!(x, Scalar::Configuration(_))) {
        let message = format!("limit `{name}` must depend on a joint, or no motion changes it");
        reader.error(&at, message);
        return None;
    }
    reader.require_finite_fields(&value, format!("limit `{name}`"), &at);
    Some(Limit { name, function: value })
}
