//! What the numbers of a description must satisfy.

use core::fmt;

/// What a quantity of a description must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// Finite.
    Finite,
    /// Finite and greater than zero.
    Positive,
    /// Finite and at least zero.
    NonNegative,
    /// From 0 to 1.
    Fraction,
    /// Two numbers, the first below the second; infinities are allowed.
    Interval,
    /// Three numbers that are not all zero.
    Direction,
    /// Six numbers ixx, iyy, izz, ixy, ixz, iyz: no principal moment negative, and none above the sum
    /// of the two others. That of a thin rod about itself is zero, and so are all of a point.
    Inertia,
}

impl Bound {
    /// How many numbers it bounds together.
    pub const fn arity(self) -> usize {
        match self {
            Bound::Finite | Bound::Positive | Bound::NonNegative | Bound::Fraction => 1,
            Bound::Interval => 2,
            Bound::Direction => 3,
            Bound::Inertia => 6,
        }
    }

    /// The number to show for a violated bound: of an inertia a principal moment that is negative, or that is more than the
    /// sum of the two others.
    pub(crate) fn violation(self, x: &[f64]) -> Option<f64> {
        let bad = match self {
            Bound::Finite => !x[0].is_finite(),
            Bound::Positive => !(x[0].is_finite() && x[0] > 0.0),
            Bound::NonNegative => !(x[0].is_finite() && x[0] >= 0.0),
            Bound::Fraction => !(0.0..=1.0).contains(&x[0]),
            Bound::Interval => {
                return (x[0].is_nan() || x[1].is_nan() || x[0] >= x[1]).then_some(x[0]);
            }
            Bound::Direction => !x.iter().map(|a| a * a).sum::<f64>().is_normal(),
            Bound::Inertia => return bad_moment(x),
        };
        bad.then_some(x[0])
    }

    /// What is expected in the place of this value: an infinite one is told that it is to be finite.
    pub(crate) fn of(self, value: f64) -> &'static str {
        match self {
            Bound::Finite => "a finite number",
            Bound::Positive if value == f64::INFINITY => "a finite number greater than 0",
            Bound::Positive => "a number greater than 0",
            Bound::NonNegative if value == f64::INFINITY => "a finite number of at least 0",
            Bound::NonNegative => "a number of at least 0",
            Bound::Fraction => "a number from 0 to 1",
            Bound::Interval => "a lower limit below the upper one",
            Bound::Direction => "a direction of non-zero length",
            Bound::Inertia => {
                "principal moments of at least 0, none above the sum of the two others"
            }
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.of(0.0))
    }
}

/// The least principal moment if it is negative, or the largest one if it is above the sum of the two others.
fn bad_moment(x: &[f64]) -> Option<f64> {
    if let Some(&bad) = x.iter().find(|a| !a.is_finite()) {
        return Some(bad);
    }
    let inertia = nalgebra::Matrix3::new(x[0], x[3], x[4], x[3], x[1], x[5], x[4], x[5], x[2]);
    let moments = inertia.symmetric_eigenvalues();
    let (least, sum) = (moments.min(), moments.sum());
    let slack = 0.5 * sum - moments.max();
    if least < -1e-9 * moments.max().abs() {
        Some(least)
    } else if slack < -1e-9 * sum.abs() {
        Some(moments.max())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Bound;

    #[test]
    fn an_infinite_number_is_to_be_finite() {
        let wanted = |bound: Bound| [bound.of(-1.0), bound.of(f64::INFINITY)];
        assert_eq!(
            wanted(Bound::Positive),
            ["a number greater than 0", "a finite number greater than 0"]
        );
        assert_eq!(
            wanted(Bound::NonNegative),
            ["a number of at least 0", "a finite number of at least 0"]
        );
    }

    #[test]
    fn a_moment_that_no_body_has_is_shown() {
        let shown = |moments: [f64; 3]| {
            let [x, y, z] = moments;
            Bound::Inertia.violation(&[x, y, z, 0.0, 0.0, 0.0])
        };
        assert_eq!(shown([1.0, 2.5, 1.0]), Some(2.5));
        assert_eq!(shown([1.0, -0.5, 1.0]), Some(-0.5));
        assert_eq!(shown([1.0, 2.0, 1.0]), None);
    }
}
