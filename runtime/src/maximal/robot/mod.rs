//! A world from a robot that the macro describes.
//!
//! Mass, centre of mass and inertia of each moving body follow from π, of [`inertial_parameters`]; joints from the
//! poses of links alone: a unit displacement of the velocity coordinate j moves every body by the screw
//!
//! > exp(ξ_j) = X(q ⊕ e_j) X(q)⁻¹
//!
//! since all that hangs on a joint moves as one, and the screw of a body relative to the one that it hangs on is the
//! axis of the joint between them. Gravity is what the potential energies −g · Σ m r at these places have in common.
//! Nothing of the recursions by which the robot's own equations were derived is used, so that the two motions are
//! two opinions.
//!
//! [`inertial_parameters`]: Regressor::inertial_parameters

mod ground;

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Matrix3, Vector3};

use super::screw::Screw;
use super::{Body, Error, Joint, Kind, Limit, Motor, World};
use crate::description::{self, Chart, CoordinateParameters};
use crate::frame::Pose;
use crate::kernels::Regressor;
use crate::space::Storage;

/// An energy or an eigenvalue below this, by the whole, is none.
const NONE: f64 = 1e-9;

/// A moment of inertia below this, by what it is about the link's origin, is that of a point.
const POINT: f64 = 1e-13;

impl World {
    /// The bodies and joints of `robot` at (q, v), with the limits and the dry friction of its hinges and sliders, its
    /// contacts with planes, and its gravity as far as that moves anything. Body k is the one that moves with
    /// [`BODIES`](crate::Model::BODIES)\[k\], in that link's axes.
    ///
    /// # Errors
    ///
    /// [`Error::Model`] for fields or a state that are not possible; [`Error::Unsupported`] for families other than
    /// revolute, continuous, prismatic, spherical, universal and floating, followers, bodies without mass,
    /// armature, springs and dampers, declared constraints and limits, pairs and contacts whose normals turn.
    pub fn of<M: Regressor>(robot: &M, q: &M::Q, v: &M::V) -> Result<Self, Error> {
        robot.check(q, v)?;
        let reading = Reading::new(robot, q);
        let mut world = Self::new(Vector3::zeros());
        for body in reading.bodies(v)? {
            world.add_body(body)?;
        }
        reading.refuse(world.bodies())?;
        world.gravity = reading.gravity(world.bodies());
        let mut moved = vec![false; M::NV];
        for k in 0..M::BODIES.len() {
            let Some((joint, coordinate)) = reading.joint(k, world.bodies(), &mut moved)? else {
                continue;
            };
            let joint = world.add_joint(joint)?;
            let Some(CoordinateParameters { position: ends, friction, .. }) = coordinate else {
                continue;
            };
            if ends.iter().any(|end| end.is_finite()) {
                world.add_limit(Limit::Range { joint, ends })?;
            }
            if friction > 0.0 {
                world.add_motor(Motor { joint, velocity: 0.0, force: friction })?;
            }
        }
        reading.touch(&mut world)?;
        Ok(world)
    }
}

/// What is read off a robot at q.
struct Reading<'a, M: Regressor> {
    robot: &'a M,
    q: &'a M::Q,
    /// Of each body's link.
    poses: Vec<Pose>,
    /// For each velocity coordinate, those of all bodies.
    screws: Vec<Vec<Screw>>,
    coordinates: Vec<CoordinateParameters>,
}

impl<'a, M: Regressor> Reading<'a, M> {
    fn new(robot: &'a M, q: &'a M::Q) -> Self {
        let place = |q: &M::Q| -> Vec<Pose> {
            let poses = robot.link_poses(q);
            M::BODIES.iter().map(|&link| poses[link]).collect()
        };
        let poses = place(q);
        let moved = |j: usize| {
            let to = place(&robot.integrate(q, &unit::<M>(j)));
            poses.iter().zip(&to).map(|(from, to)| Screw::between(from, to)).collect()
        };
        let screws = (0..M::NV).map(moved).collect();
        let coordinates = robot.coordinate_parameters();
        Self { robot, q, poses, screws, coordinates }
    }

    fn bodies(&self, v: &M::V) -> Result<Vec<Body>, Error> {
        let parameters = self.robot.inertial_parameters();
        let inertial = parameters.as_slice().chunks_exact(10);
        let all = M::BODIES.iter().zip(inertial).zip(&self.poses).enumerate();
        all.map(|(k, ((&link, inertial), pose))| {
            let mut body = placed(inertial, pose, M::LINKS[link].name)?;
            for (screws, &v) in self.screws.iter().zip(v.as_slice()) {
                body.linear += v * screws[k].at(&body.position);
                body.angular += v * screws[k].angular;
            }
            Ok(body)
        })
        .collect()
    }

    /// # Errors
    ///
    /// [`Error::Unsupported`] for what acts in the robot and is neither a body nor a joint.
    fn refuse(&self, bodies: &[Body]) -> Result<(), Error> {
        let unsupported = |what, name| Err(Error::Unsupported { what, name });
        if let Some(constraint) = M::CONSTRAINTS.first() {
            return unsupported("declared constraint", constraint.name);
        }
        if let Some(limit) = M::LIMITS.first() {
            return unsupported("declared limit", limit.name);
        }
        for (j, screws) in self.screws.iter().enumerate() {
            let name = owner::<M>(j).map_or("", |joint| joint.name);
            let v = unit::<M>(j);
            let passive = self.robot.passive_force(&self.robot.integrate(self.q, &v), &v);
            if passive.as_slice().iter().any(|&force| force != 0.0) {
                return unsupported("spring or damper", name);
            }
            let energy: f64 = bodies.iter().zip(screws).map(|(body, x)| x.energy(body)).sum();
            let whole = self.robot.kinetic_energy(self.q, &v);
            if (whole - energy).abs() > NONE * whole {
                return unsupported("armature", name);
            }
        }
        Ok(())
    }

    /// The g of least length with U = −g · Σ m r at q and all q ⊕ e_j.
    fn gravity(&self, bodies: &[Body]) -> Vector3<f64> {
        let (mut normal, mut right) = (Matrix3::zeros(), Vector3::zeros());
        let mut add = |moment: Vector3<f64>, potential: f64| {
            normal += moment * moment.transpose();
            right -= potential * moment;
        };
        let moment = |place: &dyn Fn(usize, &Body) -> Vector3<f64>| -> Vector3<f64> {
            bodies.iter().enumerate().map(|(k, body)| body.mass * place(k, body)).sum()
        };
        add(moment(&|_, body| body.position), self.robot.potential_energy(self.q));
        for (j, screws) in self.screws.iter().enumerate() {
            let moved = moment(&|k, body| screws[k].displaced(&body.position));
            let q = self.robot.integrate(self.q, &unit::<M>(j));
            add(moved, self.robot.potential_energy(&q));
        }
        let eigen = normal.symmetric_eigen();
        let mut gravity = Vector3::zeros();
        for (axis, &value) in eigen.eigenvectors.column_iter().zip(&eigen.eigenvalues) {
            if value > NONE * normal.trace() {
                gravity += axis * (axis.dot(&right) / value);
            }
        }
        gravity
    }

    /// The joint on which body `k` hangs, and what bounds its coordinate; none of a floating one. The coordinates that
    /// move it are then no longer free for others.
    fn joint(
        &self,
        k: usize,
        bodies: &[Body],
        moved: &mut [bool],
    ) -> Result<Option<(Joint, Option<CoordinateParameters>)>, Error> {
        let parent = parent::<M>(M::BODIES[k]);
        let relative = |j: usize| match parent {
            Some(parent) => self.screws[j][k].minus(&self.screws[j][parent]),
            None => self.screws[j][k],
        };
        let moving: Vec<usize> = (0..M::NV).filter(|&j| relative(j).is_some_motion()).collect();
        if moving.iter().any(|&j| owner::<M>(j).is_some_and(|of| of.chart == Chart::Pose)) {
            return Ok(None);
        }
        let unsupported = |what| Error::Unsupported { what, name: M::LINKS[M::BODIES[k]].name };
        let joint = moving.first().and_then(|&j| owner::<M>(j));
        let joint = joint.ok_or_else(|| unsupported("joint without motion"))?;
        let own = joint.v..joint.v + joint.nv;
        if !moving.iter().copied().eq(own.clone()) || own.clone().any(|j| moved[j]) {
            return Err(unsupported("joint that follows another"));
        }
        moved[own.clone()].fill(true);
        let screws: Vec<Screw> = own.map(relative).collect();
        let origin = self.poses[k].position;
        let (kind, frame) = geometry(joint, &screws, &origin)
            .ok_or(Error::Unsupported { what: joint.family, name: joint.name })?;
        let mut tied = Joint::here(kind, [parent, Some(k)], &frame, bodies)?;
        let position = self.q[joint.q];
        match kind {
            Kind::Hinge => {
                let turn = nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), position);
                tied.frames[1].rotation *= turn.into_inner();
            }
            Kind::Slider => {
                let axis = tied.frames[0].rotation.column(2).into_owned();
                tied.frames[0].position -= position * axis;
            }
            _ => return Ok(Some((tied, None))),
        }
        Ok(Some((tied, self.coordinates.get(joint.v).copied())))
    }
}

/// The kind of a joint and its frame in the world, from the screws of its coordinates and the child's origin.
fn geometry(
    joint: &description::Joint,
    screws: &[Screw],
    origin: &Vector3<f64>,
) -> Option<(Kind, Pose)> {
    let about = |kind, z: &Vector3<f64>, x: &Vector3<f64>, position| {
        let rotation = Matrix3::from_columns(&[*x, z.cross(x), *z]);
        Some((kind, Pose { rotation, position }))
    };
    match (joint.family, screws) {
        ("revolute" | "continuous", [screw]) => {
            let axis = screw.angular.normalize();
            let position = origin + axis.cross(&screw.at(origin)) / screw.angular.norm();
            about(Kind::Hinge, &axis, &perpendicular(&axis), position)
        }
        ("prismatic", [screw]) => {
            let axis = screw.linear.normalize();
            about(Kind::Slider, &axis, &perpendicular(&axis), *origin)
        }
        ("spherical", _) => about(Kind::Ball, &Vector3::z(), &Vector3::x(), *origin),
        ("universal", [first, second]) => {
            let normal = first.angular.cross(&second.angular);
            let angle = libm::atan2(normal.norm(), first.angular.dot(&second.angular));
            let (axis, normal) = (first.angular.normalize(), normal.normalize());
            about(Kind::Wheel { angle }, &axis, &normal, *origin)
        }
        _ => None,
    }
}

/// A unit vector at right angles.
fn perpendicular(axis: &Vector3<f64>) -> Vector3<f64> {
    axis.cross(&Vector3::ith(axis.iamin(), 1.0)).normalize()
}

/// A body at rest from its π and its link's pose.
fn placed(inertial: &[f64], pose: &Pose, name: &'static str) -> Result<Body, Error> {
    let &[mass, x, y, z, xx, xy, yy, xz, yz, zz] = inertial else {
        return Err(Error::Unsupported { what: "body without mass", name });
    };
    if mass <= 0.0 {
        return Err(Error::Unsupported { what: "body without mass", name });
    }
    let center = Vector3::new(x, y, z) / mass;
    let at_origin = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let moved = mass * (Matrix3::identity() * center.norm_squared() - center * center.transpose());
    let inertia = at_origin - moved;
    // Of a point, what is left is rounding.
    let is_point = inertia.amax() <= POINT * at_origin.amax();
    let inertia = if is_point { Matrix3::zeros() } else { inertia };
    let rotation = nalgebra::Rotation3::from_matrix_unchecked(pose.rotation);
    let mut body = Body::new(mass, inertia).at(pose.point(&center));
    body.rotation = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
    Ok(body)
}

/// The body that the one of this link hangs on.
fn parent<M: Regressor>(link: usize) -> Option<usize> {
    carrier::<M>(M::LINKS.get(link)?.parent?)
}

/// The body that a link is part of.
fn carrier<M: Regressor>(link: usize) -> Option<usize> {
    let above = |&link: &usize| M::LINKS.get(link)?.parent;
    let mut links = core::iter::successors(Some(link), above);
    links.find_map(|link| M::BODIES.iter().position(|&body| body == link))
}

/// The joint of a velocity coordinate.
fn owner<M: Regressor>(j: usize) -> Option<&'static description::Joint> {
    M::JOINTS.iter().find(|joint| (joint.v..joint.v + joint.nv).contains(&j))
}

fn unit<M: Regressor>(j: usize) -> M::V {
    let mut unit = M::V::zeros();
    unit[j] = 1.0;
    unit
}
