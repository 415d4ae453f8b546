//! Which coordinates belong to chains.

use alloc::vec;
use alloc::vec::Vec;

use crate::contact::free_bodies::is_alone;
use crate::description::{Chart, Joint, Level};
use crate::model::Table;

/// Whether each coordinate moves others, or is moved by some; empty where none is, and where constraints of velocities tie them.
pub(super) fn belonging(table: &Table) -> Vec<bool> {
    let mut levels = table.constraints.iter().flat_map(|constraint| constraint.levels);
    if levels.any(|level| *level == Level::Velocity) {
        return Vec::new();
    }
    // Where coordinates form no tree, what one moves is not told.
    if table.parents.len() != table.nv {
        return vec![true; table.nv];
    }
    // A joint of one coordinate that is alone has a constant M, and one that turns freely is a body alone, if nothing ties it.
    let is_body = |joint: &Joint| table.nc == 0 && joint.chart != Chart::Vector;
    let has_nothing = |joint: &&Joint| is_alone(table, joint) && (joint.nv == 1 || is_body(joint));
    let mut belongs = vec![true; table.nv];
    if table.nc == 0 {
        // What only slides has a constant M.
        belongs.fill(false);
        for joint in table.joints.iter().filter(|joint| joint.family != "prismatic") {
            belongs[root(table, joint.v)] = true;
        }
        (0..table.nv).for_each(|v| belongs[v] = belongs[root(table, v)]);
    }
    for joint in table.joints.iter().filter(has_nothing) {
        belongs[joint.v..joint.v + joint.nv].fill(false);
    }
    if belongs.contains(&true) { belongs } else { Vec::new() }
}

/// The first coordinate of the tree that `v` is in.
fn root(table: &Table, v: usize) -> usize {
    table.parents[v].map_or(v, |parent| root(table, parent))
}
