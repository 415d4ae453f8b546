//! Derivatives of accelerations and forces in a mode, by the coordinates (δ, v, t).
//!
//! Accelerations and forces leave nothing of the equations of motion and of the rows that hold,
//!
//! > r(x, v̇, λ) = M v̇ + C v − τ_g − τ_p − B u − Gᵀ λ − Fᵀ λ_s = 0,  s(x, v̇) = G v̇ − g = 0
//!
//! with g of v̇ that is asked for, so that these hold along any direction x′ too, with M v̇′ − Gᵀ λ′ − Fᵀ λ_s′ = −r′ and
//! G v̇′ = −s′: the same linear equations as those of v̇ and λ, whose right-hand sides r′ and s′ are at fixed v̇ and λ. These
//! are found by kernels in [dual numbers](super::duals), and are exact. Only a controller is differenced, whose code nobody
//! knows.
//!
//! Rows may depend on one another: S⁺ finds forces for whatever of s′ they can follow, which is all of it along motions that
//! the mode has. Friction of what slides there moves by the share that each has, and has no derivative here.
//!
//! # Source
//!
//! The derivative of an implicit function; for contacts that hold, Budhiraja, Carpentier, Mastalli, Mansard: Differential
//! Dynamic Programming for Multi-Phase Rigid Contact Dynamics (2018), section III.

use alloc::vec;
use alloc::vec::Vec;

use super::driven::Driven;
use super::guard::Guard;
use super::machine::Machine;
use super::mode::{Mode, Touch};
use crate::hybrid::tangent;
use crate::integrate::At;
use crate::model::{Robot, Table};
use crate::slices::{dot, norm};

/// Derivatives by (δ, v, t) at a state in a mode, column by column.
#[derive(Clone, Debug, Default)]
pub(super) struct Slopes {
    /// Of v̇, (nv, 2 nv + 1).
    pub(super) v_dot: Vec<f64>,
    /// Of all forces, (forces, 2 nv + 1).
    pub(super) forces: Vec<f64>,
    /// Of the slips of contacts, (2 contacts, 2 nv + 1).
    pub(super) slips: Vec<f64>,
    /// Of what is left until what slides jams, (2 nv + 1).
    pub(super) freedom: Vec<f64>,
    /// An estimate of the error of what differences served for.
    pub(super) error: f64,
}

impl Slopes {
    /// Zeros of a robot with so many forces.
    pub(super) fn new(table: &Table, forces: usize) -> Self {
        let columns = 2 * table.nv + 1;
        let [v_dot, forces, slips] =
            [table.nv, forces, 2 * table.contacts.len()].map(|rows| vec![0.0; rows * columns]);
        Self { v_dot, forces, slips, freedom: vec![0.0; columns], error: 0.0 }
    }
}

impl Driven<'_> {
    /// Derivatives at a state, if they are known.
    fn slopes(&mut self, mode: &Mode, at: At<'_>) -> Option<&Slopes> {
        let index = self.known(mode, at)?;
        if self.machine.slides(mode) && mode.is_redundant() {
            return None;
        }
        if self.machine.memory.get(index).slopes.is_none() {
            let (inputs, error) = self.input_slopes(at);
            let Self { robot, machine, control } = self;
            machine.see(*robot, at, &mut **control);
            machine.solve(*robot, mode).ok()?;
            let slopes = Slopes { error, ..machine.differentiate(*robot, mode, &inputs)? };
            machine.memory.get_mut(index).slopes = Some(slopes);
        }
        self.machine.memory.get(index).slopes.as_ref()
    }

    /// ∂u/∂(δ, v, t), (nu, 2 nv + 1), and an estimate of its error.
    fn input_slopes(&mut self, at: At<'_>) -> (Vec<f64>, f64) {
        let mut slopes = vec![f64::NAN; self.robot.nu * (2 * self.robot.nv + 1)];
        if self.robot.nu == 0 {
            return (slopes, 0.0);
        }
        let (space, phase) = (&self.machine.resolution.space, tangent::phase(at));
        let error = tangent::by_differences(space, &phase, &mut slopes, &mut |phase, u| {
            self.control.write_input(phase.time, (&phase.q, &phase.v), u);
        });
        (slopes, error)
    }

    /// As [`Automaton::derivatives`](crate::hybrid::Automaton::derivatives).
    pub(super) fn rate_slopes(&mut self, mode: &Mode, at: At<'_>, out: &mut [f64]) -> Option<f64> {
        let Slopes { v_dot, error, .. } = self.slopes(mode, at)?;
        (out.len() == v_dot.len()).then(|| out.copy_from_slice(v_dot))?;
        Some(*error)
    }

    /// As [`Automaton::guard_derivatives`](crate::hybrid::Automaton::guard_derivatives).
    pub(super) fn guard_slopes(
        &mut self,
        (mode, guard): (&Mode, Guard),
        at: At<'_>,
        out: &mut [f64],
    ) -> Option<f64> {
        let is_of_robot = at.q.len() == self.robot.nq && at.v.len() == self.robot.nv;
        if !is_of_robot || out.len() != 2 * self.robot.nv + 1 {
            return None;
        }
        out.fill(0.0);
        match guard {
            Guard::Gap(part) => self.machine.write_normal(self.robot, (part, 1.0), at, out),
            Guard::Rise(part) => self.machine.write_normal(self.robot, (part, -1.0), at, out),
            Guard::Force(part) => {
                let place = self.machine.parts.place(part);
                self.write_force_slopes(mode, at, &[(place, 1.0)], out)
            }
            Guard::Cone(contact) => {
                let index = self.known(mode, at)?;
                let mu = *self.machine.friction.get(contact)?;
                let force = &self.machine.memory.get(index).forces[3 * contact + 1..][..2];
                let size = norm(force);
                let [first, second] = [0, 1].map(|k| (3 * contact + 1 + k, -force[k] / size));
                let weights = [(3 * contact, mu), first, second];
                // Where there is no friction the cone has its tip.
                (size > 0.0).then_some(())?;
                self.write_force_slopes(mode, at, &weights, out)
            }
            Guard::Slip(contact) => {
                let Touch::Slide { along } = *mode.contacts.get(contact)? else { return None };
                let slips = 2 * self.robot.contacts.len();
                let Slopes { slips: slopes, error, .. } = self.slopes(mode, at)?;
                let columns = slopes.chunks_exact(slips).map(|of| &of[2 * contact..][..2]);
                out.iter_mut().zip(columns).for_each(|(out, slip)| *out = dot(slip, &along));
                Some(*error)
            }
            Guard::Jam => {
                let Slopes { freedom, error, .. } = self.slopes(mode, at)?;
                out.copy_from_slice(freedom);
                Some(*error)
            }
            Guard::Hold | Guard::Mark(_) => None,
        }
    }

    /// Writes derivatives of a sum of forces by weights.
    fn write_force_slopes(
        &mut self,
        mode: &Mode,
        at: At<'_>,
        weights: &[(usize, f64)],
        out: &mut [f64],
    ) -> Option<f64> {
        let count = self.machine.forces.len();
        weights.iter().all(|(place, _)| *place < count).then_some(())?;
        let Slopes { forces, error, .. } = self.slopes(mode, at)?;
        for (out, forces) in out.iter_mut().zip(forces.chunks_exact(count)) {
            *out = weights.iter().map(|(place, weight)| weight * forces[*place]).sum();
        }
        Some(*error)
    }
}

impl Machine {
    /// Writes derivatives of ± the gap of a part: those by δ are its normal row.
    fn write_normal(
        &mut self,
        robot: Robot<'_>,
        (part, sign): (usize, f64),
        at: At<'_>,
        out: &mut [f64],
    ) -> Option<f64> {
        self.look(at);
        self.parts.linearise(robot, &self.state.q);
        let mut normal = Vec::with_capacity(self.table.nv);
        self.parts.push_row(part, 0, &mut normal);
        out.iter_mut().zip(&normal).for_each(|(out, entry)| *out = sign * entry);
        (normal.len() == self.table.nv).then_some(0.0)
    }
}
