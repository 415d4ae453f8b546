//! The joint on which a body hangs, from the screws of the coordinates that move it.
//!
//! A single coordinate moves the body about or along a line whatever its joint is called, by the scale that a joint has
//! which follows another. Several are those of one joint, whose family says what they are.

use alloc::vec::Vec;

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::{Error, Reading, owner, parent};
use crate::description::{self, Chart};
use crate::frame::Pose;
use crate::kernels::Regressor;
use crate::maximal::screw::Screw;
use crate::maximal::{Body, Joint, Kind};
use crate::space::Storage;

/// A scale that differs from one by less is one, and a smaller pitch is none.
const EXACT: f64 = 1e-10;

/// A body's joint, as it is part of a robot's.
pub(super) struct Tie {
    /// The robot's joint whose coordinates move it.
    pub(super) of: usize,
    /// How much of its coordinate that is: 1 but of followers.
    pub(super) scale: f64,
    /// Its frames are together at coordinates of zero.
    pub(super) joint: Joint,
}

impl<M: Regressor> Reading<'_, M> {
    /// What ties body `k`; nothing does where something else that it carries is free.
    pub(super) fn tie_of(&self, k: usize, bodies: &[Body]) -> Result<Option<Tie>, Error> {
        let parent = parent::<M>(M::BODIES[k]);
        let relative = |j: usize| self.screws[j][k];
        let moving: Vec<usize> = (0..M::NV).filter(|&j| relative(j).is_some_motion()).collect();
        let of = moving.first().and_then(|&j| owner::<M>(j));
        let unsupported = |what| Error::Unsupported { what, name: M::LINKS[M::BODIES[k]].name };
        let of = of.ok_or_else(|| unsupported("body without motion"))?;
        let joint = &M::JOINTS[of];
        if !moving.iter().copied().eq(joint.v..joint.v + joint.nv) {
            let pose =
                |&j: &usize| owner::<M>(j).is_some_and(|of| M::JOINTS[of].chart == Chart::Pose);
            return match moving.iter().any(pose) {
                true => Ok(None),
                false => Err(unsupported("body that several joints move")),
            };
        }
        let screws: Vec<Screw> = moving.into_iter().map(relative).collect();
        let (kind, frame, scale) = geometry(joint, &screws, &self.poses[k])
            .ok_or(Error::Unsupported { what: joint.family, name: joint.name })?;
        let mut tied = Joint::here(kind, [parent, Some(k)], &frame, bodies)?;
        let q = &self.q.as_slice()[joint.q..][..joint.nq];
        take_back(joint.chart, q, scale, &mut tied);
        Ok(Some(Tie { of, scale, joint: tied }))
    }
}

/// Moves the frames, which are together, to where they are so at coordinates of zero.
fn take_back(chart: Chart, q: &[f64], scale: f64, joint: &mut Joint) {
    let about_z = |angle: f64| Rotation3::from_axis_angle(&Vector3::z_axis(), angle).into_inner();
    let turned = |rotation: &[f64]| {
        let &[x, y, z, w] = rotation else { return Matrix3::identity() };
        let turn = UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, x, y, z));
        turn.to_rotation_matrix().into_inner()
    };
    let [a, b] = &mut joint.frames;
    let [x, y, z] = [0, 1, 2].map(|k| a.rotation.column(k).into_owned());
    match (chart, joint.kind, q) {
        (Chart::Quaternion, _, turn) => a.rotation *= turned(turn).transpose(),
        (Chart::Pose, _, &[px, py, pz, ref turn @ ..]) => {
            a.rotation *= turned(turn).transpose();
            a.position -= a.rotation * Vector3::new(px, py, pz);
        }
        (_, Kind::Hinge, &[angle]) => b.rotation *= about_z(scale * angle),
        (_, Kind::Slider, &[by]) => a.position -= scale * by * z,
        (_, Kind::Helical { pitch }, &[angle]) => {
            a.position -= pitch * scale * angle * z;
            b.rotation *= about_z(scale * angle);
        }
        (_, Kind::Cylindrical, &[angle, by]) => {
            a.position -= by * z;
            b.rotation *= about_z(angle);
        }
        (_, Kind::Planar, &[along, across, angle]) => {
            a.position -= along * x + across * y;
            b.rotation *= about_z(angle);
        }
        (_, Kind::Wheel { .. }, &[first, second]) => {
            a.rotation *= about_z(-first);
            b.rotation *= about_z(second);
        }
        _ => {}
    }
    if chart == Chart::Vector {
        joint.near.iter_mut().zip(q).for_each(|(near, q)| *near = scale * q);
    }
}

/// The kind of a joint and its frame in the world, from the screws of its coordinates and the child's pose; and how much
/// of its only coordinate it is.
fn geometry(
    joint: &description::Joint,
    screws: &[Screw],
    child: &Pose,
) -> Option<(Kind, Pose, f64)> {
    let origin = child.position;
    let about = |kind, z: &Vector3<f64>, x: &Vector3<f64>, position| {
        let rotation = Matrix3::from_columns(&[*x, z.cross(x), *z]);
        Some((kind, Pose { rotation, position }, 1.0))
    };
    match (joint.family, screws) {
        (_, [screw]) => Some(single(screw, &origin)),
        ("spherical", _) => Some((Kind::Ball, *child, 1.0)),
        // Nothing holds it: only its frames count.
        ("floating", _) => Some((Kind::Ball, *child, 1.0)),
        ("universal", [first, second]) => {
            let normal = first.angular.cross(&second.angular);
            let angle = libm::atan2(normal.norm(), first.angular.dot(&second.angular));
            let (axis, normal) = (first.angular.normalize(), normal.normalize());
            about(Kind::Wheel { angle }, &axis, &normal, origin)
        }
        ("cylindrical", [turn, _]) => {
            let axis = turn.angular.normalize();
            about(Kind::Cylindrical, &axis, &perpendicular(&axis), line(turn, &origin))
        }
        ("planar", [along, _, turn]) => {
            let (axis, along) = (turn.angular.normalize(), along.linear.normalize());
            about(Kind::Planar, &axis, &along, origin)
        }
        _ => None,
    }
}

/// A hinge, a slider or a screw.
fn single(screw: &Screw, origin: &Vector3<f64>) -> (Kind, Pose, f64) {
    let (turn, slide) = (screw.angular.norm(), screw.linear.norm());
    let turns = turn > EXACT * (1.0 + slide);
    let scale = if turns { turn } else { slide };
    let axis = if turns { screw.angular / turn } else { screw.linear / slide };
    let pitch = if turns { axis.dot(&screw.linear) / turn } else { 0.0 };
    let kind = match (turns, pitch.abs() > EXACT) {
        (false, _) => Kind::Slider,
        (true, false) => Kind::Hinge,
        (true, true) => Kind::Helical { pitch },
    };
    let x = perpendicular(&axis);
    let rotation = Matrix3::from_columns(&[x, axis.cross(&x), axis]);
    let position = if turns { line(screw, origin) } else { *origin };
    let scale = if (scale - 1.0).abs() < EXACT { 1.0 } else { scale };
    (kind, Pose { rotation, position }, scale)
}

/// The point of a screw's axis that is nearest to another.
fn line(screw: &Screw, origin: &Vector3<f64>) -> Vector3<f64> {
    origin + screw.angular.cross(&screw.at(origin)) / screw.angular.norm_squared()
}

/// A unit vector at right angles.
fn perpendicular(axis: &Vector3<f64>) -> Vector3<f64> {
    axis.cross(&Vector3::ith(axis.iamin(), 1.0)).normalize()
}
