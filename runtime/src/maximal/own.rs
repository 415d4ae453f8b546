//! What a robot says in its own coordinates, in a world of bodies.
//!
//! > q = q(s),  v = T(s) u,  T = (∂q/∂s) S where q̇ = v
//!
//! T are the rows of what joints leave. A force τ along the coordinates is Tᵀ τ on the bodies; h(q, t) = 0 has the row
//! H T, C(q) ≥ 0 the row (∂C/∂q) N T, and a contact the rows J T. τ, h, H, C, φ and J are the robot's, since they
//! are what it is described by; that M, C and g are not is what makes the world's motion another opinion. (By M a robot says
//! how much of a spring is implicit; whatever it says, the motion is the same to first order.)

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use nalgebra::{Rotation3, UnitQuaternion, Vector6};

use super::body::Body;
use super::joint::Joint;
use super::joint::entries;
use super::row::{Row, merged};
use crate::contact::Line;
use crate::description::{self, ContactParameters};

/// The parts of a row on bodies.
pub(super) type Parts = Vec<(usize, Vector6<f64>)>;

/// Where the coordinates of a robot's joint are.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// In this joint of the world.
    Joint(usize),
    /// In a pose, of what no joint ties: the frames of a joint without rows.
    Free(Box<Joint>),
}

/// τ, h and so on at (q, v, t), matrices column by column.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    /// τ of springs that are not implicit, (nv), if it is for a step.
    pub(super) elastic: Vec<f64>,
    /// The other ones and dampers.
    pub(super) lines: Vec<Line>,
    /// h, ḣ and H of constraints.
    pub(super) error: Vec<f64>,
    pub(super) rate: Vec<f64>,
    pub(super) jacobian: Vec<f64>,
    /// C and (∂C/∂q) N.
    pub(super) limit: Vec<f64>,
    pub(super) limit_jacobian: Vec<f64>,
    /// φ and J of all contacts.
    pub(super) gap: Vec<f64>,
    pub(super) contact_jacobian: Vec<f64>,
}

/// From q, v and t, and the length of a step that begins there.
pub(super) type Says = Arc<dyn Fn(&[f64], &[f64], f64, Option<f64>) -> Terms + Send + Sync>;

/// A robot's coordinates, and what it says in them.
#[derive(Clone)]
pub(super) struct Own {
    pub(super) says: Says,
    pub(super) joints: &'static [description::Joint],
    /// For each of these.
    pub(super) places: Vec<Place>,
    /// Whether each row of constraints is one of positions.
    pub(super) positions: Vec<bool>,
    /// The contacts whose normals turn, and their parameters.
    pub(super) contacts: Vec<(usize, ContactParameters)>,
}

/// v, T row by row, and the terms there.
#[derive(Clone, Debug)]
pub(super) struct State {
    v: Vec<f64>,
    rows: Vec<Parts>,
    pub(super) terms: Terms,
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Own").field("places", &self.places).finish_non_exhaustive()
    }
}

impl Own {
    /// What it says where bodies are at a time, for a step of `h` seconds or for places alone.
    pub(super) fn state(
        &self,
        joints: &[Joint],
        bodies: &[Body],
        (time, h): (f64, Option<f64>),
    ) -> State {
        let (mut q, mut rows) = (Vec::new(), Vec::new());
        for (of, place) in self.joints.iter().zip(&self.places) {
            let joint = match place {
                Place::Joint(joint) => joints.get(*joint),
                Place::Free(joint) => Some(joint.as_ref()),
            };
            let Some(joint) = joint else { continue };
            let own = coordinates(of, joint, bodies, &mut q);
            rows.extend(own.iter().map(|row| entries(joint, row, 1.0).collect::<Parts>()));
        }
        let rate = |(body, part): &(usize, Vector6<f64>)| part.dot(&bodies[*body].velocity());
        let v: Vec<f64> = rows.iter().map(|row| row.iter().map(rate).sum()).collect();
        let terms = (self.says)(&q, &v, time, h);
        State { v, rows, terms }
    }
}

/// Appends the configuration of a joint to `q`; returns the rows of its velocity.
fn coordinates(
    of: &description::Joint,
    joint: &Joint,
    bodies: &[Body],
    q: &mut Vec<f64>,
) -> Vec<Row> {
    let mut rows = Vec::new();
    if of.chart == description::Chart::Vector {
        joint.coordinates_into(bodies, &mut rows);
        q.extend(rows.iter().map(|row| row.value));
        return rows;
    }
    let (Some(pose), Some(turns), Some(slides)) =
        (joint.relative(bodies), joint.turns(bodies), joint.slides(bodies))
    else {
        return rows;
    };
    if of.chart == description::Chart::Pose {
        q.extend_from_slice(pose.position.as_slice());
        rows.extend(slides);
    }
    let turn = Rotation3::from_matrix_unchecked(pose.rotation);
    q.extend_from_slice(UnitQuaternion::from_rotation_matrix(&turn).coords.as_slice());
    rows.extend(turns);
    rows
}

impl State {
    /// The row k of a matrix, (of, nv) column by column, by T.
    pub(super) fn row(&self, matrix: &[f64], k: usize, of: usize) -> Parts {
        let column = matrix.iter().skip(k).step_by(of.max(1));
        let parts = self.rows.iter().zip(column).filter(|(_, x)| **x != 0.0);
        merged(parts.flat_map(|(row, x)| row.iter().map(move |(body, part)| (*body, *x * part))))
    }

    /// A row along the coordinates, (nv), by T.
    pub(super) fn along(&self, row: &[f64]) -> Parts {
        self.row(row, 0, 1)
    }

    /// p += h Tᵀ τ.
    pub(super) fn add_elastic(&self, h: f64, momentum: &mut [Vector6<f64>]) {
        for (row, force) in self.rows.iter().zip(&self.terms.elastic) {
            row.iter().for_each(|(body, part)| momentum[*body] += h * *force * part);
        }
    }

    /// (H v)ₖ − ḣₖ: what the rate of row k, as it is linear in v, asks H v⁺ for.
    pub(super) fn target(&self, k: usize) -> f64 {
        let nc = self.terms.error.len();
        let row = self.terms.jacobian.iter().skip(k).step_by(nc.max(1));
        row.zip(&self.v).map(|(h, v)| h * v).sum::<f64>() - self.terms.rate[k]
    }
}

/// Room for what a kernel writes.
pub(super) fn filled(count: usize, write: impl FnOnce(&mut [f64])) -> Vec<f64> {
    let mut out = vec![f64::NAN; count];
    if count > 0 {
        write(&mut out);
    }
    out
}
