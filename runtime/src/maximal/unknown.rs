//! The unknowns that rows have in their modes, for `newton`.

use alloc::vec::Vec;

use nalgebra::{Vector3, Vector6};

use super::problem::{Group, Law, Problem};
use super::residual::mobility;
use super::row::merged;
use crate::slices::sqrt;

/// An unknown, with what it does in the rows from `first` on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unknown {
    pub(super) first: usize,
    pub(super) count: usize,
    pub(super) force: [f64; 3],
    pub(super) test: [f64; 3],
    /// d, and ρ x⁻.
    pub(super) scale: f64,
    pub(super) pull: f64,
}

impl Unknown {
    /// Jᵀ of a vector in its rows, body by body.
    pub(super) fn parts(&self, problem: &Problem, of: &[f64; 3]) -> Vec<(usize, Vector6<f64>)> {
        let rows = (0..self.count).filter(|&k| of[k] != 0.0);
        merged(rows.flat_map(|k| {
            problem.row(self.first + k).iter().map(move |(body, part)| (*body, of[k] * part))
        }))
    }

    /// What t J u + d x is.
    pub(super) fn asked(&self, problem: &Problem) -> f64 {
        let targets = problem.target[self.first..].iter().zip(&self.test[..self.count]);
        self.pull + targets.map(|(target, test)| target * test).sum::<f64>()
    }
}

/// A point.
pub(super) struct At<'a> {
    /// ρ by the mobility of a row.
    pub(super) proximal: f64,
    pub(super) problem: &'a Problem,
    pub(super) velocity: &'a [Vector6<f64>],
    pub(super) impulse: &'a [f64],
    pub(super) unknowns: &'a mut Vec<Unknown>,
}

impl At<'_> {
    /// Lists the unknowns of a group, and writes the impulses that are none.
    pub(super) fn list(&mut self, group: &Group, fixed: &mut [f64]) {
        let rows = group.first..group.first + group.count;
        match group.law {
            Law::Holds => rows.for_each(|row| self.single(row)),
            Law::Bounded([lower, upper]) => {
                for row in rows {
                    let s = mobility(self.problem, row);
                    let z = s * self.impulse[row] - self.slack(row);
                    if z <= s * lower {
                        fixed[row] = lower;
                    } else if z >= s * upper {
                        fixed[row] = upper;
                    } else {
                        self.single(row);
                    }
                }
            }
            Law::Contact(friction) => self.contact(group.first, friction),
            Law::Ball(radius) => self.ball(group.first, radius, fixed),
        }
    }

    fn contact(&mut self, first: usize, friction: f64) {
        let s = (0..3).map(|k| mobility(self.problem, first + k)).sum::<f64>() / 3.0;
        let [n, x, y] = [0, 1, 2].map(|k| s * self.impulse[first + k] - self.slack(first + k));
        if n <= 0.0 {
            return;
        }
        let (length, radius) = (sqrt(x * x + y * y), friction * n);
        if length <= radius {
            (first..first + 3).for_each(|row| self.single(row));
            return;
        }
        let (e, g, k) = ([x / length, y / length], [-y / length, x / length], radius / length);
        let [normal, p, q] = [0, 1, 2].map(|k| self.impulse[first + k]);
        let across = g[0] * p + g[1] * q;
        let slides = [1.0, friction * e[0], friction * e[1]];
        self.push(first, (slides, [1.0, 0.0, 0.0]), (s, 0.0), normal);
        let aside = [0.0, g[0], g[1]];
        self.push(first, (aside, aside), (s, s * (1.0 - k) / k), across);
    }

    fn ball(&mut self, first: usize, radius: f64, fixed: &mut [f64]) {
        let s = (0..3).map(|k| mobility(self.problem, first + k)).sum::<f64>() / 3.0;
        let z = [0, 1, 2].map(|k| s * self.impulse[first + k] - self.slack(first + k));
        let z = Vector3::from(z);
        let length = z.norm();
        if length <= s * radius {
            (first..first + 3).for_each(|row| self.single(row));
        } else if radius > 0.0 {
            let e = z / length;
            fixed[first..first + 3].copy_from_slice((radius * e).as_slice());
            let aside = e.cross(&Vector3::ith(e.iamin(), 1.0)).normalize();
            let compliance = s * (length / (s * radius) - 1.0);
            for unit in [aside, e.cross(&aside)] {
                let last = (0..3).map(|k| unit[k] * self.impulse[first + k]).sum();
                self.push(first, (unit.into(), unit.into()), (s, compliance), last);
            }
        }
    }

    fn push(
        &mut self,
        first: usize,
        (force, test): ([f64; 3], [f64; 3]),
        (s, compliance): (f64, f64),
        last: f64,
    ) {
        let scale = compliance + self.proximal * s;
        let pull = self.proximal * s * last;
        self.unknowns.push(Unknown { first, count: 3, force, test, scale, pull });
    }

    fn single(&mut self, row: usize) {
        let proximal = self.proximal * mobility(self.problem, row);
        let scale = proximal + self.problem.softness[row];
        // A row of nothing that is not soft asks for nothing.
        if scale > 0.0 {
            let unit = [1.0, 0.0, 0.0];
            let pull = proximal * self.impulse[row];
            self.unknowns.push(Unknown {
                first: row,
                count: 1,
                force: unit,
                test: unit,
                scale,
                pull,
            });
        }
    }

    fn slack(&self, row: usize) -> f64 {
        self.problem.slack(row, self.velocity, self.impulse)
    }
}
