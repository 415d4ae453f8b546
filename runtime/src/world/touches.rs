//! Where things touched in the last step of a world.

use nalgebra::Vector3;

use super::World;
use super::collide::Meeting;
use crate::contact::ROWS;
use crate::geometry::axes;

/// What a shape of something may touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surroundings<'a> {
    /// A shape of a robot or a body.
    Shape {
        /// Of the robot or the body.
        name: &'a str,
        /// Of the shape or the contact, or `solid k` of a body.
        shape: &'a str,
    },
    /// The ground of the world.
    Ground,
}

/// A point where two things touched, or were near each other, in the last step.
#[derive(Clone, Copy, Debug)]
pub struct WorldContact<'a> {
    /// What the force acts on.
    pub first: Surroundings<'a>,
    /// What its reverse acts on.
    pub second: Surroundings<'a>,
    /// Halfway between both surfaces at the beginning of the step, m.
    pub point: Vector3<f64>,
    /// Normal, towards the first, and tangents: right-handed unit vectors in the world.
    pub axes: [Vector3<f64>; 3],
    /// At the beginning of the step, m; negative where both overlap.
    pub gap: f64,
    /// On the first in axes of the world, N: the mean of the step.
    pub force: Vector3<f64>,
    /// Of torsional friction about the normal on the first, N m.
    pub torsion: f64,
    /// Of rolling resistance on the first in axes of the world, N m.
    pub rolling: Vector3<f64>,
}

/// The same as it is kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touched {
    pub(super) meeting: Meeting,
    /// Along the axes, and about them, N s and N m s.
    pub(super) impulse: [f64; ROWS],
}

impl World {
    /// Where robots and bodies touched each other, what stands still, or the ground of the world in the last step, in an order that
    /// stays. Contacts and pairs of a robot alone are its [own](crate::Simulation::contact_forces). After [`World::remove`] and
    /// [`World::restore`] there are none until the next step.
    pub fn contacts(&self) -> impl Iterator<Item = WorldContact<'_>> {
        self.touched.iter().map(|touched| {
            let Touched { meeting, impulse } = touched;
            let axes = axes(&meeting.touch.normal);
            let [first, second] = meeting.of.map(|of| {
                of.map_or(Surroundings::Ground, |(owner, shape)| {
                    let thing = self.things().get(owner);
                    Surroundings::Shape { name: &thing.name, shape: &thing.shapes[shape].name }
                })
            });
            let [n, x, y] = axes;
            let along = n * impulse[0] + x * impulse[1] + y * impulse[2];
            WorldContact {
                first,
                second,
                point: meeting.touch.point,
                axes,
                gap: meeting.touch.gap,
                force: along / self.step_size,
                torsion: impulse[3] / self.step_size,
                rolling: (x * impulse[4] + y * impulse[5]) / self.step_size,
            }
        })
    }
}
