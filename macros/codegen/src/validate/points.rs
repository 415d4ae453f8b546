//! Links of a file that turn but have no inertia: mass without extent is mostly an omission.

use crate::description::{Description, Link, Parent};
use crate::diagnostic::Errors;
use crate::scalar::Scalar;

/// Warns of links that move, have a mass and, with all that is fixed to them, no inertia.
pub fn points(description: &Description, errors: &mut Errors) {
    let moved = description.joints.iter().filter(|joint| joint.family.nv() > 0);
    for link in moved.map(|joint| joint.child) {
        let Link { name, inertial } = &description.links[link];
        let is_heavy = inertial.mass.constant().is_some_and(|mass| mass > 0.0);
        if name.at.file.is_some() && is_heavy && !has_inertia(description, link) {
            let message = "moves and has a mass, but no inertia: it is a point";
            errors.warn(&name.at, format!("link `{name}` {message}"));
        }
    }
}

/// Whether a link, or one that is fixed to it, has some.
fn has_inertia(description: &Description, link: usize) -> bool {
    let (mut links, mut next) = (vec![link], 0);
    while let Some(&link) = links.get(next) {
        next += 1;
        let inertia = &description.links[link].inertial.inertia;
        if inertia.iter().any(|x| x.constant() != Scalar::ZERO.constant()) {
            return true;
        }
        let fixed = description.joints.iter().filter(|joint| {
            joint.parent == Parent::Link(link)
                && joint.family.nv() == 0
                && !links.contains(&joint.child)
        });
        let more: Vec<usize> = fixed.map(|joint| joint.child).collect();
        links.extend(more);
    }
    false
}
