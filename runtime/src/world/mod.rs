//! Several robots and bodies in one world, which touch each other.
//!
//! A [`World`] holds robots, each with its own type, state, controller and place, free bodies made of solids, and bodies that stand
//! still. What touches is found in each step: all solids of different robots and bodies, and the ground. A robot's own contacts,
//! pairs, limits and motors act as in a [`Simulation`], and what is near nothing else moves bit by bit as it does there. What pushes each other
//! is an island, and is solved as one problem under the law of the world. What is near others and does not push them is solved apart.
//!
//! ```
//! use jourdain::prelude::*;
//! use jourdain::world::Body;
//! use nalgebra::Vector3;
//!
//! let mut world = World::new().ground(Ground::plane(Vector3::z(), 0.0, 1.0, 0.0)?);
//! let cube = Body::cuboid([0.1; 3])?.mass(0.2)?.friction(0.5)?;
//! let lower = world.add_body("lower", &cube, &Pose::at(0.0, 0.0, 0.05))?;
//! let upper = world.add_body("upper", &cube, &Pose::at(0.02, 0.0, 0.16))?;
//! world.run(0.5)?;
//! assert!((world.pose(upper)?.position.z - 0.15).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What touches what
//!
//! - Shapes of a robot, and the points and spheres of its contacts, touch solids of all others. Only those touch each other within a robot
//!   that its description pairs.
//! - Shapes and bodies touch the [ground](World::ground) of the world. Contacts touch that of their description, in the robot's own place.
//! - Each coefficient of friction, restitution, torsional friction and rolling resistance is √(ab) of both solids; with the ground it
//!   is that of the ground.
//! - Pairs that are to pass through each other are [ignored](World::ignore).
//!
//! # Steps
//!
//! All robots take the same steps, under the same law, restitution, margin and recovery, which are the world's; all else that is set on a
//! [`Simulation`] stays its own. Chains of robots with shapes do not move by the leapfrog. What impulses make so fast that it would pass something that was far
//! away is solved again with that. A step either leads all to a state whose residuals are within the tolerance, or returns an error and
//! leaves the world as it was. The same calls give the same bits.

mod body;
mod collide;
mod failure;
mod film;
mod member;
mod saved;
mod setup;
mod shapes;
mod step;
mod surface;
mod touches;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;
use core::sync::atomic::{AtomicU64, Ordering};

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

pub use self::body::{Body, FreeBody};
pub use self::failure::WorldError;
pub use self::film::Film;
pub use self::saved::Snapshot;
pub use self::step::WorldReport;
pub use self::touches::{Surroundings, WorldContact};

use self::collide::{Collider, Identity, Owner, Things};
use self::member::{Controlled, Member};
use self::shapes::{Kinematics, Mover, Shape, Thing};
use crate::clock::Clock;
use crate::contact::{Conditions, Contacts, Coupled, ROWS, TOLERANCE};
use crate::control::Controller;
use crate::frame::Pose;
use crate::model::Model;
use crate::simulate::{Law, Simulation};
use crate::space::Storage;

/// What the rotation of a pose may lack to be one.
const ORTHOGONAL: f64 = 1e-9;

/// A robot of type `M` in a world.
pub struct RobotId<M> {
    id: Id,
    of: PhantomData<fn() -> M>,
}

/// A free body in a world.
pub type BodyId = RobotId<FreeBody>;

/// Anything in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id {
    world: u64,
    number: usize,
}

/// How many worlds there have been.
static WORLDS: AtomicU64 = AtomicU64::new(0);

impl<M> Clone for RobotId<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for RobotId<M> {}

impl<M> PartialEq for RobotId<M> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<M> Eq for RobotId<M> {}

impl<M> Hash for RobotId<M> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl<M> fmt::Debug for RobotId<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.id.fmt(f)
    }
}

impl<M> From<RobotId<M>> for Id {
    fn from(of: RobotId<M>) -> Self {
        of.id
    }
}

/// Robots, bodies and ground that touch each other.
pub struct World {
    /// Which no other world has.
    number: u64,
    /// Whether what overlaps at a start is accepted.
    accepts_overlap: bool,
    movers: Vec<Mover>,
    still: Vec<Thing>,
    /// The next id, and the next number of a shape.
    next: usize,
    next_shape: u32,
    /// Pairs of ids that pass through each other, the lower one first.
    ignored: Vec<(usize, usize)>,
    gravity: Vector3<f64>,
    conditions: Conditions,
    step_size: f64,
    tolerance: f64,
    time: f64,
    clock: Clock,
    collider: Collider,
    coupled: Coupled,
    contacts: Contacts,
    /// The impulses of the last step, in the order of their identities.
    impulses: Vec<(Identity, [f64; ROWS])>,
    /// Those that a pass of a step begins with.
    known: Vec<(Identity, [f64; ROWS])>,
    /// Of each point of a step, the impulse that it begins with, and then that of the step.
    acting: Vec<[f64; ROWS]>,
    /// Where things touched in the last step.
    touched: Vec<touches::Touched>,
    /// The same of the last pass of a step.
    passed: Vec<touches::Touched>,
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// Nothing, with gravity of 9.81 m/s² against z, steps of 1 ms, a tolerance of 1e-9, and Coulomb's law.
    pub fn new() -> Self {
        Self {
            number: WORLDS.fetch_add(1, Ordering::Relaxed),
            accepts_overlap: false,
            movers: Vec::new(),
            still: Vec::new(),
            next: 0,
            next_shape: 0,
            ignored: Vec::new(),
            gravity: Vector3::new(0.0, 0.0, -9.81),
            conditions: Conditions::default(),
            step_size: 1e-3,
            tolerance: TOLERANCE,
            time: 0.0,
            clock: Clock::default(),
            collider: Collider::default(),
            coupled: Coupled::default(),
            contacts: Contacts::default(),
            impulses: Vec::new(),
            known: Vec::new(),
            acting: Vec::new(),
            touched: Vec::new(),
            passed: Vec::new(),
        }
    }

    /// Adds a robot, whose own world has this place in this one. It keeps its state, its motors and whatever else is set on it, but moves
    /// from now on by the steps, the tolerance and the law of the world, and on from its time. Its gravity is that of its description,
    /// which its place turns: what moves must have that of the world, or none.
    ///
    /// # Errors
    ///
    /// [`WorldError::Taken`] of a name, [`WorldError::Pose`], [`WorldError::Gravity`] of another one, [`WorldError::Refused`] of what
    /// the formulation has not, and [`WorldError::Differs`] of a robot with shapes and an [`energy_drift`](Simulation::energy_drift), which
    /// only the leapfrog keeps.
    pub fn add<M: Model + Clone + Send + 'static>(
        &mut self,
        name: impl Into<String>,
        simulation: Simulation<M>,
        place: &Pose,
    ) -> Result<RobotId<M>, WorldError> {
        let name = self.free_name(name.into())?;
        check_pose(place)?;
        let mut member = Controlled::new(simulation);
        if M::NV > 0 {
            self.check_gravity(&name, &member.simulation.model().gravity(), place)?;
        }
        let (core, robot) = member.simulation.parts();
        let shapes = Shape::of_robot(robot, core.at().1);
        let refused = |error| WorldError::Refused { name: name.clone(), error };
        let shapes = shapes.map_err(refused)?;
        if core.limits_drift() && !shapes.is_empty() {
            return Err(WorldError::Differs { name, what: "`energy_drift`" });
        }
        self.put(name, Box::new(member), shapes, place)
    }

    /// Adds a free body at rest whose frame has this pose.
    ///
    /// # Errors
    ///
    /// [`WorldError::Taken`] of a name, [`WorldError::Pose`], and [`WorldError::Refused`] of what resists turning that the formulation has
    /// not.
    pub fn add_body(
        &mut self,
        name: impl Into<String>,
        body: &Body,
        pose: &Pose,
    ) -> Result<BodyId, WorldError> {
        let name = self.free_name(name.into())?;
        check_pose(pose)?;
        let free = body.alone(&self.gravity);
        let report = |error| WorldError::Robot { name: name.clone(), error };
        let simulation = Simulation::new(free).map_err(report)?;
        let simulation = simulation.state(configuration(pose), Storage::zeros()).map_err(report)?;
        let member = Box::new(Controlled::new(simulation));
        let shapes = Shape::of_body(body, pose).map_err(WorldError::Solid)?;
        self.put(name, member, shapes, &Pose::default())
    }

    /// Adds a body that stands still, whose frame has this pose.
    ///
    /// # Errors
    ///
    /// [`WorldError::Taken`] of a name, and [`WorldError::Pose`].
    pub fn fix(
        &mut self,
        name: impl Into<String>,
        body: &Body,
        pose: &Pose,
    ) -> Result<Id, WorldError> {
        let name = self.free_name(name.into())?;
        check_pose(pose)?;
        let shapes = Shape::of_body(body, pose).map_err(WorldError::Solid)?;
        let thing = self.thing(name, shapes);
        let id = self.id(thing.id);
        self.still.push(thing);
        Ok(id)
    }

    /// Takes something out of the world.
    ///
    /// # Errors
    ///
    /// [`WorldError::Unknown`] if it is not there.
    pub fn remove(&mut self, id: impl Into<Id>) -> Result<(), WorldError> {
        let id = id.into();
        match self.place_of(id)? {
            Owner::Moving(place) => drop(self.movers.remove(place)),
            Owner::Still(place) => drop(self.still.remove(place)),
        }
        self.ignored.retain(|pair| pair.0 != id.number && pair.1 != id.number);
        self.touched.clear();
        Ok(())
    }

    /// Lets two things pass through each other from now on.
    ///
    /// # Errors
    ///
    /// [`WorldError::Unknown`] if one is not there.
    pub fn ignore(
        &mut self,
        first: impl Into<Id>,
        second: impl Into<Id>,
    ) -> Result<(), WorldError> {
        let (first, second) = (first.into(), second.into());
        self.place_of(first)?;
        self.place_of(second)?;
        let (first, second) = (first.number, second.number);
        let pair = (first.min(second), first.max(second));
        if let Err(place) = self.ignored.binary_search(&pair) {
            self.ignored.insert(place, pair);
        }
        Ok(())
    }

    /// Has a controller drive a robot, in the place of the one before. It sees that robot's own state.
    ///
    /// # Errors
    ///
    /// [`WorldError::Unknown`] if the robot is not there.
    pub fn control<M: Model + Clone + Send + 'static>(
        &mut self,
        id: RobotId<M>,
        controller: impl Controller<M> + Send + 'static,
    ) -> Result<(), WorldError> {
        self.controlled_mut(id)?.controller = Some(Box::new(controller));
        Ok(())
    }

    /// A robot or a body.
    ///
    /// # Errors
    ///
    /// [`WorldError::Unknown`] if it is not there.
    pub fn robot<M: Model + Clone + Send + 'static>(
        &self,
        id: RobotId<M>,
    ) -> Result<&Simulation<M>, WorldError> {
        let Owner::Moving(place) = self.place_of(id.id)? else { return Err(WorldError::Unknown) };
        let member = self.movers[place].member.as_any().downcast_ref::<Controlled<M>>();
        member.map(|member| &member.simulation).ok_or(WorldError::Unknown)
    }

    /// A robot or a body, to be set on: its state, its motors, wrenches on it. Steps of its own, and another formulation, would make it
    /// differ from its world, which the next step refuses.
    ///
    /// # Errors
    ///
    /// [`WorldError::Unknown`] if it is not there.
    pub fn robot_mut<M: Model + Clone + Send + 'static>(
        &mut self,
        id: RobotId<M>,
    ) -> Result<&mut Simulation<M>, WorldError> {
        Ok(&mut self.controlled_mut(id)?.simulation)
    }

    /// Where the frame of a body is.
    ///
    /// # Errors
    ///
    /// [`WorldError::Unknown`] if it is not there.
    pub fn pose(&self, id: BodyId) -> Result<Pose, WorldError> {
        let q = &self.robot(id)?.current().q;
        let quaternion = nalgebra::Quaternion::new(q[6], q[3], q[4], q[5]);
        let rotation = UnitQuaternion::new_unchecked(quaternion).to_rotation_matrix();
        Ok(Pose { rotation: rotation.into_inner(), position: Vector3::new(q[0], q[1], q[2]) })
    }

    /// The velocity of the origin of a body's frame in m/s, and its angular velocity in rad/s, in axes of the world.
    ///
    /// # Errors
    ///
    /// [`WorldError::Unknown`] if it is not there.
    pub fn velocity(&self, id: BodyId) -> Result<[Vector3<f64>; 2], WorldError> {
        let (v, Pose { rotation, .. }) = (&self.robot(id)?.current().v, self.pose(id)?);
        let [linear, angular] = [0, 3].map(|k| Vector3::new(v[k], v[k + 1], v[k + 2]));
        Ok([rotation * linear, rotation * angular])
    }

    /// Moves a body to a pose, with the velocity of the origin of its frame in m/s and its angular velocity in rad/s, in axes of the world.
    ///
    /// # Errors
    ///
    /// [`WorldError::Unknown`] if it is not there, [`WorldError::Pose`], and [`WorldError::Robot`] unless the velocity is finite.
    pub fn move_body(
        &mut self,
        id: BodyId,
        pose: &Pose,
        [linear, angular]: [Vector3<f64>; 2],
    ) -> Result<(), WorldError> {
        check_pose(pose)?;
        let name = self.things().get(self.place_of(id.id)?).name.clone();
        let [linear, angular] = [linear, angular].map(|x| pose.rotation.tr_mul(&x));
        let v = nalgebra::vector![linear.x, linear.y, linear.z, angular.x, angular.y, angular.z];
        let body = self.robot_mut(id)?;
        let moved = body.reset(configuration(pose), v);
        moved.map_err(|error| WorldError::Robot { name, error })
    }

    /// The ids and names of all robots and bodies. What moves comes first, then what stands still, each in the order of adding.
    pub fn all(&self) -> impl Iterator<Item = (Id, &str)> {
        self.things().all().map(|(_, thing)| (self.id(thing.id), &*thing.name))
    }

    /// The id of the robot or body with this name, if there is one.
    pub fn find(&self, name: &str) -> Option<Id> {
        self.all().find_map(|(id, of)| (of == name).then_some(id))
    }

    /// The name of a robot or a body.
    ///
    /// # Errors
    ///
    /// [`WorldError::Unknown`] if it is not there.
    pub fn name(&self, id: impl Into<Id>) -> Result<&str, WorldError> {
        Ok(&self.things().get(self.place_of(id.into())?).name)
    }

    /// Time in seconds.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// h in seconds.
    pub fn time_step(&self) -> f64 {
        self.step_size
    }

    /// T + U of all robots and bodies in J, without what springs store.
    pub fn energy(&self) -> f64 {
        self.movers.iter().map(|mover| mover.member.energy()).sum()
    }

    fn controlled_mut<M: Model + Clone + Send + 'static>(
        &mut self,
        id: RobotId<M>,
    ) -> Result<&mut Controlled<M>, WorldError> {
        let Owner::Moving(place) = self.place_of(id.id)? else { return Err(WorldError::Unknown) };
        let member = self.movers[place].member.as_any_mut();
        member.downcast_mut().ok_or(WorldError::Unknown)
    }

    fn things(&self) -> Things<'_> {
        Things { movers: &self.movers, still: &self.still }
    }

    fn free_name(&self, name: String) -> Result<String, WorldError> {
        if self.find(&name).is_some() { Err(WorldError::Taken { name }) } else { Ok(name) }
    }

    /// # Errors
    ///
    /// [`WorldError::Gravity`] of one that is not that of the world in this place.
    pub(super) fn check_gravity(
        &self,
        name: &str,
        gravity: &Vector3<f64>,
        place: &Pose,
    ) -> Result<(), WorldError> {
        let found = place.rotation * gravity;
        let allowed = ORTHOGONAL * self.gravity.norm();
        if found == Vector3::zeros() || (found - self.gravity).norm() <= allowed {
            return Ok(());
        }
        let (found, expected) = (found.into(), self.gravity.into());
        Err(WorldError::Gravity { name: name.into(), found, expected })
    }

    /// By what something moves.
    fn law_of(&self, thing: &Thing) -> Law<'_> {
        Law {
            time: self.time,
            step_size: self.step_size,
            tolerance: self.tolerance,
            accepts_overlap: self.accepts_overlap,
            is_touched: !thing.shapes.is_empty(),
            conditions: &self.conditions,
        }
    }

    fn put<M>(
        &mut self,
        name: String,
        mut member: Box<dyn Member>,
        mut shapes: Vec<Shape>,
        place: &Pose,
    ) -> Result<RobotId<M>, WorldError> {
        let table = member.core().table();
        for shape in &mut shapes {
            shape.moves = table.supports.get(shape.link).is_some_and(|by| !by.is_empty());
        }
        let kinematics = Kinematics::new(table, *place);
        let thing = self.thing(name, shapes);
        member.enter(self.law_of(&thing));
        let id = self.id(thing.id);
        let numbers = member.numbers().to_vec();
        let (began, alone) = (None, None);
        self.movers.push(Mover { thing, member, kinematics, numbers, began, alone });
        Ok(RobotId { id, of: PhantomData })
    }

    fn thing(&mut self, name: String, mut shapes: Vec<Shape>) -> Thing {
        for shape in &mut shapes {
            shape.number = self.next_shape;
            self.next_shape += 1;
        }
        let id = self.next;
        self.next += 1;
        let resistance = shapes.iter().find_map(|shape| shape.surface.resistance());
        Thing { id, name, shapes, resistance }
    }

    fn id(&self, number: usize) -> Id {
        Id { world: self.number, number }
    }

    /// Where something is. Ids ascend.
    fn place_of(&self, Id { world, number: id }: Id) -> Result<Owner, WorldError> {
        if world != self.number {
            return Err(WorldError::Unknown);
        }
        if let Ok(place) = self.movers.binary_search_by_key(&id, |mover| mover.thing.id) {
            return Ok(Owner::Moving(place));
        }
        let place = self.still.binary_search_by_key(&id, |thing| thing.id);
        place.map(Owner::Still).map_err(|_| WorldError::Unknown)
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.all().map(|(_, name)| name).collect();
        f.debug_struct("World").field("time", &self.time).field("names", &names).finish()
    }
}

/// x ↦ a(b(x)).
fn product(a: &Pose, b: &Pose) -> Pose {
    Pose { rotation: a.rotation * b.rotation, position: a.point(&b.position) }
}

/// # Errors
///
/// [`WorldError::Pose`] unless it is finite and its matrix a rotation.
fn check_pose(pose: &Pose) -> Result<(), WorldError> {
    let square = pose.rotation.transpose() * pose.rotation;
    let is_rotation = (square - Matrix3::identity()).amax() <= ORTHOGONAL
        && pose.rotation.determinant() > 0.0
        && pose.position.iter().all(|x| x.is_finite());
    if is_rotation { Ok(()) } else { Err(WorldError::Pose) }
}

/// Of a floating joint at this pose.
fn configuration(pose: &Pose) -> nalgebra::SVector<f64, 7> {
    let rotation = nalgebra::Rotation3::from_matrix_unchecked(pose.rotation);
    let turned = UnitQuaternion::from_rotation_matrix(&rotation);
    let (p, q) = (pose.position, turned.coords);
    nalgebra::vector![p.x, p.y, p.z, q.x, q.y, q.z, q.w]
}
