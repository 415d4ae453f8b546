//! The contacts of a robot with its ground.
//!
//! A contact is a point or a ball, and a half-space below its plane n · x ≤ d, d = n · x_c − φ for the lowest point x_c
//! of the ball. It touches nothing but that, by the μ and the e of the contact, which are left to the ball alone:
//! √(μ² · 1) = μ. Contacts whose normals turn are rows that the robot says.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Matrix3, Vector3};

use super::{Error, Reading, carrier};
use crate::description::resistance;
use crate::frame::Pose;
use crate::kernels::Regressor;
use crate::maximal::{Body, Shape, Solid, World};

/// Planes that are closer than this, in m at a metre, are one.
const SAME: f64 = 1e-12;

impl<M: Regressor> Reading<'_, M> {
    /// Adds the solids of all contacts.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] for pairs and what resists turning.
    pub(super) fn touch(&self, world: &mut World) -> Result<(), Error> {
        let unsupported = |what, name| Err(Error::Unsupported { what, name });
        if let Some(pair) = M::PAIRS.first() {
            return unsupported("pair", pair.name);
        }
        let (mut points, mut gaps) =
            (vec![0.0; 3 * M::CONTACTS.len()], vec![0.0; M::CONTACTS.len()]);
        self.robot.contact_points_into(self.q, &mut points);
        self.robot.gap_into(self.q, &mut gaps);
        let (points, _) = points.as_chunks::<3>();
        let mut planes: Vec<(Vector3<f64>, f64, usize)> = Vec::new();
        let parameters = self.robot.contact_parameters();
        for (((contact, of), point), gap) in
            M::CONTACTS.iter().zip(&parameters).zip(points).zip(&gaps)
        {
            if let Some(what) = resistance([of.torsion, of.rolling]) {
                return unsupported(what, contact.name);
            }
            if contact.turns {
                continue;
            }
            let Some(body) = carrier::<M>(contact.link) else { continue };
            let lowest = Vector3::from(*point);
            let offset = of.normal.dot(&lowest) - gap;
            let same = |(normal, other, _): &&(Vector3<f64>, f64, usize)| {
                (normal - of.normal).amax() + (other - offset).abs() < SAME * (1.0 + offset.abs())
            };
            let ground = match planes.iter().find(same) {
                Some(&(_, _, solid)) => solid,
                None => {
                    let solid = world.add_solid(half_space(&of.normal, &of.tangents, offset))?;
                    planes.push((of.normal, offset, solid));
                    solid
                }
            };
            let center = lowest + of.radius * of.normal;
            let world_frame = Pose { rotation: Matrix3::identity(), position: center };
            let shape = match of.radius > 0.0 {
                true => Shape::Ball { radius: of.radius },
                false => Shape::Point,
            };
            world.add_solid(Solid {
                body: Some(body),
                frame: world
                    .bodies()
                    .get(body)
                    .map_or(world_frame, |b: &Body| b.local(&world_frame)),
                shape,
                friction: of.friction * of.friction,
                restitution: of.restitution * of.restitution,
                only: Some(ground),
            })?;
        }
        Ok(())
    }
}

fn half_space(normal: &Vector3<f64>, tangents: &[Vector3<f64>; 2], offset: f64) -> Solid {
    let rotation = Matrix3::from_columns(&[tangents[0], tangents[1], *normal]);
    let frame = Pose { rotation, position: offset * normal };
    Solid {
        body: None,
        frame,
        shape: Shape::HalfSpace,
        friction: 1.0,
        restitution: 1.0,
        only: None,
    }
}
