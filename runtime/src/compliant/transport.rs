//! How fast tangents turn beside what bristles are carried by.
//!
//! A deflection z = z₁ t₁ + z₂ t₂ belongs to no coordinates. On the ground it is carried as the surface carries it; between
//! two bodies it turns about the normal with the mean of their spins, so that both may be turned together, and neither
//! is preferred. Where the tangents turn at the rate α = t₂·ṫ₁ and what carries z at Ω about the normal,
//!
//! > ż₁ = … + (α − Ω) z₂,  ż₂ = … − (α − Ω) z₁
//!
//! α is a difference of the tangents along the motion, right to ten digits of what multiplies a deflection.
//!
//! # Source
//!
//! Luding: Cohesive, frictional powders: contact models for tension, Granular Matter 10 (2008), for the mean of spins.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::Vector3;

use crate::manifold;
use crate::model::{Robot, Table};
use crate::slices::{dot, largest};

/// How far differences reach, in m and rad of the fastest coordinate.
const REACH: f64 = 1e-5;

/// Room for it, and the rates.
#[derive(Clone, Debug)]
pub(super) struct Transport {
    /// α − Ω of each contact, rad/s; of those whose tangents stand still zero.
    rates: Vec<f64>,
    /// Nine numbers for each contact that turns: now, before and after.
    frames: [Vec<f64>; 3],
    columns: Vec<f64>,
    row: Vec<f64>,
    /// Room for a configuration, (nq).
    place: Vec<f64>,
}

impl Transport {
    pub(super) fn new(table: &Table) -> Self {
        let turning = table.contacts.iter().filter(|contact| contact.turns).count();
        let frames = vec![f64::NAN; 9 * turning];
        Self {
            rates: vec![0.0; table.contacts.len()],
            frames: [frames.clone(), frames.clone(), frames],
            columns: vec![f64::NAN; 6 * table.columns.len()],
            row: vec![0.0; table.nv],
            place: vec![0.0; table.nq],
        }
    }

    /// α − Ω of a contact, where it was evaluated.
    #[inline]
    pub(super) fn rate(&self, contact: usize) -> f64 {
        self.rates[contact]
    }

    pub(super) fn evaluate(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64])) {
        let fastest = largest(v);
        // To reach anywhere at a lower speed would take longer than a number can say.
        if self.frames[0].is_empty() || fastest < f64::MIN_POSITIVE {
            self.rates.fill(0.0);
            return;
        }
        let time = REACH / fastest;
        for (frames, time) in self.frames.iter_mut().zip([0.0, -time, time]) {
            self.place.copy_from_slice(q);
            manifold::integrate(robot.joints, v, time, &mut self.place);
            robot.contact_frames_into(&self.place, frames);
        }
        robot.joint_columns_into(q, &mut self.columns);
        let turning = robot.contacts.iter().enumerate().filter(|(_, contact)| contact.turns);
        for (place, (k, contact)) in turning.enumerate() {
            let axis = |frames: &[f64], axis: usize| {
                Vector3::from_column_slice(&frames[9 * place + 3 * axis..][..3])
            };
            let [now, before, after] = &self.frames;
            let change = axis(after, 1) - axis(before, 1);
            let turning = axis(now, 2).dot(&change) / (2.0 * time);
            self.row.fill(0.0);
            if let Some(other) = contact.other {
                for link in [contact.link, other] {
                    let half = 0.5 * axis(now, 0);
                    robot.add_turning_row(&self.columns, link, &half, &mut self.row);
                }
            }
            self.rates[k] = turning - dot(&self.row, v);
        }
    }
}
