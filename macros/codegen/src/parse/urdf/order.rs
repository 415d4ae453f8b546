//! Depth-first order of the joints of a file.

use std::collections::HashMap;

use super::super::draft::{Hook, Joint};

/// `joints` depth first from the link `root`, then from the world, those on one link in the order of the
/// file; those that neither reaches come last.
pub(super) fn depth_first(joints: Vec<Joint>, root: Option<&str>) -> Vec<Joint> {
    let mut on: HashMap<String, Vec<usize>> = HashMap::new();
    let mut stack = Vec::new();
    for (index, joint) in joints.iter().enumerate().rev() {
        match joint.connection.as_ref().map(|connection| &connection.parent) {
            Some(Hook::Link(parent)) => on.entry(parent.text.clone()).or_default().push(index),
            Some(Hook::World) => stack.push(index),
            None => {}
        }
    }
    stack.extend(root.and_then(|root| on.remove(root)).unwrap_or_default());
    let mut slots: Vec<Option<Joint>> = joints.into_iter().map(Some).collect();
    let mut ordered = Vec::with_capacity(slots.len());
    while let Some(index) = stack.pop() {
        let Some(joint) = slots[index].take() else {
            continue;
        };
        let child = joint.connection.as_ref().map(|connection| connection.child.text.as_str());
        stack.extend(child.and_then(|child| on.remove(child)).unwrap_or_default());
        ordered.push(joint);
    }
    ordered.extend(slots.into_iter().flatten());
    ordered
}
