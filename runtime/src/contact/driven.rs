//! What a motor drives into what it touches.

use alloc::vec;
use alloc::vec::Vec;

use super::Conditions;
use super::demand::{Approach, Demand};
use super::limit::motor_place;
use super::stepper::Core;
use crate::model::Robot;
use crate::slices::{dot, larger};

/// An entry of a row, relative to its largest one, that is rounding.
const NOTHING: f64 = 1e-13;

/// By how much a velocity along a normal may be below its target, in m/s.
const SLACK: f64 = 1e-9;

impl Core {
    /// The contact or pair that motors drive into what it touches, in a step of h seconds from (q, v), and the velocity
    /// coordinate of the motor that drives most. Its normal velocity must depend on motors of unbounded force alone: else
    /// something can give way.
    #[cold]
    pub(crate) fn driven_into(
        &self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        (h, conditions): (f64, &Conditions),
    ) -> Option<(&'static str, usize)> {
        let mut wanted = vec![None; robot.nv];
        for &(k, motor) in &conditions.motors {
            let place = motor_place(robot.joints, q, k);
            wanted[k] = place.and_then(|place| motor.insists_on(place, h));
        }
        if wanted.iter().all(Option::is_none) {
            return None;
        }
        let drives = |row: &[f64], demand: Option<(Demand, f64)>| {
            let (demand, softness) = demand?;
            let is_rigid = softness == 0.0 && demand.regularization == 0.0;
            is_rigid.then(|| most_against(row, &wanted, demand.target[0])).flatten()
        };
        let count = 3 * robot.contacts.len();
        let (mut gaps, mut jacobian) =
            (vec![f64::NAN; count / 3], vec![f64::NAN; count * robot.nv]);
        robot.gap_into(q, &mut gaps);
        robot.contact_jacobian_into(q, &mut jacobian);
        for (i, (contact, &gap)) in robot.contacts.iter().zip(&gaps).enumerate() {
            let row: Vec<f64> = jacobian.iter().skip(3 * i).step_by(count).copied().collect();
            let (velocity, restitution) = ([dot(&row, v), 0.0, 0.0], 0.0);
            let approach = Approach { gap, velocity, restitution, step_size: h };
            if let Some(k) = drives(&row, conditions.demand_of_contact(i, &approach)) {
                return Some((contact.name, k));
            }
        }
        let pairs = &self.explicit.pairs;
        pairs.points.iter().enumerate().find_map(|(i, point)| {
            let row = pairs.rows(i).next()?;
            let (velocity, restitution) = ([dot(row, v), 0.0, 0.0], 0.0);
            let approach = Approach { gap: point.touch.gap, velocity, restitution, step_size: h };
            let k = drives(row, conditions.demand_of_rigid(&approach))?;
            point.touch.name_in(&robot).map(|name| (name, k))
        })
    }
}

/// Of a row whose velocity follows from the wanted ones and is below the target, the coordinate with the most negative part.
fn most_against(row: &[f64], wanted: &[Option<f64>], target: f64) -> Option<usize> {
    let size = row.iter().fold(0.0, |most, j| larger(j.abs(), most));
    let mut along = Vec::new();
    for (k, (j, wanted)) in row.iter().zip(wanted).enumerate() {
        match wanted {
            Some(velocity) => along.push((k, j * velocity)),
            None if j.abs() > NOTHING * size => return None,
            None => {}
        }
    }
    let velocity: f64 = along.iter().map(|(_, part)| part).sum();
    let (k, _) = along.into_iter().min_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (velocity < target - SLACK).then_some(k)
}
