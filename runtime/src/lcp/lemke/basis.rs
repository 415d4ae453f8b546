//! Almost complementary bases of w − M z − d z₀ = q, d = (1, …, 1).
//!
//! Of every pair (wᵢ, zᵢ) but the missing one, r, exactly one variable is basic, and so is z₀.
//! With α the pairs of which z is basic and ρ = α ∪ {r}, the basic variables of B x = b are
//!
//! > \[M_ρα d_ρ\] (z_α, z₀) = −b_ρ,  wᵢ = bᵢ + Mᵢα z_α + z₀ elsewhere,
//!
//! so that only |α| + 1 equations need a factorisation, and it is made from M itself each time.

use alloc::vec::Vec;

use crate::lu::Lu;

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
    /// ρ, with r last; α alone if no pair is missing.
    rows: Vec<usize>,
    lu: Lu,
    solution: Vec<f64>,
}

impl Basis {
    pub(super) fn with_capacity(n: usize) -> Self {
        Self {
            sides: Vec::with_capacity(n),
            missing: None,
            rows: Vec::with_capacity(n),
            lu: Lu::with_capacity(n),
            solution: Vec::with_capacity(n),
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
    pub(super) fn start(&mut self, q: &[f64]) -> usize {
        self.sides.clear();
        self.sides.resize(q.len(), Side::W);
        let least = (0..q.len()).fold(0, |least, i| if q[i] <= q[least] { i } else { least });
        self.missing = Some(least);
        least
    }

    /// Lets `entering` of the missing pair enter and the basic variable of the pair `leaving`
    /// leave. Returns that variable's complement, which enters next.
    pub(super) fn exchange(&mut self, entering: Side, leaving: usize) -> Side {
        self.complete(entering);
        self.missing = Some(leaving);
        match self.sides[leaving] {
            Side::W => Side::Z,
            Side::Z => Side::W,
        }
    }

    /// Lets `entering` of the missing pair enter and z₀ leave; nothing if no pair is missing.
    pub(super) fn complete(&mut self, entering: Side) {
        if let Some(missing) = self.missing.take() {
            self.sides[missing] = entering;
        }
    }

    /// Whether zᵢ is basic.
    pub(super) fn has_z(&self, i: usize) -> bool {
        self.missing != Some(i) && self.sides[i] == Side::Z
    }

    /// Factors the basis; false if it is singular.
    #[must_use]
    pub(super) fn factor(&mut self, m: &[f64]) -> bool {
        let (n, missing) = (self.sides.len(), self.missing);
        let sides = self.sides.iter().enumerate();
        self.rows.clear();
        self.rows.extend(
            sides.filter(|&(i, &side)| side == Side::Z && missing != Some(i)).map(|(i, _)| i),
        );
        let columns = self.rows.len();
        self.rows.extend(missing);
        let (rows, artificial) = (&self.rows, self.rows.len() - columns);
        let body = rows[..columns].iter().flat_map(|&j| rows.iter().map(move |&i| m[j * n + i]));
        let ones = core::iter::repeat_n(1.0, rows.len() * artificial);
        self.lu.factor(rows.len(), body.chain(ones)) > 0.0
    }

    /// Writes the basic variables of B x = b to `x` (n): at each place the one of its pair, and z₀
    /// at the missing one.
    pub(super) fn solve(&mut self, m: &[f64], b: impl Fn(usize) -> f64, x: &mut [f64]) {
        let n = self.sides.len();
        self.solution.clear();
        self.solution.extend(self.rows.iter().map(|&i| -b(i)));
        self.lu.solve(&mut self.solution);
        let artificial = match (self.missing, self.solution.last()) {
            (Some(_), Some(&z0)) => z0,
            _ => 0.0,
        };
        x.iter_mut().enumerate().for_each(|(i, x)| *x = b(i) + artificial);
        for (&j, &z) in self.rows.iter().zip(&self.solution) {
            if self.missing != Some(j) && z != 0.0 {
                x.iter_mut().zip(&m[j * n..]).for_each(|(x, m)| *x += m * z);
            }
        }
        for (&i, &value) in self.rows.iter().zip(&self.solution) {
            x[i] = value;
        }
    }
}
