//! How far velocities and impulses are from a solution, from the problem's numbers alone.
//!
//! > ‖M u − p − Jᵀ λ‖ by the mass,  ‖w‖ of what holds,  ‖ℓ − P(ℓ − w)‖ of the rest, ℓ = s λ
//!
//! in m/s or rad/s, P being onto the bounds, or the half-line and the disc of Coulomb's law as `cone` has it, and s
//! a mobility: the inverse mass that a row sees without joints.

use nalgebra::Vector6;

use super::problem::{Group, Law, Problem};
use crate::slices::{sqrt, worse};

/// What is left of each kind of equation, in m/s or rad/s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// M (u⁺ − ũ) − h f − Jᵀ Λ, by mass and mean moment of inertia of each body.
    pub momentum: f64,
    /// Joints.
    pub joints: f64,
    /// Limits, motors, dry friction and frictionless contacts.
    pub bounded: f64,
    /// Contacts with friction.
    pub contacts: f64,
}

impl Residual {
    /// The largest; NaN if one is.
    pub fn max(&self) -> f64 {
        [self.joints, self.bounded, self.contacts].into_iter().fold(self.momentum, worse)
    }

    pub(super) fn of(problem: &Problem, velocity: &[Vector6<f64>], impulse: &[f64]) -> Self {
        let mut residual =
            Self { momentum: momentum(problem, velocity, impulse), ..Self::default() };
        for group in &problem.groups {
            let error = of_group(problem, group, velocity, impulse);
            let kind = match group.law {
                Law::Holds => &mut residual.joints,
                Law::Bounded(_) | Law::Ball(_) => &mut residual.bounded,
                Law::Contact(_) => &mut residual.contacts,
            };
            *kind = worse(*kind, error);
        }
        residual
    }
}

/// Σ of the squares of what is left of each group.
pub(super) fn square(problem: &Problem, velocity: &[Vector6<f64>], impulse: &[f64]) -> f64 {
    let of = |group: &Group| of_group(problem, group, velocity, impulse);
    problem.groups.iter().map(|group| of(group) * of(group)).sum()
}

fn momentum(problem: &Problem, velocity: &[Vector6<f64>], impulse: &[f64]) -> f64 {
    let mut error: alloc::vec::Vec<Vector6<f64>> = (problem.mass.iter().zip(velocity))
        .zip(&problem.momentum)
        .map(|((mass, velocity), momentum)| mass * velocity - momentum)
        .collect();
    for (row, &impulse) in impulse.iter().enumerate() {
        problem.add_impulse(row, -impulse, &mut error);
    }
    let by_mass = error.iter().zip(&problem.mass).map(|(error, mass)| {
        let (m, inertia) = inertias(mass);
        let linear = error.fixed_rows::<3>(0).amax() / m;
        worse(linear, error.fixed_rows::<3>(3).amax() / inertia)
    });
    by_mass.fold(0.0, worse)
}

/// Mass and mean moment of inertia; of a point, that of its mass at a metre; of what has no mass, that of a kilogram.
fn inertias(mass: &nalgebra::Matrix6<f64>) -> (f64, f64) {
    let (m, mean) = (mass[(0, 0)], (mass[(3, 3)] + mass[(4, 4)] + mass[(5, 5)]) / 3.0);
    let m = if m > 0.0 { m } else { 1.0 };
    (m, if mean > 0.0 { mean } else { m })
}

/// The inverse mass that a row sees without joints.
pub(super) fn mobility(problem: &Problem, row: usize) -> f64 {
    let parts = problem.row(row).iter().map(|(body, part)| {
        let (m, inertia) = inertias(&problem.mass[*body]);
        part.fixed_rows::<3>(0).norm_squared() / m
            + part.fixed_rows::<3>(3).norm_squared() / inertia
    });
    parts.sum()
}

fn of_group(problem: &Problem, group: &Group, velocity: &[Vector6<f64>], impulse: &[f64]) -> f64 {
    let slack = |row: usize| problem.slack(row, velocity, impulse);
    let rows = group.first..group.first + group.count;
    match group.law {
        Law::Holds => rows.map(|row| slack(row).abs()).fold(0.0, worse),
        Law::Bounded([lower, upper]) => rows
            .map(|row| {
                let s = mobility(problem, row);
                natural(s * impulse[row], slack(row), [s * lower, s * upper]).abs()
            })
            .fold(0.0, worse),
        Law::Ball(radius) => {
            let s = rows.map(|row| mobility(problem, row)).sum::<f64>() / 3.0;
            let l = [0, 1, 2].map(|k| s * impulse[group.first + k]);
            let z = [0, 1, 2].map(|k| l[k] - slack(group.first + k));
            let near = onto_ball(z, s * radius);
            l.iter().zip(near).map(|(l, near)| (l - near).abs()).fold(0.0, worse)
        }
        Law::Contact(friction) => {
            let s = rows.clone().map(|row| mobility(problem, row)).sum::<f64>() / 3.0;
            let [n, p, q] = [0, 1, 2].map(|k| s * impulse[group.first + k]);
            let [w, x, y] = [0, 1, 2].map(|k| slack(group.first + k));
            let [a, b] = onto_disc([p - x, q - y], friction * n.max(0.0));
            let tangent = worse((p - a).abs(), (q - b).abs());
            worse(natural(n, w, [0.0, f64::INFINITY]).abs(), tangent)
        }
    }
}

/// ℓ − P(ℓ − w) between bounds; NaN if ℓ or w is.
fn natural(l: f64, w: f64, [lower, upper]: [f64; 2]) -> f64 {
    let moved = l - w;
    if moved < lower {
        l - lower
    } else if moved > upper {
        l - upper
    } else {
        w
    }
}

/// The nearest point of a disc.
pub(super) fn onto_disc([x, y]: [f64; 2], radius: f64) -> [f64; 2] {
    let length = sqrt(x * x + y * y);
    let share = if length > radius { radius / length } else { 1.0 };
    [share * x, share * y]
}

/// The nearest point of a ball.
pub(super) fn onto_ball(x: [f64; 3], radius: f64) -> [f64; 3] {
    let length = sqrt(x.iter().map(|x| x * x).sum());
    let share = if length > radius { radius / length } else { 1.0 };
    x.map(|x| share * x)
}
