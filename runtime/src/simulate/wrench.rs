//! External wrenches, at frames and at links.
//!
//! > τ = Jᵀ w,  of a link τ_k = f · u_k + m · ω_k
//!
//! with (u_k, ω_k) the motion that a unit of the k-th velocity coordinate gives to the link, u_k of what is at the world's
//! origin, and w = (f, m) moved there.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Vector3, Vector6};

use super::{Simulation, SimulationError};
use crate::check;
use crate::description::FrameId;
use crate::frame::{Pose, ReferenceFrame};
use crate::model::quantity::run;
use crate::model::{Model, Prepared};
use crate::slices::dot;
use crate::space::Storage;

/// A wrench that acts until it is cleared.
#[derive(Clone, Debug)]
struct Wrench<M> {
    at: Place<M>,
    reference: ReferenceFrame,
    /// Force in N, then moment in N m.
    value: Vector6<f64>,
}

#[derive(Clone, Debug)]
enum Place<M> {
    Frame(FrameId<M>),
    /// Of [`LINKS`](Model::LINKS) the one at this place, and a point in its frame, m.
    Link(usize, Vector3<f64>),
}

/// All wrenches, and room for the motions of links.
#[derive(Clone, Debug)]
pub(super) struct Wrenches<M> {
    list: Vec<Wrench<M>>,
    /// Twelve numbers for each link.
    poses: Vec<f64>,
    /// Six numbers each.
    columns: Vec<f64>,
}

impl<M: Model> Wrenches<M> {
    pub(super) fn new() -> Self {
        Self {
            list: Vec::new(),
            poses: vec![f64::NAN; 12 * M::LINKS.len()],
            columns: vec![f64::NAN; 6 * M::COLUMNS.len()],
        }
    }

    /// Whether nothing acts.
    #[inline]
    pub(super) fn are_none(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds the generalised force of all of them, (nv).
    pub(super) fn add_force(&mut self, model: &M, q: &M::Q, force: &mut M::V) {
        let Self { list, poses, columns } = self;
        if list.iter().any(|wrench| matches!(wrench.at, Place::Link(..))) {
            run::<M, M::LinkPoses, _>(model, [q.as_slice()], poses);
            model.joint_columns_into(q, columns);
        }
        for Wrench { at, reference, value } in list {
            match *at {
                Place::Frame(frame) => {
                    let one = model.wrench_force(frame, *reference, q, value);
                    let entries = force.as_mut_slice().iter_mut().zip(one.as_slice());
                    entries.for_each(|(to, tau)| *to += tau);
                }
                Place::Link(link, point) => {
                    let pose = Pose::from_slice(&poses[12 * link..12 * (link + 1)]);
                    let wrench = at_origin(&pose, &point, *reference, value);
                    for &k in M::SUPPORTS.get(link).copied().unwrap_or_default() {
                        let column = &columns[6 * k..6 * (k + 1)];
                        force[M::COLUMNS[k]] += dot(column, wrench.as_slice());
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

impl<M: Model> Simulation<M> {
    /// Lets a wrench (force in N, then moment in N m, expressed as `reference` says) act at a
    /// frame, with all others, until [`clear_wrenches`](Self::clear_wrenches).
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] if an entry is not finite.
    pub fn apply(
        &mut self,
        frame: FrameId<M>,
        reference: ReferenceFrame,
        wrench: Vector6<f64>,
    ) -> Result<(), SimulationError> {
        self.push(Place::Frame(frame.into()), reference, wrench)
    }

    /// As [`apply`](Self::apply), at a point of any link, in the link's frame in m: what `reference` calls the frame has
    /// its origin there, and the link's axes. To push with a force in world axes, that is
    /// [`ReferenceFrame::LocalWorldAligned`].
    ///
    /// # Errors
    ///
    /// [`SimulationError::Model`] if a number is not finite, [`SimulationError::NotDeclared`] for a link that there is
    /// not.
    pub fn apply_to_link(
        &mut self,
        link: &str,
        point: Vector3<f64>,
        reference: ReferenceFrame,
        wrench: Vector6<f64>,
    ) -> Result<(), SimulationError> {
        check::finite("point", point.as_slice())?;
        let names = M::LINKS.iter().map(|link| link.name);
        let link = super::rows::place("link", link, names)?;
        self.push(Place::Link(link, point), reference, wrench)
    }

    fn push(
        &mut self,
        at: Place<Prepared<M>>,
        reference: ReferenceFrame,
        value: Vector6<f64>,
    ) -> Result<(), SimulationError> {
        check::finite("wrench", value.as_slice())?;
        self.wrenches.list.push(Wrench { at, reference, value });
        Ok(())
    }

    /// Ends all external wrenches.
    pub fn clear_wrenches(&mut self) {
        self.wrenches.list.clear();
    }
}
