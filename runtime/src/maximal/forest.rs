//! Which joints make trees of the bodies, and which close loops.
//!
//! Breadth first from the world, then from the first body that was not reached, and so on.

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

use super::joint::Joint;

/// Trees of bodies.
#[derive(Clone, Debug, Default)]
pub(super) struct Forest {
    /// The bodies, parents first.
    pub(super) order: Vec<usize>,
    /// For each body what it hangs on; `None` is the world, or nothing.
    pub(super) parent: Vec<Option<usize>>,
    /// For each body the joint by which it does.
    pub(super) joint: Vec<Option<usize>>,
    /// For each joint whether it closes a loop.
    pub(super) closes: Vec<bool>,
}

/// Bodies that were reached, and those of them whose joints were not yet followed.
struct Search {
    seen: Vec<bool>,
    queue: VecDeque<usize>,
}

impl Forest {
    pub(super) fn new(bodies: usize, joints: &[Joint]) -> Self {
        let mut at: Vec<Vec<usize>> = vec![Vec::new(); bodies];
        let mut on_world = Vec::new();
        for (k, joint) in joints.iter().enumerate() {
            for body in joint.bodies {
                body.map_or(&mut on_world, |body| &mut at[body]).push(k);
            }
        }
        let mut forest = Self {
            order: Vec::with_capacity(bodies),
            parent: vec![None; bodies],
            joint: vec![None; bodies],
            closes: vec![true; joints.len()],
        };
        let mut search = Search { seen: vec![false; bodies], queue: VecDeque::new() };
        forest.reach(None, &on_world, joints, &mut search);
        forest.follow(&at, joints, &mut search);
        for root in 0..bodies {
            if !search.seen[root] {
                search.seen[root] = true;
                search.queue.push_back(root);
                forest.follow(&at, joints, &mut search);
            }
        }
        forest
    }

    /// Follows the joints of what was reached.
    fn follow(&mut self, at: &[Vec<usize>], joints: &[Joint], search: &mut Search) {
        while let Some(body) = search.queue.pop_front() {
            self.order.push(body);
            self.reach(Some(body), &at[body], joints, search);
        }
    }

    /// Hangs on `from` what its joints lead to and was not seen.
    fn reach(
        &mut self,
        from: Option<usize>,
        through: &[usize],
        joints: &[Joint],
        search: &mut Search,
    ) {
        for &k in through {
            let [a, b] = joints[k].bodies;
            let other = if a == from { b } else { a };
            let Some(body) = other.filter(|&body| !search.seen[body]) else { continue };
            search.seen[body] = true;
            (self.parent[body], self.joint[body]) = (from, Some(k));
            self.closes[k] = false;
            search.queue.push_back(body);
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix3, Vector3};

    use super::Forest;
    use crate::contact::Softness;
    use crate::frame::Pose;
    use crate::maximal::{Joint, Kind};

    /// A body that reaches the world through later ones is no root, and a fourth joint closes a loop.
    #[test]
    fn trees_grow_from_the_world() {
        let frame = Pose { rotation: Matrix3::identity(), position: Vector3::zeros() };
        let joint = |a, b| Joint {
            kind: Kind::Ball,
            bodies: [a, b],
            frames: [frame; 2],
            softness: [Softness::default(); 6],
            armature: [0.0; 3],
            near: [0.0; 3],
        };
        let pairs = [(Some(0), Some(1)), (Some(1), Some(2)), (None, Some(2)), (Some(0), Some(2))];
        let forest = Forest::new(4, &pairs.map(|(a, b)| joint(a, b)));
        assert_eq!(forest.order, [2, 1, 0, 3]);
        assert_eq!(forest.parent, [Some(2), Some(2), None, None]);
        assert_eq!(forest.joint, [Some(3), Some(1), Some(2), None]);
        assert_eq!(forest.closes, [true, false, false, false]);
    }
}
