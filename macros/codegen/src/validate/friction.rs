//! Dry friction of joints with one bound for what has no axes of its own.
//!
//! Friction of a ball in its socket is the same about all axes: its moment is that of the bound against ω. Bounds of three
//! components would depend on the axes of the joint's frame.

use crate::description::{Description, Joint};
use crate::diagnostic::Errors;
use crate::joint::Chart;

/// Reports joints whose dry friction is said of each direction.
pub fn friction(description: &Description, errors: &mut Errors) {
    for joint in description.joints.iter().filter(|joint| !is_isotropic(joint)) {
        let (family, name) = (joint.family.keyword(), &joint.name);
        let message =
            format!("the friction of {family} joint `{name}` has to be one for all directions");
        errors.push(&name.at, message);
    }
}

/// Of angular velocities, and of linear ones in turning axes, which are three each.
fn is_isotropic(joint: &Joint) -> bool {
    let alike = |three: &[_]| three.iter().all(|of| of == &three[0]);
    let bounds: Vec<_> = joint.coordinates.iter().map(|of| &of.friction).collect();
    joint.family.chart() == Chart::Vector || bounds.chunks(3).all(alike)
}
