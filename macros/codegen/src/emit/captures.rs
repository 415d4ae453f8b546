//! What a lane program reads and gives, found while it is written.

use crate::expr::NodeId;

/// The lane program that is being written.
#[derive(Default)]
pub(super) struct Captures {
    pub(super) lanes: usize,
    /// What it reads of numbers without lanes.
    pub(super) uniform: Vec<NodeId>,
    /// What it reads of numbers with lanes that other stretches make.
    pub(super) varying: Vec<NodeId>,
    /// The constants in it.
    pub(super) constants: Vec<NodeId>,
    /// Its results, which other stretches or outputs read.
    pub(super) results: Vec<NodeId>,
}
