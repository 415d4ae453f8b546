//! Poincaré's return map: from right after one firing of a guard to right after a later one.
//!
//! > P(x) = φ(T(x), x),  DP = (S + f⁺ dt) Φ,  M = S Φ
//!
//! Φ is the derivative of the motion from the first phase to the last transition, through all transitions in between, and
//! S and dt are the saltation matrix and the change of time of the last one. Eigenvalues of the monodromy matrix M of a
//! periodic motion are Floquet's multipliers: one along the motion is 1 if nothing depends on time, and the others are
//! those of DP, of which in turn the one along the motion is zero.
//!
//! # Source
//!
//! Parker, Chua: Practical Numerical Algorithms for Chaotic Systems (1989), chapters 2 and 3; Leine, Nijmeijer: Dynamics
//! and Bifurcations of Non-Smooth Mechanical Systems (2004), chapter 7.

use alloc::vec::Vec;
use nalgebra::{Complex, DMatrix, RowDVector};

use super::flow::Flow;
use super::linear::Linear;
use super::return_error::{ReturnError, ReturnFailure};
use super::setup;
use super::tangent;
use super::variation::Variation;
use super::{Automaton, Error, Event, Hybrid};
use crate::integrate::{self, Phase, Space, Tolerance};

/// The return map of a guard, from phases in one mode.
#[derive(Clone, Debug)]
pub struct ReturnMap<A: Automaton> {
    pub(super) automaton: A,
    pub(super) space: Space,
    mode: A::Mode,
    guard: usize,
    tolerance: Tolerance,
    longest: f64,
    firings: usize,
    pub(super) free: Vec<usize>,
}

/// A motion that has returned.
#[derive(Clone, Debug, PartialEq)]
pub struct Return {
    /// P(x): the phase right after the guard has fired, with its time.
    pub phase: Phase,
    /// T(x), in seconds.
    pub duration: f64,
}

/// A motion that has returned, with its derivatives.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearReturn {
    /// P(x): the phase right after the guard has fired, with its time.
    pub phase: Phase,
    /// T(x), in seconds.
    pub duration: f64,
    /// DP, (n, n) by the coordinates (δ, v, z), n of them.
    pub derivative: DMatrix<f64>,
    /// M, (n, n): the derivative of the motion after the fixed time T.
    pub monodromy: DMatrix<f64>,
    /// ∂T/∂(δ, v, z), (1, n), in seconds.
    pub duration_derivative: RowDVector<f64>,
    /// An estimate of the error of what differences served for among the derivatives of rates, guards and resets on the
    /// way, the largest by 1 + their size, 1e-4 at most; zero where the automaton knows all of them.
    pub error: f64,
    /// Whether rates, guards or resets on the way depend on the time itself, and not on the phase alone.
    pub is_timed: bool,
}

impl LinearReturn {
    /// The eigenvalues of DP, the largest first.
    pub fn eigenvalues(&self) -> Vec<Complex<f64>> {
        eigenvalues(&self.derivative)
    }

    /// Floquet's multipliers, the eigenvalues of M, the largest first.
    pub fn multipliers(&self) -> Vec<Complex<f64>> {
        eigenvalues(&self.monodromy)
    }
}

impl<A: Automaton> ReturnMap<A> {
    /// The map from phases in `mode` to those after `guard` has fired, which must lead to `mode`.
    pub fn new(
        automaton: A,
        space: &Space,
        mode: A::Mode,
        guard: usize,
        tolerance: Tolerance,
    ) -> Self {
        let (space, free) = (space.clone(), Vec::new());
        Self { automaton, space, mode, guard, tolerance, longest: 1e3, firings: 1, free }
    }

    /// With returns at every so manyth firing; each one if not given.
    ///
    /// # Errors
    ///
    /// [`ReturnError::Run`] unless it is one at least.
    pub fn firings(mut self, firings: usize) -> Result<Self, ReturnFailure<A>> {
        integrate::positive("number of firings", firings as f64).map_err(Error::Motion)?;
        self.firings = firings;
        Ok(self)
    }

    /// With returns within so many seconds, a thousand if not given.
    ///
    /// # Errors
    ///
    /// [`ReturnError::Run`] unless they are finite and greater than zero.
    pub fn longest(mut self, seconds: f64) -> Result<Self, ReturnFailure<A>> {
        self.longest = integrate::positive("longest return", seconds).map_err(Error::Motion)?;
        Ok(self)
    }

    /// With coordinates of (δ, v, z) that may differ after a period, such as the place of a walker along its way.
    ///
    /// # Errors
    ///
    /// [`ReturnError::Coordinate`] of one that there is not.
    pub fn free(mut self, coordinates: &[usize]) -> Result<Self, ReturnFailure<A>> {
        let count = tangent::dimension(&self.space);
        if let Some(&coordinate) = coordinates.iter().find(|coordinate| **coordinate >= count) {
            return Err(ReturnError::Coordinate { coordinate, count });
        }
        self.free = coordinates.into();
        Ok(self)
    }

    /// What moves.
    pub fn automaton(&self) -> &A {
        &self.automaton
    }

    /// P(x), without derivatives: Poincaré's map.
    ///
    /// # Errors
    ///
    /// [`ReturnError::Run`], of a phase too that is none of the space or at which the mode cannot begin,
    /// [`ReturnError::NoReturn`] and [`ReturnError::OtherMode`].
    pub fn apply(&mut self, phase: &Phase) -> Result<Return, ReturnFailure<A>> {
        self.check(phase)?;
        self.image(phase)
    }

    /// P(x) with its derivatives.
    ///
    /// # Errors
    ///
    /// Those of [`apply`](Self::apply), and [`ReturnError::Run`] and [`ReturnError::Derivatives`] with a [`LinearError`](super::LinearError) where there
    /// are no derivatives.
    pub fn linearise(&mut self, phase: &Phase) -> Result<LinearReturn, ReturnFailure<A>> {
        self.check(phase)?;
        self.tangent(phase)
    }

    /// # Errors
    ///
    /// [`ReturnError::Run`] of a phase with which no motion of the map begins.
    pub(super) fn check(&mut self, phase: &Phase) -> Result<(), ReturnFailure<A>> {
        phase.check(&self.space).map_err(Error::Motion)?;
        let mut linear = Linear::new(&mut self.automaton, &self.space, false);
        Ok(setup::check(&mut linear, &self.mode, phase)?)
    }

    /// As [`apply`](Self::apply), of a phase that need not be exactly where the mode can begin.
    pub(super) fn image(&mut self, phase: &Phase) -> Result<Return, ReturnFailure<A>> {
        let Course { phase: last, .. } = self.follow(phase, false)?;
        Ok(Return { duration: last.time - phase.time, phase: last })
    }

    /// As [`linearise`](Self::linearise), likewise.
    pub(super) fn tangent(&mut self, phase: &Phase) -> Result<LinearReturn, ReturnFailure<A>> {
        let course = self.follow(phase, true)?;
        let flow = &mut Flow { automaton: &mut self.automaton, mode: &self.mode };
        let rate = tangent::rate(flow, &course.phase);
        Ok(course.into_linear(phase.time, rate))
    }

    /// The motion from a phase to its return.
    fn follow(&mut self, phase: &Phase, is_linear: bool) -> Result<Course, ReturnFailure<A>> {
        phase.check(&self.space).map_err(Error::Motion)?;
        let linear = Linear::new(&mut self.automaton, &self.space, is_linear);
        let Linear { variation, .. } = &linear;
        let (begin, extended) = ((self.mode.clone(), variation.begin(phase)), variation.space());
        let mut motion = Hybrid::<_>::sequel((linear, &extended), begin, self.tolerance, &[])?;
        let (end, mut firings) = (phase.time + self.longest, 0);
        while firings < self.firings {
            firings += match advance(&mut motion, end)? {
                Some(event) => usize::from(event.has_fired(self.guard)),
                None => {
                    let (expected, seconds) = (self.firings, self.longest);
                    return Err(ReturnError::NoReturn { firings, expected, seconds });
                }
            };
        }
        if *motion.mode() != self.mode {
            let (expected, found) = (self.mode.clone(), motion.mode().clone());
            let [expected_name, found_name] =
                [&expected, &found].map(|mode| motion.automaton().mode_name(mode));
            return Err(ReturnError::OtherMode { expected, expected_name, found, found_name });
        }
        let last = motion.phase().clone();
        Ok(Course::of(&motion.into_automaton().variation, &last))
    }
}

/// What a motion came to, with M and ∂T if it was linearised.
struct Course {
    phase: Phase,
    monodromy: DMatrix<f64>,
    time: Vec<f64>,
    error: f64,
    is_timed: bool,
}

impl Course {
    /// What a phase with Φ is.
    fn of(variation: &Variation<'_>, last: &Phase) -> Self {
        let (phase, monodromy, time) = variation.split(last);
        let Variation { error, is_timed, .. } = *variation;
        Self { phase, monodromy, time, error, is_timed }
    }

    /// With ẋ where it came to, of a motion that began at a time.
    fn into_linear(self, start: f64, rate: Vec<f64>) -> LinearReturn {
        let Self { phase, monodromy, time, error, is_timed } = self;
        let duration_derivative = RowDVector::from_vec(time);
        let derivative = &monodromy + DMatrix::from_vec(rate.len(), 1, rate) * &duration_derivative;
        let duration = phase.time - start;
        LinearReturn {
            phase,
            duration,
            derivative,
            monodromy,
            duration_derivative,
            error,
            is_timed,
        }
    }
}

/// Moves on to the next event, with what derivatives are worth.
fn advance<'m, A: Automaton>(
    motion: &'m mut Hybrid<Linear<'_, A>>,
    end: f64,
) -> Result<Option<&'m Event<A::Mode>>, ReturnFailure<A>> {
    let mut judged = Ok(());
    let is_event = motion.advance_observed(end, &mut |linear, mode, stretch| {
        if judged.is_ok() {
            judged = linear.judge(mode, &stretch);
        }
    })?;
    judged.map_err(ReturnError::Derivatives)?;
    Ok(motion.history().events().last().filter(|_| is_event))
}

/// The largest first; those of pairs with the positive imaginary part first.
fn eigenvalues(matrix: &DMatrix<f64>) -> Vec<Complex<f64>> {
    if matrix.is_empty() {
        return Vec::new();
    }
    let mut values: Vec<Complex<f64>> = matrix.complex_eigenvalues().iter().copied().collect();
    let size = |value: &Complex<f64>| libm::hypot(value.re, value.im);
    values.sort_by(|a, b| size(b).total_cmp(&size(a)).then(b.im.total_cmp(&a.im)));
    values
}
