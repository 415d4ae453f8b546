//! Almost complementary bases of w − M z − d z₀ = q, d = (1, …, 1).
//!
//! Of every pair (wᵢ, zᵢ) but the missing one, r, exactly one variable is basic, and so is z₀.
//! With α the pairs of which z is basic and ρ = α ∪ {r}, the basic variables of B x = b are
//!
//! > \[M_ρα d_ρ\] (z_α, z₀) = −b_ρ,  wᵢ = bᵢ + Mᵢα z_α + z₀ elsewhere,
//!
//! so that only |α| + 1 equations need an inverse. It is updated from one basis to the next, and made anew
//! from M where what it leaves over says so.

use alloc::vec::Vec;

use crate::lcp::inverse::{Columns, Inverse};
use crate::slices::{columns, combine, copy, largest, subtract, worse, zeros};

/// What a solution leaves over of its equations, relative to its largest term: above the first it is
/// corrected, above the second the inverse is of no use.
const CORRECTED: f64 = 1e-11;
const DRIFTED: f64 = 1e-9;

/// Which variable of a pair is basic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    W,
    Z,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Basis {
    sides: Vec<Side>,
    missing: Option<usize>,
    /// Of \[M_ρα d_ρ\], d being column n; of M_αα if no pair is missing.
    inverse: Inverse,
    solution: Vec<f64>,
    /// u = K⁻¹ M_ρr of the z_r that enters.
    entering: Vec<f64>,
    places: Vec<usize>,
}

impl Basis {
    pub(super) fn with_capacity(n: usize) -> Self {
        Self {
            sides: Vec::with_capacity(n),
            missing: None,
            inverse: Inverse::with_capacity(n),
            solution: Vec::with_capacity(n),
            entering: Vec::with_capacity(n),
            places: Vec::with_capacity(n),
        }
    }

    /// Whether this is a basis of a problem of `n` pairs without z₀.
    pub(super) fn is_complete(&self, n: usize) -> bool {
        self.missing.is_none() && self.sides.len() == n && n > 0
    }

    /// No basis.
    pub(super) fn forget(&mut self) {
        self.sides.clear();
        self.missing = None;
    }

    /// All w and, in the place of the one whose row of \[q | 1\] is lexicographically least, z₀.
    /// Returns that pair.
    pub(super) fn start(&mut self, m: Columns<'_>, q: &[f64]) -> usize {
        self.sides.clear();
        self.sides.resize(q.len(), Side::W);
        let least = (0..q.len()).fold(0, |least, i| if q[i] <= q[least] { i } else { least });
        self.missing = Some(least);
        self.inverse.clear(q.len());
        self.inverse.border(m, least, q.len(), &[]);
        least
    }

    /// From a basis without z₀, of which `x` are the basic variables, to one in which all are as great as z₀ makes
    /// them: z₀ takes the place of the least, after [`cover`](Self::cover). Returns that pair and the complement of what leaves; none if the new basis is singular.
    pub(super) fn restart(&mut self, m: Columns<'_>, x: &[f64]) -> Option<(usize, Side)> {
        let least = (0..x.len()).fold(0, |least, i| if x[i] <= x[least] { i } else { least });
        let artificial = x.len();
        let Self { inverse, entering: u, sides, missing, .. } = self;
        let (pivot, complement) = match sides[least] {
            Side::W => (inverse.border(m, least, artificial, u), Side::Z),
            Side::Z => (inverse.replace_column(least, artificial, u), Side::W),
        };
        *missing = Some(least);
        (pivot != 0.0 && pivot.is_finite()).then_some((least, complement))
    }

    /// Writes B (1, …, 1) to column n of `m`, in the place of d; false if the basis is singular. `x` is room.
    #[must_use]
    pub(super) fn cover(&mut self, m: &mut [f64], x: &mut [f64]) -> bool {
        let n = x.len();
        let (square, cover) = m.split_at_mut(n * n);
        for (i, cover) in cover.iter_mut().enumerate() {
            *cover = if self.sides[i] == Side::W { 1.0 } else { 0.0 };
        }
        let basic = columns(square, n).enumerate().filter(|(j, _)| self.has_z(*j));
        basic.for_each(|(_, column)| subtract(cover, 1.0, column));
        let m = Columns { entries: m, rows: n };
        let cover = m.column(n);
        let is_regular = self.solve(m, |i| -cover[i], x);
        copy(&mut self.entering, &self.solution);
        is_regular
    }

    /// Lets `entering` of the missing pair enter and the basic variable of the pair `leaving`
    /// leave, after [`respond`](Self::respond). Returns the complement of what leaves, which enters next; none if
    /// the new basis is singular.
    pub(super) fn exchange(
        &mut self,
        m: Columns<'_>,
        entering: Side,
        leaving: usize,
    ) -> Option<Side> {
        let missing = self.missing?;
        let left = self.sides[leaving];
        let Self { inverse, entering: u, .. } = self;
        let pivot = match (entering, left) {
            (Side::Z, Side::W) => inverse.border(m, leaving, missing, u),
            (Side::Z, Side::Z) => inverse.replace_column(leaving, missing, u),
            (Side::W, Side::W) => inverse.replace_row(m, missing, leaving),
            (Side::W, Side::Z) => inverse.remove(missing, leaving),
        };
        self.sides[missing] = entering;
        self.missing = Some(leaving);
        let complement = if left == Side::W { Side::Z } else { Side::W };
        (pivot != 0.0 && pivot.is_finite()).then_some(complement)
    }

    /// Lets `entering` of the missing pair enter and z₀ leave, as [`exchange`](Self::exchange) does; nothing if
    /// no pair is missing.
    pub(super) fn complete(&mut self, entering: Side) {
        let Some(missing) = self.missing.take() else { return };
        let artificial = self.sides.len();
        self.sides[missing] = entering;
        match entering {
            Side::Z => self.inverse.replace_column(artificial, missing, &self.entering),
            Side::W => self.inverse.remove(missing, artificial),
        };
    }

    /// Whether zᵢ is basic.
    pub(super) fn has_z(&self, i: usize) -> bool {
        self.missing != Some(i) && self.sides[i] == Side::Z
    }

    /// Writes B⁻¹ a to `y`, for the column a that enters at the missing pair; false if the basis is singular.
    #[must_use]
    pub(super) fn respond(&mut self, m: Columns<'_>, entering: Side, y: &mut [f64]) -> bool {
        let Some(missing) = self.missing else { return false };
        let column = m.column(missing);
        let is_regular = match entering {
            Side::W => self.solve(m, |i| if i == missing { 1.0 } else { 0.0 }, y),
            Side::Z => self.solve(m, |i| -column[i], y),
        };
        copy(&mut self.entering, &self.solution);
        is_regular
    }

    /// Inverts the basis anew; false if it is singular.
    #[must_use]
    pub(super) fn invert(&mut self, m: Columns<'_>) -> bool {
        let Self { sides, missing, inverse, places, .. } = self;
        places.clear();
        places.extend((0..sides.len()).filter(|&i| *missing != Some(i) && sides[i] == Side::Z));
        let columns = places.len();
        places.extend(*missing);
        let artificial = missing.map(|_| sides.len());
        inverse.build(m, places, places[..columns].iter().copied().chain(artificial)) > 0.0
    }

    /// Writes the basic variables of B x = b to `x` (n): at each place the one of its pair, and z₀
    /// at the missing one. False if the basis is singular.
    #[must_use]
    pub(super) fn solve(
        &mut self,
        m: Columns<'_>,
        b: impl Fn(usize) -> f64,
        x: &mut [f64],
    ) -> bool {
        if self.try_solve(m, &b, x) > DRIFTED {
            if !self.invert(m) {
                return false;
            }
            self.try_solve(m, &b, x);
        }
        let Self { inverse, solution, missing, sides, .. } = self;
        for (&j, &value) in inverse.columns().iter().zip(&*solution) {
            let place = if j == sides.len() { *missing } else { Some(j) };
            if let Some(place) = place {
                x[place] = value;
            }
        }
        true
    }

    /// Solves and corrects. What the rows of the inverse leave over in the end stands in `x` there, and
    /// the largest of it at first, relative to the largest number in the solution (one, as in b, at least), is
    /// returned.
    fn try_solve(&mut self, m: Columns<'_>, b: impl Fn(usize) -> f64, x: &mut [f64]) -> f64 {
        let Self { inverse, solution, .. } = self;
        let rows = inverse.rows();
        inverse.add_solution(-1.0, rows.iter().map(|&i| b(i)), zeros(solution, rows.len()));
        let mut drift = 0.0;
        for attempt in 0..2 {
            x.iter_mut().enumerate().for_each(|(i, x)| *x = b(i));
            let scale = worse(largest(solution), 1.0);
            let basic = inverse.columns().iter().zip(&*solution);
            combine(x, basic.map(|(&j, &z)| (z, m.column(j))));
            let left_over = rows.iter().fold(0.0, |most, &i| worse(most, x[i].abs()));
            if attempt == 0 {
                drift = left_over / scale;
            }
            if attempt > 0 || left_over.is_nan() || left_over <= CORRECTED * scale {
                break;
            }
            inverse.add_solution(-1.0, rows.iter().map(|&i| x[i]), solution);
        }
        drift
    }
}
