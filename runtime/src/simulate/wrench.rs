//! External wrenches, at frames and at links.
//!
//! > τ = Jᵀ w,  of a link τ_k = f · u_k + m · ω_k
//!
//! with (u_k, ω_k) the motion that a unit of the k-th velocity coordinate gives to the link, u_k of what is at the world's
//! origin, and w = (f, m) moved there.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Vector3, Vector6};

use crate::check;
use crate::failure::SimulationError;
use crate::frame::{Pose, ReferenceFrame};
use crate::model::{Robot, Table};
use crate::slices::dot;

/// A wrench that acts until it is cleared.
#[derive(Clone, Debug)]
struct Wrench {
    at: Place,
    reference: ReferenceFrame,
    /// Force in N, then moment in N m.
    value: Vector6<f64>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// Of [`FRAMES`](crate::Model::FRAMES) the one at this place.
    Frame(usize),
    /// Of [`LINKS`](crate::Model::LINKS) the one at this place, and a point in its frame, m.
    Link(usize, Vector3<f64>),
}

/// All wrenches, and room for the motions of links.
#[derive(Clone, Debug)]
pub(super) struct Wrenches {
    list: Vec<Wrench>,
    /// Twelve numbers for each link.
    poses: Vec<f64>,
    /// Six numbers each.
    columns: Vec<f64>,
}

impl Wrenches {
    pub(super) fn new(table: &Table) -> Self {
        Self {
            list: Vec::new(),
            poses: vec![f64::NAN; 12 * table.links.len()],
            columns: vec![f64::NAN; 6 * table.columns.len()],
        }
    }

    /// Whether nothing acts.
    #[inline]
    pub(super) fn are_none(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds the generalised force of all of them, (nv).
    pub(super) fn add_force(&mut self, robot: Robot<'_>, q: &[f64], force: &mut [f64]) {
        let Self { list, poses, columns } = self;
        if list.iter().any(|wrench| matches!(wrench.at, Place::Link(..))) {
            robot.link_poses_into(q, poses);
            robot.joint_columns_into(q, columns);
        }
        for Wrench { at, reference, value } in list {
            match *at {
                Place::Frame(frame) => {
                    let one =
                        robot.at_frames().wrench_force(frame, *reference, (q, robot.nv), value);
                    force.iter_mut().zip(&one).for_each(|(to, tau)| *to += tau);
                }
                Place::Link(link, point) => {
                    let pose = Pose::from_slice(&poses[12 * link..12 * (link + 1)]);
                    let wrench = at_origin(&pose, &point, *reference, value);
                    for &k in robot.supports.get(link).copied().unwrap_or_default() {
                        let column = &columns[6 * k..6 * (k + 1)];
                        force[robot.columns[k]] += dot(column, wrench.as_slice());
                    }
                }
            }
        }
    }
}

/// The wrench in world axes at the world's origin.
fn at_origin(
    pose: &Pose,
    point: &Vector3<f64>,
    reference: ReferenceFrame,
    value: &Vector6<f64>,
) -> Vector6<f64> {
    let [mut force, mut moment] = [0, 3].map(|k| value.fixed_rows::<3>(k).into_owned());
    if reference == ReferenceFrame::Local {
        (force, moment) = (pose.rotation * force, pose.rotation * moment);
    }
    if reference != ReferenceFrame::World {
        moment += pose.point(point).cross(&force);
    }
    Vector6::new(force.x, force.y, force.z, moment.x, moment.y, moment.z)
}

impl Wrenches {
    /// Ends all of them.
    pub(super) fn clear(&mut self) {
        self.list.clear();
    }

    pub(super) fn push(
        &mut self,
        at: Place,
        reference: ReferenceFrame,
        value: Vector6<f64>,
    ) -> Result<(), SimulationError> {
        check::finite("wrench", value.as_slice())?;
        self.list.push(Wrench { at, reference, value });
        Ok(())
    }
}
