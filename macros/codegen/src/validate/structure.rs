//! Links and joints form trees whose roots hang on the world.

use crate::description::{Description, Joint, Parent};
use crate::diagnostic::Errors;

/// Reports links that no joint or more than one carries, and cycles.
pub fn structure(description: &Description, errors: &mut Errors) {
    let carrier = carriers(description, errors);
    if description.links.is_empty() {
        return;
    }
    for (link, _) in description.links.iter().zip(&carrier).filter(|(_, c)| c.is_none()) {
        let name = &link.name;
        let hint = match name.at.file {
            None => format!("; a joint such as `fixed(world -> {name})` would"),
            Some(_) => ", and the robot has a root already".to_owned(),
        };
        errors.push(&name.at, format!("no joint carries link `{name}`{hint}"));
    }
    cycles(description, &carrier, errors);
}

/// For each link the joint that carries it.
fn carriers(description: &Description, errors: &mut Errors) -> Vec<Option<usize>> {
    let mut carrier: Vec<Option<usize>> = vec![None; description.links.len()];
    for (index, joint) in description.joints.iter().enumerate() {
        match carrier[joint.child] {
            None => carrier[joint.child] = Some(index),
            Some(first) => {
                let (first, link) =
                    (&description.joints[first].name, &description.links[joint.child].name);
                let message = format!("link `{link}` is carried by joint `{first}` already");
                errors.push(&joint.name.at, message);
            }
        }
    }
    carrier
}

/// Reports each cycle once, at its first joint.
fn cycles(description: &Description, carrier: &[Option<usize>], errors: &mut Errors) {
    let mut done = vec![false; description.links.len()];
    for start in 0..description.links.len() {
        let (mut path, mut link) = (Vec::new(), Some(start));
        while let Some(here) = link.filter(|&here| !done[here]) {
            done[here] = true;
            path.push(here);
            link = carrier[here].and_then(|joint| parent(&description.joints[joint]));
        }
        if let Some(begin) = path.iter().position(|&here| Some(here) == link) {
            cycle(description, carrier, &path[begin..], errors);
        }
    }
}

fn parent(joint: &Joint) -> Option<usize> {
    match joint.parent {
        Parent::World => None,
        Parent::Link(link) => Some(link),
    }
}

/// Reports the cycle of `links`, each of which hangs on the next.
fn cycle(
    description: &Description,
    carrier: &[Option<usize>],
    links: &[usize],
    errors: &mut Errors,
) {
    let joints = links.iter().filter_map(|&link| carrier[link]);
    let Some(first) = joints.min() else { return };
    let child = links.iter().position(|&link| link == description.joints[first].child);
    // Each link hangs on the next, so the way from parent to child goes backwards.
    let start = child.map_or(0, |child| (child + 1) % links.len());
    let down = links.iter().rev().cycle().skip(links.len() - 1 - start);
    let name = |&link: &usize| format!("`{}`", description.links[link].name);
    let chain: Vec<String> = down.take(links.len() + 1).map(name).collect();
    let chain = chain.join(" -> ");
    let joint = &description.joints[first].name;
    errors.push(&joint.at, format!("joint `{joint}` closes a cycle: {chain}"));
}
