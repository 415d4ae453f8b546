//! Which link a joint on the world carries.
//!
//! It is the joint's child, unless the description names another link of the same tree as root.

use crate::description::{Description, Parent};

/// The link that joint `k`, which hangs on the world, carries.
pub(super) fn carried(description: &Description, k: usize) -> usize {
    match description.root {
        Some(root) if base(description, root) == Some(k) => root,
        _ => description.joints[k].child,
    }
}

/// The joint on the world from which `link` hangs, over however many others.
fn base(description: &Description, link: usize) -> Option<usize> {
    let joints = &description.joints;
    let carrier = |link: usize| joints.iter().position(|joint| joint.child == link);
    let inwards = |&k: &usize| match joints[k].parent {
        Parent::World => None,
        Parent::Link(link) => carrier(link),
    };
    std::iter::successors(carrier(link), inwards).last()
}
