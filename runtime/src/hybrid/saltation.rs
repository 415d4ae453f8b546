//! How a transition maps small changes of the phase.
//!
//! > S = DₓR + (f⁺ − DₓR f⁻ − DₜR) ∇g / ġ,  ġ = ∇g f⁻ + ∂g/∂t
//!
//! is the saltation matrix: with the transition x⁺ = R(t, x⁻) where a guard g(t, x) falls through zero, and rates f⁻ and
//! f⁺ before and after it, a change δx before becomes S δx after it, both at the same time although the transition itself
//! comes at a time that changes by dt = −∇g δx / ġ.
//!
//! # Source
//!
//! Aizerman, Gantmakher: On the stability of periodic motions, Journal of Applied Mathematics and Mechanics 22 (1958);
//! Leine, Nijmeijer: Dynamics and Bifurcations of Non-Smooth Mechanical Systems (2004), chapter 7; Kong, Payne, Zhu,
//! Johnson: Saltation matrices, arXiv 2306.06862 (2023), equation 5.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector, RowDVector};

use super::flow::Flow;
use super::tangent::{self, by_differences, dimension};
use super::{Automaton, LinearError};
use crate::integrate::{Phase, Space};

/// The derivatives of a transition by (δ, v, z), n of them, right before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Saltation {
    /// S, (n, n): of the phase after the transition at a given time.
    pub matrix: DMatrix<f64>,
    /// dt, (1, n): of the time of the transition.
    pub time: RowDVector<f64>,
    /// (n, n): of the phase right after the transition, whenever that is: S + f⁺ dt.
    pub after: DMatrix<f64>,
    /// An estimate of the error of what differences served for among the derivatives of guard and reset, the largest by
    /// 1 + their size; zero where the automaton knows them.
    pub error: f64,
    /// Whether guard or reset depend on the time itself.
    pub(super) is_timed: bool,
}

/// An estimate of error by which differences are those of no smooth function.
pub(super) const NOT_SMOOTH: f64 = 1e-4;

impl Saltation {
    /// Of the transition in which one guard of a mode fires at a phase; with the mode and the phase after it.
    ///
    /// # Errors
    ///
    /// [`LinearError::Phase`] if the phase is none of the space, [`LinearError::Automaton`] if there is no transition,
    /// [`LinearError::Grazing`] if the guard does not fall with a slope, [`LinearError::Discontinuous`] if the mode after
    /// it is another one nearby, and [`LinearError::NotSmooth`] if differences find no derivative of guard or reset.
    pub fn of<A: Automaton>(
        automaton: &mut A,
        space: &Space,
        mode: &A::Mode,
        guard: usize,
        before: &Phase,
    ) -> Result<(Self, A::Mode, Phase), LinearError<A::Error>> {
        before.check(space)?;
        let n = dimension(space);
        let mut after = before.clone();
        let next = automaton.transit(mode, &[guard], &mut after).map_err(LinearError::Automaton)?;
        after.time = before.time;
        after.check(space)?;
        let (reset, of_reset) =
            reset_derivatives(automaton, (mode, space), guard, before, (&next, &after))?;
        let mut slope = RowDVector::zeros(n + 1);
        let flow = &mut Flow { automaton: &mut *automaton, mode };
        let at = (guard, before);
        let of_guard = tangent::guard_derivatives(flow, space, at, slope.as_mut_slice());
        let error = f64::max(of_reset, of_guard);
        if error > NOT_SMOOTH {
            let guard = automaton.guard_name(guard);
            return Err(LinearError::NotSmooth { guard, error, time: before.time });
        }
        let f_before = tangent::rate(flow, before);
        let f_after = tangent::rate(&mut Flow { automaton: &mut *automaton, mode: &next }, &after);
        match Self::assemble((reset, slope), [f_before, f_after], error) {
            Ok(saltation) => Ok((saltation, next, after)),
            Err(fall) => {
                let guard = automaton.guard_name(guard);
                Err(LinearError::Grazing { guard, slope: fall, time: before.time })
            }
        }
    }

    /// From ∂R, (n, n + 1), and ∂g, (1, n + 1), by (δ, v, z, t), and the rates before and after.
    ///
    /// # Errors
    ///
    /// ġ of a guard that does not fall.
    fn assemble(
        (reset, slope): (DMatrix<f64>, RowDVector<f64>),
        rates: [Vec<f64>; 2],
        error: f64,
    ) -> Result<Self, f64> {
        let n = reset.nrows();
        let [f_before, f_after] = rates.map(DVector::from_vec);
        let (by_phase, by_time) = (reset.columns(0, n), reset.column(n));
        let fall = (slope.columns(0, n) * &f_before)[0] + slope[n];
        let is_fall = fall < 0.0;
        if !is_fall {
            return Err(fall);
        }
        let is_timed = slope[n] != 0.0 || by_time.iter().any(|entry| *entry != 0.0);
        let time = slope.columns(0, n) / -fall;
        let moved = by_phase * f_before + by_time;
        let after = by_phase + moved * &time;
        let matrix = &after - f_after * &time;
        Ok(Self { matrix, time, after, error, is_timed })
    }
}

/// ∂(δ⁺, v⁺, z⁺)/∂(δ, v, z, t), (n, n + 1), and an estimate of its error.
fn reset_derivatives<A: Automaton>(
    automaton: &mut A,
    (mode, space): (&A::Mode, &Space),
    guard: usize,
    before: &Phase,
    (next, after): (&A::Mode, &Phase),
) -> Result<(DMatrix<f64>, f64), LinearError<A::Error>> {
    let n = dimension(space);
    let mut derivatives = vec![f64::NAN; n * (n + 1)];
    let known = automaton.reset_derivatives(mode, &[guard], before.at(), &mut derivatives);
    if let Some(error) = known {
        return Ok((DMatrix::from_vec(n, n + 1, derivatives), error));
    }
    derivatives.fill(f64::NAN);
    let mut failure = None;
    let error = by_differences(space, before, &mut derivatives, &mut |phase, out| {
        let mut phase = phase.clone();
        match automaton.transit(mode, &[guard], &mut phase) {
            Ok(other) if other == *next => tangent::difference(space, after, &phase, out),
            Ok(_) => {
                let guard = automaton.guard_name(guard);
                failure = Some(LinearError::Discontinuous { guard, time: before.time });
            }
            Err(reason) => failure = Some(LinearError::Automaton(reason)),
        }
    });
    match failure {
        Some(failure) => Err(failure),
        None => Ok((DMatrix::from_vec(n, n + 1, derivatives), error)),
    }
}
