//! A world from a robot that the macro describes.
//!
//! Mass, centre of mass and inertia of each moving body follow from π, of [`inertial_parameters`]; joints from the
//! poses of links alone: with X from a body's axes to those of the one that it hangs on, a displacement by ε of the
//! velocity coordinate j moves it there by the screw ε ξ_j of the joint between them (`tie`),
//!
//! > exp(ε ξ_j) = X(q ⊕ ε e_j) X(q)⁻¹
//!
//! and those of all on the way to the world add up. What the kinetic energy has more than that of bodies is rotors', and gravity is
//! what the potential energies −g · Σ m r at these places have in common.
//! Nothing of the recursions by which the robot's own equations were derived is used, so that the two motions are
//! two opinions. Springs and dampers, declared constraints and limits, and contacts whose normals turn are what
//! the robot says they are at the coordinates that its joints have in the world (`own`).
//!
//! [`inertial_parameters`]: Regressor::inertial_parameters

mod ground;
mod says;
mod tie;

use alloc::boxed::Box;
use alloc::vec::Vec;

use nalgebra::{Matrix3, Vector3};

use self::tie::Tie;
use super::coupling::Coupling;
use super::own::Place;
use super::screw::Screw;
use super::{Body, DryFriction, Error, Limit, Motor, World};
use crate::description::{self, Chart, CoordinateParameters};
use crate::frame::Pose;
use crate::kernels::Regressor;
use crate::space::Storage;

/// An energy or an eigenvalue below this, by the whole, is none.
const NONE: f64 = 1e-9;

/// A moment of inertia below this, by what it is about the link's origin, is that of a point.
const POINT: f64 = 1e-13;

/// ε, so that what follows a coordinate in a large ratio does not turn by more than half a turn.
const SMALL: f64 = 1.0 / 64.0;

impl World {
    /// The bodies and joints of `robot` at (q, v) and t = 0, with all that acts on them but actuators, and its gravity as
    /// far as that moves anything. Body k is the one that moves with [`BODIES`](crate::Model::BODIES)\[k\], in that
    /// link's axes. Joints that follow others have a [`Coupling`], armature is [`Joint::armature`](super::Joint::armature),
    /// and springs and dampers are as implicit as in a [`Simulation`](crate::Simulation). The world keeps the robot, whose
    /// functions it asks for these and for what is declared; every described robot can go along with it to another thread,
    /// since its fields are numbers.
    ///
    /// # Errors
    ///
    /// [`Error::Model`] for fields or a state that are not possible; [`Error::Unsupported`] for
    /// pairs of shapes other than points and spheres, which a world finds no contacts of, for what resists turning,
    /// which its contacts have no row for, and for dry friction of floating joints. A motion without inertia is found by
    /// the first step.
    pub fn of<M>(robot: M, q: &M::Q, v: &M::V) -> Result<Self, Error>
    where
        M: Regressor + Send + Sync + 'static,
    {
        robot.check(q, v)?;
        let reading = Reading::new(&robot, q);
        let mut world = Self::new(Vector3::zeros());
        for body in reading.bodies(v)? {
            world.add_body(body)?;
        }
        world.gravity = reading.gravity(world.bodies());
        let places = reading.tie(&mut world)?;
        for (joint, place) in M::JOINTS.iter().zip(&places) {
            reading.bound(joint, place, &mut world)?;
        }
        reading.touch(&mut world)?;
        world.own = Some(says::own(robot, places));
        Ok(world)
    }
}

/// What is read off a robot at q.
struct Reading<'a, M: Regressor> {
    robot: &'a M,
    q: &'a M::Q,
    /// Of each body's link.
    poses: Vec<Pose>,
    /// For each velocity coordinate, those of all bodies relative to what they hang on, in world axes.
    screws: Vec<Vec<Screw>>,
}

impl<'a, M: Regressor> Reading<'a, M> {
    fn new(robot: &'a M, q: &'a M::Q) -> Self {
        let poses = places(robot, q);
        let moved = |j: usize| {
            let to = places(robot, &robot.integrate(q, &unit::<M>(j, SMALL)));
            let screw = |k: usize| {
                let Some(parent) = parent::<M>(M::BODIES[k]) else {
                    return Screw::between(&poses[k], &to[k]).times(1.0 / SMALL);
                };
                // As seen from a parent that stays.
                let stays = composed(&poses[parent], &seen(&to[parent], &to[k]));
                Screw::between(&poses[k], &stays).times(1.0 / SMALL)
            };
            (0..M::BODIES.len()).map(screw).collect()
        };
        let screws = (0..M::NV).map(moved).collect();
        Self { robot, q, poses, screws }
    }

    /// How body `k` moves with the velocity coordinate `j`.
    fn screw(&self, j: usize, k: usize) -> Screw {
        let way = core::iter::successors(Some(k), |&k| parent::<M>(M::BODIES[k]));
        way.fold(Screw::ZERO, |sum, k| sum.plus(&self.screws[j][k]))
    }

    fn bodies(&self, v: &M::V) -> Result<Vec<Body>, Error> {
        let parameters = self.robot.inertial_parameters();
        let inertial = parameters.as_slice().chunks_exact(10);
        let all = M::BODIES.iter().zip(inertial).zip(&self.poses).enumerate();
        all.map(|(k, ((&link, inertial), pose))| {
            let mut body = placed(inertial, pose, M::LINKS[link].name)?;
            for (j, &v) in v.as_slice().iter().enumerate() {
                let screw = self.screw(j, k);
                body.linear += v * screw.at(&body.position);
                body.angular += v * screw.angular;
            }
            Ok(body)
        })
        .collect()
    }

    /// The g of least length with U = −g · Σ m r at q and all q ⊕ e_j.
    fn gravity(&self, bodies: &[Body]) -> Vector3<f64> {
        let (mut normal, mut right) = (Matrix3::zeros(), Vector3::zeros());
        let mut add = |moment: Vector3<f64>, potential: f64| {
            normal += moment * moment.transpose();
            right -= potential * moment;
        };
        let of = |q: &M::Q| -> Vector3<f64> {
            let all = bodies.iter().zip(&self.poses).zip(places(self.robot, q));
            let moment = |((body, from), to): ((&Body, &Pose), Pose)| {
                body.mass * to.point(&(from.rotation.transpose() * (body.position - from.position)))
            };
            all.map(moment).sum()
        };
        add(of(self.q), self.robot.potential_energy(self.q));
        for j in 0..M::NV {
            let q = self.robot.integrate(self.q, &unit::<M>(j, 1.0));
            add(of(&q), self.robot.potential_energy(&q));
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

    /// Adds the joints of all bodies; where the coordinates of the robot's are.
    fn tie(&self, world: &mut World) -> Result<Vec<Place>, Error> {
        let mut places: Vec<Option<Place>> = M::JOINTS.iter().map(|_| None).collect();
        let mut followers = Vec::new();
        for k in 0..M::BODIES.len() {
            let Some(Tie { of, scale, mut joint }) = self.tie_of(k, world.bodies())? else {
                continue;
            };
            if M::JOINTS[of].chart == Chart::Pose {
                places[of] = Some(Place::Free(Box::new(joint)));
                continue;
            }
            let leads = scale == 1.0 && places[of].is_none();
            if leads {
                joint.armature = self.armature(of, world.bodies());
            }
            let place = world.add_joint(joint)?;
            if leads {
                places[of] = Some(Place::Joint(place));
            } else {
                followers.push((place, of, scale));
            }
        }
        for (place, of, ratio) in followers {
            if let Some(Place::Joint(leader)) = places[of] {
                world.add_coupling(Coupling { joints: [place, leader], ratio, offset: 0.0 })?;
            }
        }
        let named = places.into_iter().zip(M::JOINTS).map(|(place, joint)| {
            place.ok_or(Error::Unsupported { what: "joint that moves no body", name: joint.name })
        });
        named.collect()
    }

    /// What the energy at unit velocities has more than that of bodies, twice.
    fn armature(&self, of: usize, bodies: &[Body]) -> [f64; 3] {
        let joint = &M::JOINTS[of];
        let mut armature = [0.0; 3];
        for (j, armature) in (joint.v..joint.v + joint.nv).zip(&mut armature) {
            let screws = bodies.iter().enumerate();
            let energy: f64 = screws.map(|(k, body)| self.screw(j, k).energy(body)).sum();
            let whole = self.robot.kinetic_energy(self.q, &unit::<M>(j, 1.0));
            if whole - energy > NONE * whole {
                *armature = 2.0 * (whole - energy);
            }
        }
        armature
    }

    /// Adds the limits and the dry friction of a joint.
    fn bound(
        &self,
        of: &description::Joint,
        place: &Place,
        world: &mut World,
    ) -> Result<(), Error> {
        let parameters = self.robot.coordinate_parameters();
        let parameters = &parameters[of.v..][..of.nv];
        let Place::Joint(joint) = *place else {
            if parameters.iter().any(|of| of.friction > 0.0) {
                let what = "dry friction of a floating joint";
                return Err(Error::Unsupported { what, name: of.name });
            }
            return Ok(());
        };
        let is_ball = of.chart == Chart::Quaternion;
        for (coordinate, of) in parameters.iter().enumerate() {
            let CoordinateParameters { position: ends, friction, .. } = *of;
            if ends.iter().any(|end| end.is_finite()) {
                world.add_limit(Limit::Range { joint, coordinate, ends })?;
            }
            if friction > 0.0 && is_ball {
                // One bound for all three.
                if coordinate == 0 {
                    world.add_friction(DryFriction { joint, bound: friction })?;
                }
            } else if friction > 0.0 {
                world.add_motor(Motor { joint, coordinate, velocity: 0.0, force: friction })?;
            }
        }
        Ok(())
    }
}

/// The poses of all bodies' links.
fn places<M: Regressor>(robot: &M, q: &M::Q) -> Vec<Pose> {
    let poses = robot.link_poses(q);
    M::BODIES.iter().map(|&link| poses[link]).collect()
}

/// A frame as it is seen from another.
fn seen(from: &Pose, frame: &Pose) -> Pose {
    let turn = from.rotation.transpose();
    Pose { rotation: turn * frame.rotation, position: turn * (frame.position - from.position) }
}

/// What is seen from a frame, in the world.
fn composed(frame: &Pose, seen: &Pose) -> Pose {
    Pose { rotation: frame.rotation * seen.rotation, position: frame.point(&seen.position) }
}

/// A body at rest from its π and its link's pose.
fn placed(inertial: &[f64], pose: &Pose, name: &'static str) -> Result<Body, Error> {
    let &[mass, x, y, z, xx, xy, yy, xz, yz, zz] = inertial else {
        return Err(Error::Unsupported { what: "body without inertial parameters", name });
    };
    // What has no mass is as well at its link's origin.
    let center = Vector3::new(x, y, z) / if mass > 0.0 { mass } else { 1.0 };
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
fn owner<M: Regressor>(j: usize) -> Option<usize> {
    M::JOINTS.iter().position(|joint| (joint.v..joint.v + joint.nv).contains(&j))
}

/// `length` along a velocity coordinate.
fn unit<M: Regressor>(j: usize, length: f64) -> M::V {
    let mut unit = M::V::zeros();
    unit[j] = length;
    unit
}
