//! Links whose masses are too far apart for the arithmetic of a step.

use alloc::vec;
use alloc::vec::Vec;

use super::SimulationError;
use super::moving::Core;
use super::turn::turning;
use crate::check;
use crate::model::{Robot, Table};

/// The largest ratio of masses for which steps are exact to their tolerance, 1e-9.
const APART: f64 = 1e6;

impl Core {
    /// The error of a step that was not solved, or not well enough, beside links whose masses are too far apart.
    #[cold]
    pub(super) fn uneven(&self, robot: Robot<'_>) -> Option<SimulationError> {
        let nv = robot.nv;
        let mut mass = vec![f64::NAN; nv * nv];
        robot.mass_matrix_into(&self.state.q, &mut mass);
        let (light, heavy, ratio) = furthest(&robot, mass).filter(|of| of.2 > APART)?;
        let (light, heavy) = (robot.link_of(light)?, robot.link_of(heavy)?);
        Some(SimulationError::Uneven { time: self.state.time, light, heavy, ratio })
    }
}

/// The largest ratio of inertias that meet in M, with the coordinates of the lighter and of the heavier one. Two are compared:
/// the masses M_ii and M_kk that coupled linear coordinates move, and M_kk with its pivot D_k, the inertia that coordinate k moves
/// alone. Moments of inertia of different coordinates are not: those of a trunk and of a finger are far apart in any robot.
fn furthest(table: &Table, mut mass: Vec<f64>) -> Option<(usize, usize, f64)> {
    let nv = table.nv;
    let diagonal: Vec<f64> = mass.iter().step_by(nv + 1).copied().collect();
    let mut most = None;
    let mut note = |light: usize, heavy: usize, ratio: f64| {
        if ratio.is_finite() && most.is_none_or(|(_, _, known)| ratio > known) {
            most = Some((light, heavy, ratio));
        }
    };
    for (i, k) in (0..nv).flat_map(|k| (0..k).map(move |i| (i, k))) {
        if mass[k * nv + i] != 0.0 && !is_angle(table, i) && !is_angle(table, k) {
            note(k, i, diagonal[i] / diagonal[k]);
        }
    }
    check::factor(&mut mass, nv, |k, pivot, heaviest| {
        if let Some(heaviest) = heaviest {
            note(k, heaviest, diagonal[k] / pivot);
        }
        true
    });
    most
}

/// Whether a velocity coordinate is in rad/s.
fn is_angle(table: &Table, v: usize) -> bool {
    table.joints.iter().any(|joint| turning(joint).contains(&v))
}
