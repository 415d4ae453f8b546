//! What integration has left of gaps and velocities that are zero in a mode is put right where the mode begins.
//!
//! > min ½ xᵀ M x  with  G x = −h,
//!
//! x being a small motion, or a change of velocity, and h what is left. So the accelerations that decide which mode follows
//! are those that it has, and its guards begin where they are positive, or zero. A change of velocity takes energy, if anything.

use alloc::vec::Vec;

use super::driven::Driven;
use super::machine::Machine;
use super::mode::Mode;
use super::press::Pressed;
use crate::integrate::Phase;
use crate::manifold;
use crate::slices::add;

impl Machine {
    /// Moves a configuration to where the gaps that were measured last are zero in what a mode has closed, and nowhere
    /// negative but of what is let through.
    pub(super) fn put_right(&mut self, mode: &Mode, q: &mut [f64]) {
        let gaps = self.gaps.iter().enumerate();
        let passes: Vec<bool> =
            gaps.clone().map(|(part, _)| self.lets_through(mode, part)).collect();
        let mut closes: Vec<bool> =
            gaps.map(|(part, gap)| mode.is_closed(part) || *gap < 0.0 && !passes[part]).collect();
        while self.find_way_to(&closes) {
            let way = &self.change;
            let ends = |part: usize| self.gaps[part] + self.parts.velocity(part, 0, way);
            let may_pass = |part: &usize| closes[*part] || passes[*part];
            let passed = (0..closes.len()).filter(|part| !may_pass(part) && ends(*part) < 0.0);
            let passed: Vec<usize> = passed.collect();
            if passed.is_empty() {
                return manifold::integrate(self.table.joints, way, 1.0, q);
            }
            passed.into_iter().for_each(|part| closes[part] = true);
        }
    }

    /// Finds the least motion that makes these gaps zero, and the errors of constraints; whether there is one.
    fn find_way_to(&mut self, closes: &[bool]) -> bool {
        let Self { held, parts, gaps, mass, change, .. } = self;
        held.clear(self.table.nv);
        for row in 0..self.table.nc {
            parts.closure.push_row(row, &mut held.rows);
            held.target.push(-parts.closure.error(row).0);
        }
        for (part, gap) in gaps.iter().enumerate().filter(|(part, _)| closes[*part]) {
            parts.push_row(part, 0, &mut held.rows);
            held.target.push(-gap);
        }
        change.fill(0.0);
        // Without friction there is no paradox.
        held.solve(mass, change).is_ok()
    }

    /// Stops what is pressed along its normal, and what does not slip along its tangents too.
    pub(super) fn stop(&mut self, pressed: &[Pressed]) {
        let rows = |(part, pressed): (usize, &Pressed)| match pressed {
            Pressed::Apart => 0,
            Pressed::Still if self.friction.get(part).is_some() => 3,
            Pressed::Still | Pressed::Sliding(_) => 1,
        };
        let rows: Vec<usize> = pressed.iter().enumerate().map(rows).collect();
        self.stop_rows(&rows);
    }

    /// Stops so many rows of each part.
    pub(super) fn stop_rows(&mut self, rows: &[usize]) {
        let Self { held, parts, mass, state, change, .. } = self;
        held.clear(self.table.nv);
        for row in 0..self.table.nc {
            parts.closure.push_row(row, &mut held.rows);
            held.target.push(-parts.closure.error(row).1);
        }
        for (part, rows) in rows.iter().enumerate() {
            for row in 0..*rows {
                parts.push_row(part, row, &mut held.rows);
                held.target.push(-parts.velocity(part, row, &state.v));
            }
        }
        change.fill(0.0);
        if held.solve(mass, change).is_ok() {
            add(&mut state.v, 1.0, change);
        }
    }
}

impl Driven<'_> {
    /// Stops what is pressed where it does not move but for the tolerance.
    pub(super) fn stop(&mut self, pressed: &[Pressed], phase: &mut Phase) {
        let Self { robot, machine, control } = self;
        machine.stop(pressed);
        phase.v.copy_from_slice(&machine.state.v);
        machine.see(*robot, phase.at(), &mut **control);
    }
}
