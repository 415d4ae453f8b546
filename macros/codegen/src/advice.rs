//! Warnings about the motion that a file describes: a mass matrix that is singular, dampers and motors that a
//! step of a millisecond does not resolve.
//!
//! Of a damper d, λ_max(M⁻¹D) ≥ d (M⁻¹)ₖₖ: an explicit step h is stable up to h λ = 2. A motor of effort τ
//! moves its joint by τ (M⁻¹)ₖₖ h² in a step from rest. Both are taken where all joints are at zero.

use crate::derive::{Mechanism, Rest};
use crate::description::{Coordinate, Joint, coordinates};
use crate::diagnostic::Errors;
use crate::scalar::Scalar;

/// A step that simulations of robots mostly take, s.
const STEP: f64 = 1e-3;

/// The largest h λ of stable explicit steps.
const STABLE: f64 = 2.0;

/// Radians or metres of one step that are no motion of a robot, even at an effort that stands for none in particular.
const FAR: f64 = 100.0;

/// Warns of joints of a file. To be called once all else is derived.
pub(crate) fn advise(mechanism: &Mechanism<'_>, errors: &mut Errors) {
    let joints = &mechanism.description.joints;
    if !joints.iter().any(|joint| joint.name.at.file.is_some()) {
        return;
    }
    let (first, _, _) = coordinates(joints);
    let own = || joints.iter().zip(first).filter(|(joint, _)| joint.mimic.is_none());
    match mechanism.at_rest() {
        Rest::Open => {}
        Rest::Singular(k) => {
            let moves = |(joint, (_, v)): &(&Joint, (usize, usize))| {
                (*v..v + joint.family.nv()).contains(&k)
            };
            if let Some((Joint { name, .. }, _)) = own().find(moves) {
                let message =
                    "moves nothing that has inertia of its own: the mass matrix is singular";
                errors.warn(&name.at, format!("joint `{name}` {message}"));
            }
        }
        Rest::Regular(mobility) => {
            for (joint, (_, v)) in own().filter(|(joint, _)| joint.name.at.file.is_some()) {
                for (coordinate, mobility) in joint.coordinates.iter().zip(&mobility[v..]) {
                    unresolved(joint, coordinate, *mobility, errors);
                }
            }
        }
    }
}

/// Warns of a coordinate that changes too fast.
fn unresolved(joint: &Joint, coordinate: &Coordinate, mobility: f64, errors: &mut Errors) {
    let name = &joint.name;
    let rate = coordinate.damping.constant().unwrap_or(0.0) * mobility;
    if rate * STEP > STABLE {
        let message = format!(
            "the damping of joint `{name}` is for explicit steps below {:.1e} s: it stops what hangs on it in \
             {:.1e} s",
            STABLE / rate,
            1.0 / rate
        );
        errors.warn(&name.at, message);
    }
    let effort = coordinate.effort_limit.as_ref().and_then(Scalar::constant).unwrap_or(0.0);
    if effort * mobility * STEP * STEP > FAR {
        let unit = if joint.family.keyword() == "prismatic" { "m" } else { "rad" };
        let message = format!(
            "the effort of joint `{name}` moves it by {:.0} {unit} within 1 ms from rest: what hangs on it is too light",
            effort * mobility * STEP * STEP
        );
        errors.warn(&name.at, message);
    }
}
