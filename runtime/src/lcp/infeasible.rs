//! Whether signs and bounds alone leave a problem without a solution.
//!
//! > is there λ in the box with  w = A λ + b  of the signs that are asked for?
//!
//! That is a question about linear inequalities, whatever the class of A: a vector of Farkas answers it where there is
//! none. First each row is asked by itself, then the point of the inequalities that is nearest to zero is looked for, of
//! which the dual active set finds either the point or what contradicts it.
//!
//! A solver asks this where it fails: its own way to a failure proves something for matrices of its class alone.
//!
//! # Source
//!
//! Farkas' lemma; Cottle, Pang, Stone: The Linear Complementarity Problem (1992), section 2.7. Goldfarb, Idnani: A
//! Numerically Stable Dual Method for Solving Strictly Convex Quadratic Programs (1983).

use alloc::vec;
use alloc::vec::Vec;

use super::balanced::Balanced;
use super::boxed::{Problem, is_refuted};
use crate::qp::{self, Hessian};
use crate::slices::{columns, largest};
use crate::watch::Watcher;

/// Entries of a vector of Farkas below this times the largest may be rounding.
const SMALL: f64 = 1e-12;

/// A vector of Farkas of the problem, if there is one and it is found within the watcher's limit.
pub(super) fn proof(problem: &Problem<'_>, watcher: &mut Watcher<'_>) -> Option<Vec<f64>> {
    let mut balanced = Balanced::default();
    balanced.load(problem);
    let mut y =
        by_a_row(&balanced.problem()).or_else(|| by_projection(&balanced.problem(), watcher))?;
    balanced.restore(&mut y);
    Some(y)
}

/// The sign of w that the bounds of an entry ask for, if they ask for one: 1, −1, or 0 for w = 0.
fn sign(problem: &Problem<'_>, i: usize) -> Option<f64> {
    match (problem.lo[i].is_finite(), problem.hi[i].is_finite()) {
        (true, true) => None,
        (true, false) => Some(1.0),
        (false, true) => Some(-1.0),
        (false, false) => Some(0.0),
    }
}

/// A unit vector.
fn by_a_row(problem: &Problem<'_>) -> Option<Vec<f64>> {
    let n = problem.b.len();
    (0..n).find_map(|i| {
        let sign = sign(problem, i)?;
        // Where w is zero, it is neither below nor above.
        let sign = if sign == 0.0 { -problem.b[i].signum() } else { sign };
        let outwards = |j: usize| {
            let slope = sign * problem.a[j * n + i];
            let bound = if slope > 0.0 { problem.hi[j] } else { problem.lo[j] };
            slope != 0.0 && bound.is_infinite()
        };
        if (0..n).any(outwards) {
            return None;
        }
        let mut y = vec![0.0; n];
        y[i] = sign;
        is_refuted(problem, &y).then_some(y)
    })
}

/// By the point nearest to zero that has the right signs.
fn by_projection(problem: &Problem<'_>, watcher: &mut Watcher<'_>) -> Option<Vec<f64>> {
    let n = problem.b.len();
    let of = |asked: bool| {
        let signs = (0..n).filter_map(|i| Some((i, sign(problem, i)?)));
        signs.filter(move |(_, sign)| (*sign != 0.0) == asked)
    };
    let (signed, equal): (Vec<_>, Vec<_>) = (of(true).collect(), of(false).collect());
    let lower = (0..n).filter(|&i| problem.lo[i].is_finite()).map(|i| (i, 1.0));
    let upper = (0..n).filter(|&i| problem.hi[i].is_finite()).map(|i| (i, -1.0));
    let bounded: Vec<(usize, f64)> = lower.chain(upper).collect();
    let bound = |&(i, sense): &(usize, f64)| {
        sense * if sense > 0.0 { problem.lo[i] } else { problem.hi[i] }
    };
    let mut inequalities = Vec::with_capacity(n * (signed.len() + bounded.len()));
    let mut equations = Vec::with_capacity(n * equal.len());
    for (j, column) in columns(problem.a, n).enumerate() {
        inequalities.extend(signed.iter().map(|&(i, sign)| sign * column[i]));
        inequalities.extend(bounded.iter().map(|&(i, sense)| if i == j { sense } else { 0.0 }));
        equations.extend(equal.iter().map(|&(i, _)| column[i]));
    }
    let mut unit = vec![0.0; n * n];
    unit.iter_mut().step_by(n + 1).for_each(|entry| *entry = 1.0);
    let offsets = signed.iter().map(|&(i, sign)| -sign * problem.b[i]);
    let nearest = qp::Problem {
        hessian: Hessian::Cholesky(&unit),
        force: &vec![0.0; n],
        inequalities: &inequalities,
        bounds: &offsets.chain(bounded.iter().map(bound)).collect::<Vec<f64>>(),
        equations: &equations,
        values: &equal.iter().map(|&(i, _)| -problem.b[i]).collect::<Vec<f64>>(),
    };
    let mut workspace = qp::Workspace::default();
    let found = qp::search(&nearest, &mut workspace, watcher);
    let Err(qp::Error::Infeasible { y: along, z, .. }) = found else { return None };
    let mut y = vec![0.0; n];
    signed.iter().zip(&along).for_each(|(&(i, sign), x)| y[i] = sign * x);
    equal.iter().zip(&z).for_each(|(&(i, _), x)| y[i] = *x);
    let small = SMALL * largest(&y);
    y.iter_mut().filter(|y| y.abs() <= small).for_each(|y| *y = 0.0);
    is_refuted(problem, &y).then_some(y)
}
