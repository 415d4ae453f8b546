//! Springs and dampers of a description, implicit as far as a step of this length asks for it.
//!
//! The force of a step is that at its beginning, and what it changes until the end:
//!
//! > −k s − d ṡ  becomes  −k s − d ṡ⁺ − e ṡ⁺/h
//!
//! along a line whose length has the rate ṡ = j v. Dampers are implicit at any step. A damper of a coordinate is h d beside
//! M; one between two points is a row of the step's problem,
//!
//! > w = ṡ⁺ − h d ṡ/g + Λ/g = 0,  g = h d + e
//!
//! Springs are symplectic while h² K ≤ M, and keep their energy. A stiffer one gets the excess e = h² k − m, for masses m of
//! lines with Σ m j jᵀ ≤ M. Then h² K ≤ 4 M + 2 Σ e j jᵀ, which is what a step needs to be stable; a spring alone loses all
//! but the share 1/x of its amplitude in each step, x = h √(k/m), and no step makes it alternate for long. With the least
//! share that is stable, ½ (1 − 4/x²), it would alternate undamped.
//!
//! A spring between points has a line along itself, with k and d, and two across with the tension by the length, if it
//! pulls. How lines turn within a step is left out.
//!
//! # Source
//!
//! Derived here. A symmetric pencil λ² (M + E) − λ (2 M + E − h² K) + M has no root outside of the unit circle where
//! h² K ≤ 4 M + 2 E; the masses m are those of ‖A diag(m)‖₁ ≤ 1, A being j M⁻¹ jᵀ of all lines.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::Vector3;

use super::dynamics::Dynamics;
use super::limit::configuration_index;
use super::rows::Rows;
use crate::description::SpringParameters;
use crate::model::Robot;
use crate::slices::{cholesky, dot, sqrt, zeros};

/// Springs and dampers at the beginning of a step.
#[derive(Clone, Debug)]
pub(super) struct Springs {
    /// d of the dampers of each coordinate, (nv); empty where there are none.
    damping: Vec<f64>,
    /// The springs of coordinates, with k.
    at_coordinates: Vec<(usize, f64)>,
    between: Vec<SpringParameters>,
    lines: Vec<Line>,
    /// Of each spring between points Δ and its Jacobian.
    spans: Vec<f64>,
    /// j of the lines between points, (nv) each.
    jacobian: Vec<f64>,
    nv: usize,
    rows: Rows,
    /// A, (lines, lines) column by column.
    a: Vec<f64>,
    masses: Vec<f64>,
}

/// What a spring or damper acts along.
#[derive(Clone, Copy, Debug)]
struct Line {
    along: Along,
    /// k, N/m or N m/rad.
    stiffness: f64,
    /// d, N s/m, of dampers between points.
    damping: f64,
    /// What a spring between points pulls with, N.
    pull: f64,
    /// ṡ at the beginning.
    rate: f64,
    /// e, kg or kg m².
    excess: f64,
}

#[derive(Clone, Copy, Debug)]
enum Along {
    Coordinate(usize),
    /// The place of j among those between points.
    Between(usize),
}

impl Line {
    /// g.
    fn weight(&self, h: f64) -> f64 {
        h * self.damping + self.excess
    }
}

impl Springs {
    pub(super) fn new(robot: Robot<'_>) -> Self {
        let coordinates = robot.coordinate_parameters();
        let springs = coordinates.iter().enumerate().filter(|(v, coordinate)| {
            coordinate.stiffness > 0.0 && configuration_index(robot.joints, *v).is_some()
        });
        let at_coordinates: Vec<_> = springs.map(|(v, of)| (v, of.stiffness)).collect();
        let is_damped = coordinates.iter().any(|coordinate| coordinate.damping != 0.0);
        let damping = coordinates.iter().map(|coordinate| coordinate.damping);
        let between = robot.spring_parameters();
        let lines = at_coordinates.len() + 3 * between.len();
        Self {
            damping: if is_damped { damping.collect() } else { Vec::new() },
            at_coordinates,
            spans: vec![f64::NAN; 3 * (1 + robot.nv) * between.len()],
            jacobian: vec![0.0; 3 * between.len() * robot.nv],
            between,
            lines: Vec::with_capacity(lines),
            nv: robot.nv,
            rows: Rows::default(),
            a: Vec::with_capacity(lines * lines),
            masses: Vec::with_capacity(lines),
        }
    }

    /// d of the dampers of each coordinate, (nv); empty where there are none.
    #[inline(always)]
    pub(super) fn damping(&self) -> &[f64] {
        &self.damping
    }

    /// Whether there are neither springs nor dampers that may be rows.
    #[inline(always)]
    pub(super) fn are_none(&self) -> bool {
        self.at_coordinates.is_empty() && self.between.is_empty()
    }

    /// Takes the lines from where a step begins.
    pub(super) fn evaluate(&mut self, robot: Robot<'_>, (q, v): (&[f64], &[f64])) {
        self.lines.clear();
        self.lines.extend(self.at_coordinates.iter().map(|&(i, stiffness)| Line {
            along: Along::Coordinate(i),
            stiffness,
            damping: 0.0,
            pull: 0.0,
            rate: v[i],
            excess: 0.0,
        }));
        if self.between.is_empty() {
            return;
        }
        robot.spring_spans_into(q, &mut self.spans);
        let nv = self.nv.max(1);
        let spans = self.spans.chunks_exact(3 * (1 + self.nv));
        let rows = self.jacobian.chunks_exact_mut(3 * nv);
        for (k, ((spring, span), rows)) in self.between.iter().zip(spans).zip(rows).enumerate() {
            let (between, columns) = span.split_at(3);
            let (axes, length) = axes(Vector3::from_column_slice(between));
            let pull = spring.stiffness * (length - spring.rest);
            // A spring of no length at rest is as stiff across, wherever its ends are.
            let across = if spring.rest == 0.0 { spring.stiffness } else { pull / length };
            for (i, (axis, row)) in axes.iter().zip(rows.chunks_exact_mut(nv)).enumerate() {
                for (j, column) in row.iter_mut().zip(columns.chunks_exact(3)) {
                    *j = axis.dot(&Vector3::from_column_slice(column));
                }
                let (stiffness, damping, pull) = match i {
                    0 => (spring.stiffness, spring.damping, pull),
                    _ => (across.max(0.0), 0.0, 0.0),
                };
                let (along, rate) = (Along::Between(3 * k + i), dot(row, v));
                self.lines.push(Line { along, stiffness, damping, pull, rate, excess: 0.0 });
            }
        }
    }

    /// Subtracts the force that dampers have at the beginning, where the velocity is v, and those springs between points whose
    /// stiffness and row are said to be too stiff.
    #[inline(always)]
    pub(super) fn take_back(
        &self,
        v: &[f64],
        force: &mut [f64],
        mut is_stiff: impl FnMut(f64, &[f64]) -> bool,
    ) {
        let at_coordinates = force.iter_mut().zip(v).zip(&self.damping);
        at_coordinates.for_each(|((to, v), damping)| *to += damping * v);
        for line in &self.lines {
            if let Along::Between(row) = line.along {
                let row = self.row_between(row);
                let spring = if is_stiff(line.stiffness, row) { line.pull } else { 0.0 };
                let pull = line.damping * line.rate + spring;
                force.iter_mut().zip(row).for_each(|(to, j)| *to += pull * j);
            }
        }
    }

    /// Finds what springs ask for in a step of `h` seconds, with M as it is there.
    #[inline]
    pub(super) fn limit(&mut self, h: f64, dynamics: &mut Dynamics) {
        if self.lines.is_empty() {
            return;
        }
        let mut rows = core::mem::take(&mut self.rows);
        rows.clear(self.nv, self.lines.len());
        for line in &self.lines {
            rows.push(1);
            match line.along {
                Along::Coordinate(v) => dynamics.write_coordinate(v, 1.0, &mut rows),
                Along::Between(row) => {
                    dynamics.write_row(self.row_between(row).iter().copied(), &mut rows);
                }
            }
        }
        dynamics.respond(&mut rows);
        let stiffness = self.lines.iter().enumerate();
        let trace: f64 = stiffness.map(|(i, line)| line.stiffness * rows.compliance(i)).sum();
        if h * h * trace > 1.0 {
            rows.delassus(&mut self.a);
            self.exceed(h);
        }
        self.rows = rows;
    }

    /// The same from A column by column: M⁻¹ of each row.
    pub(super) fn limit_by(&mut self, h: f64, mut column: impl FnMut(&[f64]) -> Vec<f64>) {
        let rows: Vec<Vec<f64>> =
            (0..self.lines.len()).map(|line| self.row(line).collect()).collect();
        self.a.clear();
        for row in &rows {
            let change = column(row);
            self.a.extend(rows.iter().map(|row| dot(row, &change)));
        }
        let n = self.lines.len() + 1;
        let diagonal = self.a.iter().step_by(n);
        let trace: f64 = diagonal.zip(&self.lines).map(|(a, line)| a * line.stiffness).sum();
        if h * h * trace > 1.0 {
            self.exceed(h);
        }
    }

    /// Writes the excess of each line, from A.
    #[cold]
    fn exceed(&mut self, h: f64) {
        if self.are_slow(h) {
            return;
        }
        let n = self.lines.len();
        let of = |i: usize, j: usize| self.a[j * n + i];
        self.masses.clear();
        self.masses.extend((0..n).map(|j| {
            let own = of(j, j);
            let shared = |i: usize| of(i, j).abs() * sqrt(own / of(i, i));
            let active = (0..n).filter(|&i| of(i, i) > 0.0 && self.lines[i].stiffness > 0.0);
            1.0 / active.map(shared).sum::<f64>()
        }));
        for (line, mass) in self.lines.iter_mut().zip(&self.masses) {
            let excess = h * h * line.stiffness - mass;
            // A line along which nothing moves has an infinite mass.
            line.excess = if excess > 0.0 { excess } else { 0.0 };
        }
    }

    /// Whether h² K ≤ M, by whether 1 − h² √k A √k has a Cholesky factor.
    fn are_slow(&mut self, h: f64) -> bool {
        let n = self.lines.len();
        let mut factor = core::mem::take(&mut self.masses);
        zeros(&mut factor, n * n);
        for (j, column) in factor.chunks_exact_mut(n).enumerate() {
            for (i, entry) in column.iter_mut().enumerate() {
                let scale = sqrt(self.lines[i].stiffness * self.lines[j].stiffness);
                *entry = f64::from(u8::from(i == j)) - h * h * scale * self.a[j * n + i];
            }
        }
        let are = cholesky(&mut factor, n).is_ok();
        self.masses = factor;
        are
    }

    /// How many lines there are.
    pub(super) fn lines(&self) -> usize {
        self.lines.len()
    }

    /// The lines that are rows of the step's problem.
    #[inline]
    pub(super) fn acting(&self, h: f64) -> impl Iterator<Item = usize> {
        (0..self.lines.len()).filter(move |&line| self.lines[line].weight(h) > 0.0)
    }

    /// The velocity that a row asks for, and its σ.
    pub(super) fn demand(&self, line: usize, h: f64) -> (f64, f64) {
        let line = &self.lines[line];
        let weight = line.weight(h);
        (h * line.damping * line.rate / weight, 1.0 / weight)
    }

    /// j of a line, (nv).
    pub(super) fn row(&self, line: usize) -> impl Iterator<Item = f64> {
        let (coordinate, between) = match self.lines[line].along {
            Along::Coordinate(v) => (Some(v), &[][..]),
            Along::Between(row) => (None, self.row_between(row)),
        };
        let entry = move |k: usize| match coordinate {
            Some(v) => f64::from(u8::from(k == v)),
            None => between[k],
        };
        (0..self.nv).map(entry)
    }

    fn row_between(&self, row: usize) -> &[f64] {
        &self.jacobian[row * self.nv..][..self.nv]
    }

    /// k of a line, N/m or N m/rad.
    pub(super) fn stiffness(&self, line: usize) -> f64 {
        self.lines[line].stiffness
    }

    /// j times a velocity.
    pub(super) fn velocity(&self, line: usize, v: &[f64]) -> f64 {
        match self.lines[line].along {
            Along::Coordinate(i) => v[i],
            Along::Between(row) => dot(self.row_between(row), v),
        }
    }

    /// With how much each spring between points pulls in the mean of a step with these impulses, in N.
    pub(super) fn tensions(&self, impulses: &[f64], h: f64) -> impl Iterator<Item = f64> {
        let along = (self.at_coordinates.len()..self.lines.len()).step_by(3);
        along.zip(impulses[self.nv..].iter().step_by(3)).map(move |(place, impulse)| {
            let line = &self.lines[place];
            self.pull(place) + line.damping * line.rate - impulse / h
        })
    }

    /// k (l − l₀) of the spring whose line this is along, in N; zero of all other lines.
    pub(super) fn pull(&self, line: usize) -> f64 {
        match self.lines[line].along {
            Along::Between(row) if row.is_multiple_of(3) => {
                let (spring, span) = (&self.between[row / 3], row * (1 + self.nv));
                let length = Vector3::from_column_slice(&self.spans[span..span + 3]).norm();
                spring.stiffness * (length - spring.rest)
            }
            _ => 0.0,
        }
    }

    /// The velocity coordinate that a line is, if it is one.
    pub(super) fn coordinate(&self, line: usize) -> Option<usize> {
        match self.lines[line].along {
            Along::Coordinate(v) => Some(v),
            Along::Between(_) => None,
        }
    }

    /// Where the impulse of a line is kept: those of coordinates come first.
    pub(super) fn place(&self, line: usize) -> usize {
        match self.lines[line].along {
            Along::Coordinate(v) => v,
            Along::Between(row) => self.nv + row,
        }
    }
}

/// A unit vector along Δ and two across, with its length.
fn axes(between: Vector3<f64>) -> ([Vector3<f64>; 3], f64) {
    let length = between.norm();
    let along = if length > 0.0 { between / length } else { Vector3::x() };
    let least = along.iamin();
    let across = along.cross(&Vector3::ith(least, 1.0)).normalize();
    ([along, across, along.cross(&across)], length)
}
