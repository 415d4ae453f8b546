//! What a world did, to be played in a browser.

use alloc::vec::Vec;

use nalgebra::Vector3;

use super::collide::Owner;
use super::shapes::Shape;
use super::{World, WorldError, WorldReport, surface};
use crate::bound::Bound;
use crate::frame::Pose;
use crate::playback::{self, Body, Color, ForceArrow, Plane, Scene, Snapshot};

/// Of what moves, one after the other, and of what stands still.
const COLORS: [Color; 4] = [Color::ORANGE, Color::BLUE, Color::GREEN, Color::CHALK];
const STILL: Color = Color::STEEL;

/// Snapshots of a world at a rate.
///
/// Robots are drawn by their links as [`Scene::film`] has them, bodies by their solids, and forces between them as arrows. What is added
/// while it runs appears then, and what is taken out is gone.
#[derive(Clone, Debug)]
pub struct Film {
    /// Snapshots a second.
    rate: f64,
    due: f64,
    scene: Scene,
    has_forces: bool,
    /// Whose the bodies of the scene are, by ids, and which of each.
    bodies: Vec<(usize, usize)>,
}

impl Film {
    /// Of `rate` snapshots a second at most.
    ///
    /// # Errors
    ///
    /// [`WorldError::Number`] unless it is finite and greater than zero.
    pub fn new(rate: f64) -> Result<Self, WorldError> {
        let rate = surface::check("rate", rate, Bound::Positive)?;
        let due = f64::NEG_INFINITY;
        Ok(Self { rate, due, scene: Scene::default(), has_forces: true, bodies: Vec::new() })
    }

    /// Without arrows for the forces, which hide what they act on where there are many.
    #[must_use]
    pub fn without_forces(mut self) -> Self {
        self.has_forces = false;
        self
    }

    /// What was filmed.
    pub fn scene(self) -> Scene {
        self.scene
    }
}

impl World {
    /// As [`run`](Self::run), with snapshots of the ends of steps.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run); what was filmed before stays.
    pub fn run_filmed(
        &mut self,
        duration: f64,
        film: &mut Film,
    ) -> Result<WorldReport, WorldError> {
        self.run_each(duration, |world| {
            // A due time that rounding has put just behind this one is now.
            if world.time >= film.due - 0.5 * world.step_size {
                world.take(film);
                film.due = film.due.max(world.time - 1.0 / film.rate) + 1.0 / film.rate;
            }
        })
    }

    /// Takes a snapshot of what there is now.
    fn take(&mut self, film: &mut Film) {
        self.movers.iter_mut().for_each(super::Mover::place);
        let missing = Pose { position: Vector3::repeat(f64::NAN), ..Pose::default() };
        let mut poses = alloc::vec![missing; film.bodies.len()];
        for (owner, thing) in self.things().all() {
            if !film.bodies.iter().any(|(id, _)| *id == thing.id) {
                self.introduce(owner, film);
                poses.resize(film.bodies.len(), missing);
            }
            let own = film.bodies.iter().zip(&mut poses).filter(|((id, _), _)| *id == thing.id);
            for ((_, link), pose) in own {
                *pose = match owner {
                    Owner::Moving(place) => self.movers[place].kinematics.link(*link),
                    Owner::Still(_) => Pose::default(),
                };
            }
        }
        let forces = if film.has_forces { self.arrows().collect() } else { Vec::new() };
        film.scene.frames.push(Snapshot { time: self.time, poses, forces });
        if let (Some(ground), true) = (&self.conditions.ground, film.scene.frames.len() == 1) {
            film.scene.heights.extend(ground.heights().cloned());
            let plane = ground.plane_of().map(|(normal, offset)| Plane { normal, offset });
            film.scene.ground.extend(plane);
        }
    }

    /// The forces between what touches, on the second of two that move, and else on the one that does.
    fn arrows(&self) -> impl Iterator<Item = ForceArrow> {
        let arrows = self.touched.iter().zip(self.contacts()).map(|(touched, of)| {
            let is_on_second = matches!(touched.meeting.of[1], Some((Owner::Moving(_), _)));
            let force = if is_on_second { -of.force } else { of.force };
            ForceArrow { point: of.point, force }
        });
        arrows.filter(|of| of.force != Vector3::zeros())
    }

    /// Adds the bodies of something to a film.
    fn introduce(&self, owner: Owner, film: &mut Film) {
        let thing = self.things().get(owner);
        let mut bodies = match owner {
            Owner::Moving(place) => self.movers[place].member.bodies(),
            Owner::Still(_) => alloc::vec![Body::default()],
        };
        for body in &mut bodies {
            body.name = if is_one_body(owner, &thing.shapes) || body.name.is_empty() {
                thing.name.clone()
            } else {
                alloc::format!("{} {}", thing.name, body.name)
            };
        }
        let color = match owner {
            Owner::Moving(place) => COLORS[place % COLORS.len()],
            Owner::Still(_) => STILL,
        };
        for shape in thing.shapes.iter().filter(|shape| shape.is_of_body) {
            let Some(geometry) = playback::geometry(shape.kind, &shape.sizes) else { continue };
            // What stands still has its pose in the world.
            let pose = if let Owner::Still(_) = owner { shape.motion.pose } else { shape.place };
            if let Some(body) = bodies.first_mut() {
                body.shapes.push(playback::Shape { geometry, pose, color });
            }
        }
        film.bodies.extend((0..bodies.len()).map(|link| (thing.id, link)));
        film.scene.bodies.append(&mut bodies);
        for frame in &mut film.scene.frames {
            let missing = Pose { position: Vector3::repeat(f64::NAN), ..Pose::default() };
            frame.poses.resize(film.scene.bodies.len(), missing);
        }
    }
}

/// Whether it is drawn as one body, which has its name.
fn is_one_body(owner: Owner, shapes: &[Shape]) -> bool {
    matches!(owner, Owner::Still(_)) || shapes.iter().any(|shape| shape.is_of_body)
}
