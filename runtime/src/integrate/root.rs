//! Where a guard first falls through zero.
//!
//! > t* = inf { t : g(t) ≤ 0, and g > 0 right before }
//!
//! On an interval g is sampled at Chebyshev's points, and so g(t) = Σ cₖ Tₖ(x), x from −1 to 1, up to a remainder that is
//! taken to be twice the last two terms. With |Tₖ| ≤ 1 and |Tₖ′| ≤ k²
//!
//! > |g − c₀ − c₁ x| ≤ Σ |cₖ|,  g is monotone where |c₁| > Σ k² |cₖ|,  both sums from k = 2,
//!
//! an interval is without zeros, or has at most one, or is halved, the earlier half first; so is one in which the
//! remainder is a hundredth of the change of g, unless g is so far from zero that it is no more than rounding. So no pair of crossings that the samples show is missed. Where 26
//! halvings, by which a parabola comes down to rounding, decide nothing, g grazes zero. A crossing that is alone is found
//! by the method of interpolation, truncation and projection, which is never much slower than bisection.
//!
//! # Source
//!
//! Trefethen: Approximation Theory and Approximation Practice (2013), chapters 3 and 4; Oliveira, Takahashi: An
//! Enhancement of the Bisection Method Average Performance Preserving Minmax Optimality, ACM Transactions on
//! Mathematical Software 47 (2021).

use super::Error;

/// Degree of the interpolation.
const DEGREE: usize = 8;

/// So many values of a guard are asked for at first, at times that depend on the interval alone.
pub(crate) const SAMPLES: usize = DEGREE + 1;

/// The samples follow a guard whose last two terms are no more of its change than this, or than rounding.
const RESOLVED: f64 = 1e-2;

/// Last terms that are no more of the guard's mean do not take it to zero, whatever they follow: a constant with noise has
/// no others.
const NOISE: f64 = 1e-3;

/// A guard that needs more intervals rattles; of the rest of it no more is known than its samples.
const INTERVALS: u32 = 2000;

/// Halvings after which what is left is rounding.
const HALVINGS: u32 = 26;

/// cos(kπ/8) for k = 0 … 15.
const COSINES: [f64; 2 * DEGREE] = {
    const A: f64 = 0.923_879_532_511_286_7;
    const B: f64 = core::f64::consts::FRAC_1_SQRT_2;
    const C: f64 = 0.382_683_432_365_089_8;
    [1.0, A, B, C, 0.0, -C, -B, -A, -1.0, -A, -B, -C, 0.0, C, B, A]
};

/// A guard's fall through zero.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The last time at which the guard is known to be positive, in seconds.
    pub before: f64,
    /// At most four units in the last place later: it is not positive there, or no more than rounding if it grazes.
    pub after: f64,
    /// How it falls.
    pub kind: CrossingKind,
}

/// How a guard meets zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossingKind {
    /// With a slope.
    Transversal,
    /// So flat that rounding decides whether it does.
    Grazing,
}

/// The first fall of `g` from positive to not positive values between two times, if there is one.
///
/// What is not positive at the beginning must become positive first. A guard that stays within rounding of zero grazes it
/// at once. Nine values and no more are asked for where they show that nothing happens.
///
/// ```
/// use jourdain::integrate::first_crossing;
///
/// // A point that falls one metre.
/// let found = first_crossing(&mut |t| 1.0 - 0.5 * 9.81 * t * t, 0.0, 1.0)?;
/// assert!(found.is_some_and(|crossing| (crossing.after - (2.0f64 / 9.81).sqrt()).abs() < 4e-16));
/// # Ok::<(), jourdain::integrate::Error>(())
/// ```
///
/// # Errors
///
/// [`Error::Guard`] if a value of `g` is NaN or infinite.
pub fn first_crossing(
    g: &mut impl FnMut(f64) -> f64,
    from: f64,
    to: f64,
) -> Result<Option<Crossing>, Error> {
    Search { g, intervals: INTERVALS }.within(from, to, HALVINGS)
}

struct Search<'a, G> {
    g: &'a mut G,
    /// How many more intervals may be looked at.
    intervals: u32,
}

impl<G: FnMut(f64) -> f64> Search<'_, G> {
    fn within(&mut self, from: f64, to: f64, halvings: u32) -> Result<Option<Crossing>, Error> {
        let shape = Shape::sample(self.g, from, to)?;
        if shape.keeps_sign() {
            return Ok(None);
        }
        let is_fall = shape.first > 0.0 && shape.last <= 0.0;
        let is_shortest = to - from <= 4.0 * ulp(from, to);
        if is_fall && (is_shortest || shape.is_monotone()) {
            return narrow(self.g, (from, shape.first), (to, shape.last)).map(Some);
        }
        if is_shortest || shape.is_monotone() {
            return Ok(None);
        }
        self.intervals = self.intervals.saturating_sub(1);
        let is_exhausted = self.intervals == 0;
        if is_exhausted && shape.least.0 > 0.0 {
            return Ok(None);
        }
        if is_exhausted || halvings == 0 {
            return graze(self.g, from, &shape);
        }
        let middle = from + 0.5 * (to - from);
        match self.within(from, middle, halvings - 1)? {
            None => self.within(middle, to, halvings - 1),
            found => Ok(found),
        }
    }
}

/// What nine values say of a function.
struct Shape {
    first: f64,
    last: f64,
    /// The smallest value, and when it is.
    least: (f64, f64),
    /// c₀, c₁.
    line: [f64; 2],
    /// Σ |cₖ| and Σ k² |cₖ| of the others, with what is left out.
    curved: [f64; 2],
    is_resolved: bool,
    is_noise: bool,
}

impl Shape {
    fn sample(g: &mut impl FnMut(f64) -> f64, from: f64, to: f64) -> Result<Self, Error> {
        let (mut values, mut least) = ([0.0; DEGREE + 1], (f64::INFINITY, from));
        for (k, value) in values.iter_mut().enumerate() {
            let time = match k {
                0 => to,
                DEGREE => from,
                _ => from + 0.5 * (1.0 + COSINES[k]) * (to - from),
            };
            *value = valid(g, time)?;
            if *value <= least.0 {
                least = (*value, time);
            }
        }
        let [c0, c1, higher @ ..] = coefficients(&values);
        let tail = 2.0 * (higher[DEGREE - 3].abs() + higher[DEGREE - 2].abs());
        let curved = higher.iter().zip(2u32..).fold([tail, 64.0 * tail], |sums, (c, k)| {
            [sums[0] + c.abs(), sums[1] + f64::from(k * k) * c.abs()]
        });
        let is_resolved = tail <= RESOLVED * (c1.abs() + curved[0]) + 1e-10 * c0.abs();
        let is_noise = tail <= NOISE * c0.abs();
        let (first, last) = (values[DEGREE], values[0]);
        Ok(Self { first, last, least, line: [c0, c1], curved, is_resolved, is_noise })
    }

    fn keeps_sign(&self) -> bool {
        let [c0, c1] = self.line;
        let highest = c0 + c1.abs() + self.curved[0];
        (self.is_resolved || self.is_noise) && (self.lowest() > 0.0 || highest <= 0.0)
    }

    fn lowest(&self) -> f64 {
        let [c0, c1] = self.line;
        c0 - c1.abs() - self.curved[0]
    }

    fn is_monotone(&self) -> bool {
        self.is_resolved && self.line[1].abs() > self.curved[1]
    }
}

/// cₖ of the interpolation at cos(jπ/8), j = 0 … 8.
fn coefficients(values: &[f64; DEGREE + 1]) -> [f64; DEGREE + 1] {
    core::array::from_fn(|k| {
        let inner = values[1..DEGREE].iter().zip(1..);
        let sum: f64 = inner.map(|(value, j)| value * COSINES[j * k % (2 * DEGREE)]).sum();
        let ends = 0.5 * (values[0] + values[DEGREE] * COSINES[DEGREE * k % (2 * DEGREE)]);
        let share = if k == 0 || k == DEGREE { 1.0 } else { 2.0 };
        share * (sum + ends) / DEGREE as f64
    })
}

/// What is undecided in a short interval: a fall by no more than rounding, if the guard is positive before.
fn graze(
    g: &mut impl FnMut(f64) -> f64,
    from: f64,
    shape: &Shape,
) -> Result<Option<Crossing>, Error> {
    let (least, time) = shape.least;
    let kind = CrossingKind::Grazing;
    if shape.first <= 0.0 || shape.lowest() > 0.0 {
        Ok(None)
    } else if least > 0.0 {
        Ok(Some(Crossing { before: time, after: time, kind }))
    } else {
        narrow(g, (from, shape.first), (time, least)).map(|found| Some(Crossing { kind, ..found }))
    }
}

/// A crossing between two times at which signs differ, by interpolation, truncation and projection.
fn narrow(
    g: &mut impl FnMut(f64) -> f64,
    (mut a, mut g_a): (f64, f64),
    (mut b, mut g_b): (f64, f64),
) -> Result<Crossing, Error> {
    let precision = 2.0 * ulp(a, b);
    let truncation = 0.2 / (b - a);
    let mut radius =
        0.5 * precision * libm::exp2(libm::ceil(libm::log2((b - a) / precision)) + 1.0);
    while b - a > 4.0 * ulp(a, b) {
        let middle = a + 0.5 * (b - a);
        let cut = truncation * (b - a) * (b - a);
        let interpolated = a + (b - a) * (g_a / (g_a - g_b));
        let towards = (middle - interpolated).signum();
        let truncated = if cut <= (middle - interpolated).abs() {
            interpolated + towards * cut
        } else {
            middle
        };
        let room = f64::max(radius - 0.5 * (b - a), 0.0);
        let projected =
            if (truncated - middle).abs() <= room { truncated } else { middle - towards * room };
        let time = if a < projected && projected < b { projected } else { middle };
        let value = valid(g, time)?;
        if value > 0.0 {
            (a, g_a) = (time, value);
        } else {
            (b, g_b) = (time, value);
        }
        radius *= 0.5;
    }
    Ok(Crossing { before: a, after: b, kind: CrossingKind::Transversal })
}

fn valid(g: &mut impl FnMut(f64) -> f64, time: f64) -> Result<f64, Error> {
    let value = g(time);
    if value.is_finite() { Ok(value) } else { Err(Error::Guard { time, value }) }
}

/// A unit in the last place of the larger of two times.
pub(crate) fn ulp(a: f64, b: f64) -> f64 {
    let largest = a.abs().max(b.abs());
    largest.next_up() - largest
}
