//! The loops that a file closes.

use super::super::draft::{Closure, End, WORLD};
use super::super::reader::Reader;
use super::link;
use crate::description::{Constraint, Description, Law, Link, Parent, Place, Response};

/// Adds the constraints that the drafts describe.
pub(in super::super) fn closures(
    reader: &mut Reader<'_>,
    description: &mut Description,
    drafts: &[Closure],
) {
    for Closure { name, ends, axes } in drafts {
        let mut place = |end: &End| {
            let known = |links: &[Link]| links.iter().any(|link| link.name.text == WORLD);
            let parent = if end.link.text == WORLD && !known(&description.links) {
                Parent::World
            } else {
                Parent::Link(link(reader, &description.links, &end.link)?)
            };
            Some(Place { parent, placement: end.placement.clone() })
        };
        let [a, b] = [0, 1].map(|k| place(&ends[k]));
        let (Some(a), Some(b)) = (a, b) else { continue };
        if a.parent == b.parent {
            let message = format!("both ends of constraint `{name}` are on the same link");
            reader.error(&name.at, message);
            continue;
        }
        let law = Law::Closure { frames: [a, b], axes: axes.clone() };
        let response = Response::at_rest();
        description.constraints.push(Constraint { name: name.clone(), law, response });
    }
}
