//! The description as a tree of moving bodies.
//!
//! Links that fixed joints hold together are one body. A body's frame is where its joint puts it,
//! turned so that a skew axis lies along z; a link has a constant pose in its body.

use crate::description::{Description, Parent, Placement};
use crate::diagnostic::Location;
use crate::expr::{Expr, Graph, Rotation, Vector3};
use crate::joint::{Still, Twist};
use crate::scalar::Scalar;

use super::inertia::Moments;
use super::lower;

/// The coordinates that equations are written in.
#[derive(Clone, Debug)]
pub struct State<'g> {
    /// Configuration (nq).
    pub q: Vec<Expr<'g>>,
    /// Velocity (nv).
    pub v: Vec<Expr<'g>>,
    /// Acceleration or generalised force (nv).
    pub a: Vec<Expr<'g>>,
}

/// A constant pose in a body, or in the world.
#[derive(Clone, Debug)]
pub struct Placed<'g> {
    /// The body; `None` is the world.
    pub body: Option<usize>,
    /// From local axes to the body's.
    pub rotation: Rotation<'g>,
    /// Origin in the body's axes.
    pub position: Vector3<'g>,
}

/// One velocity coordinate's part in the motion of a body.
#[derive(Clone, Copy, Debug)]
pub struct Column<'g> {
    /// Index of the velocity coordinate.
    pub dof: usize,
    /// Motion relative to the parent for a unit velocity, in the body's axes.
    pub twist: Twist<'g>,
    /// Its derivative in the body's axes.
    pub rate: Twist<'g>,
}

/// A moving body.
#[derive(Clone, Debug)]
pub struct Body<'g> {
    /// Index of the joint that carries it.
    pub joint: usize,
    /// The body that it hangs on; `None` is the world.
    pub parent: Option<usize>,
    /// From its axes to the parent's.
    pub rotation: Rotation<'g>,
    /// Its origin, in the parent's axes.
    pub position: Vector3<'g>,
    /// The constant pose of its joint's frame in the parent, in axes that are the body's at rest.
    pub seat: (Rotation<'g>, Vector3<'g>),
    /// What of it stands still in the parent.
    pub still: Still<'g>,
    /// The motion subspace.
    pub columns: Vec<Column<'g>>,
    /// Its mass; in a form of the mechanism also what it carries of the masses on it.
    pub moments: Moments<'g>,
    /// How many alike bodies it stands for, each in its lane of every expression.
    pub lanes: usize,
    /// How many of them hang on each lane of its parent: what is summed into the parent is gathered
    /// from so many lanes.
    pub repeats: usize,
}

/// A tree of bodies on the graph.
#[derive(Clone, Debug)]
pub struct Mechanism<'g> {
    /// The graph of all expressions.
    pub graph: &'g Graph,
    /// What it was made from.
    pub description: &'g Description,
    /// Acceleration of gravity in the world.
    pub gravity: Vector3<'g>,
    /// The bodies, parents first.
    pub bodies: Vec<Body<'g>>,
    /// Where each link of the description is, on a body of the description; see `originals`.
    pub links: Vec<Placed<'g>>,
    /// First configuration and velocity coordinate of each joint of the description.
    pub coordinates: Vec<(usize, usize)>,
    /// The symbols of q, v and a.
    pub state: State<'g>,
    /// Inertia that only one coordinate moves, of each velocity coordinate.
    pub armature: Vec<Expr<'g>>,
    /// The velocity coordinates of the description that each one stands for, one a lane.
    pub lanes: Vec<Vec<usize>>,
    /// The bodies of the description that each body stands for, one a lane.
    pub originals: Vec<Vec<usize>>,
    /// Where in each body the link is that it is named after, the one on the far side of its joint.
    pub named: Vec<Placed<'g>>,
}

/// A joint on the way to the requested root cannot be traversed backwards.
#[derive(Clone, Debug)]
pub struct NotReversible {
    /// The joint's name.
    pub joint: String,
    /// Its family.
    pub family: &'static str,
    /// Where it is described.
    pub at: Location,
}

impl<'g> Placed<'g> {
    /// The same place in other axes of the body, to which `turn` leads.
    #[must_use]
    pub(super) fn turned(&self, turn: &Rotation<'g>) -> Self {
        Self {
            body: self.body,
            rotation: turn.clone().then(self.rotation.clone()),
            position: turn.times(self.position),
        }
    }
}

impl<'g> Mechanism<'g> {
    /// A number of the description.
    pub fn scalar(&self, x: &Scalar) -> Expr<'g> {
        lower::scalar(self.graph, x)
    }

    /// Number of configuration coordinates.
    pub fn nq(&self) -> usize {
        self.state.q.len()
    }

    /// Number of velocity coordinates.
    pub fn nv(&self) -> usize {
        self.state.v.len()
    }

    /// A body and all that it hangs on, outwards in.
    pub fn path(&self, body: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(body, |&k| self.bodies[k].parent)
    }

    /// The links on body `k`.
    pub(super) fn links_on(&mut self, k: usize) -> impl Iterator<Item = &mut Placed<'g>> {
        self.links.iter_mut().filter(move |link| link.body == Some(k))
    }

    /// A point given in a link's frame, in its body.
    pub(super) fn on_link(&self, link: usize, point: Vector3<'g>) -> Placed<'g> {
        let link = &self.links[link];
        Placed { position: link.position + link.rotation.times(point), ..link.clone() }
    }

    /// For each velocity coordinate the one before it on the way to the root; none at all where a
    /// coordinate moves several bodies or is numbered before one that it hangs on.
    pub fn coordinate_parents(&self) -> Vec<Option<usize>> {
        let mut parents = vec![None; self.nv()];
        let mut seen = vec![false; self.nv()];
        let mut last: Vec<Option<usize>> = Vec::new();
        for body in &self.bodies {
            let mut before = body.parent.and_then(|parent| last[parent]);
            for column in &body.columns {
                if seen[column.dof] || before.is_some_and(|parent| parent >= column.dof) {
                    return Vec::new();
                }
                seen[column.dof] = true;
                parents[column.dof] = before;
                before = Some(column.dof);
            }
            last.push(before);
        }
        parents
    }

    /// A frame given in that of a link, or of the world.
    pub(super) fn placed(&self, parent: Parent, placement: &Placement) -> Placed<'g> {
        let (rotation, position) = lower::placement(self.graph, placement);
        match parent {
            Parent::World => Placed { body: None, rotation, position },
            Parent::Link(link) => {
                let link = &self.links[link];
                Placed {
                    body: link.body,
                    position: link.position + link.rotation.times(position),
                    rotation: link.rotation.clone().then(rotation).folded(self.graph),
                }
            }
        }
    }

    /// Where the coordinates begin that move joint `k`, its own or those of the joint it follows.
    pub(super) fn leader(&self, k: usize) -> (usize, usize) {
        let leader = self.description.joints[k].mimic.as_ref().map_or(k, |mimic| mimic.joint);
        self.coordinates[leader]
    }

    /// The coordinates of joint `k`, and how fast they change with the velocity coordinates.
    pub(super) fn coordinates_of(&self, k: usize) -> (Expr<'g>, State<'g>) {
        let joint = &self.description.joints[k];
        let (q, v) = self.leader(k);
        let (nq, nv) = (joint.family.nq(), joint.family.nv());
        let mut state = State {
            q: self.state.q[q..q + nq].to_vec(),
            v: self.state.v[v..v + nv].to_vec(),
            a: self.state.a[v..v + nv].to_vec(),
        };
        let Some(mimic) = &joint.mimic else {
            return (self.graph.one(), state);
        };
        let ratio = lower::scalar(self.graph, &mimic.multiplier);
        let offset = lower::scalar(self.graph, &mimic.offset);
        state.q.iter_mut().for_each(|q| *q = ratio * *q + offset);
        (ratio, state)
    }
}
