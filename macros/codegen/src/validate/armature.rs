//! Armature only where it belongs to an energy.
//!
//! ½ a v² is the kinetic energy of a rotor where v is the rate of a coordinate. The three angular
//! velocities of a spherical joint are none, but ½ a |ω|² is an energy all the same; different
//! values, or any at a floating joint, would make M no longer the Hessian of one, and its equations
//! of motion no longer Lagrange's.

use crate::description::{Description, Joint};
use crate::diagnostic::Errors;
use crate::joint::Chart;

/// Reports joints whose armature belongs to no energy.
pub fn armature(description: &Description, errors: &mut Errors) {
    for joint in &description.joints {
        if let Some(message) = fault(joint) {
            errors.push(&joint.name.at, message);
        }
    }
}

fn fault(joint: &Joint) -> Option<String> {
    let name = &joint.name;
    let armature = || joint.coordinates.iter().map(|coordinate| &coordinate.armature);
    match joint.family.chart() {
        Chart::Vector => None,
        Chart::Quaternion => {
            let same = armature().all(|x| Some(x) == armature().next());
            (!same).then(|| {
                format!("the armature of spherical joint `{name}` has to be one for all directions")
            })
        }
        Chart::Pose => {
            let none = armature().all(|x| x.constant() == Some(0.0));
            (!none).then(|| format!("floating joint `{name}` has no rotors: expected no armature"))
        }
    }
}
