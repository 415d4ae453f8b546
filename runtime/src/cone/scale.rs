//! Problems whose numbers are so large or small that squares of them are none.
//!
//! > A' = 2⁻ʲ A,  b' = 2⁻ᵏ b,  w' = 2⁻ᵏ w,  λ' = 2^(j−k) λ
//!
//! with bounds and radii as λ. Powers of two round nothing, so that what is found of one problem is a solution of the other. Lengths
//! are square roots of squares, and pivots products: both are computed with numbers near one, and others take what time
//! it takes to bring them there.

use alloc::vec::Vec;

use super::star::{Each, LANES, Rows, WIDEST};
use super::vector::largest;
use super::view::nearest_zero;
use super::{Block, Matrix, Problem, Settings, Star};
use crate::slices::larger;

/// What needs no scaling: cubes of these, and a square by one of them, times and by that of rounding, are numbers.
const SMALL: f64 = 1e-60;
const LARGE: f64 = 1e60;

/// The powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scale {
    /// Of A, even.
    j: i32,
    /// Of b.
    k: i32,
}

/// A matrix in storage of its own.
enum Entries {
    Delassus(Vec<f64>),
    Factor(Vec<f64>, Vec<f64>),
    Star {
        contacts: usize,
        shared: Vec<[Rows; WIDEST]>,
        weights: [f64; WIDEST],
        own: Vec<[Each; 6]>,
    },
}

/// A problem in storage of its own.
pub(super) struct Scaled {
    matrix: Entries,
    b: Vec<f64>,
    blocks: Vec<Block>,
}

/// Whether a number is zero or one that needs no scaling. NaN and infinity need none: they are refused as they are.
fn is_usual(x: f64) -> bool {
    (SMALL..=LARGE).contains(&x) || x == 0.0 || !x.is_finite()
}

/// The exponent of a positive number, and zero of zero.
fn exponent(x: f64) -> i32 {
    if x > 0.0 && x.is_finite() { libm::ilogb(x) } else { 0 }
}

/// x times a power of two; what is infinite stays so, and nothing else becomes so.
fn by(x: f64, power: i32) -> f64 {
    if x.is_finite() { libm::scalbn(x, power).clamp(-f64::MAX, f64::MAX) } else { x }
}

impl Scale {
    /// What a problem is to be scaled by, if it has to be.
    #[inline]
    pub(super) fn of(problem: &Problem<'_>) -> Option<Self> {
        let (b, a) = (largest(problem.b), size(&problem.matrix, problem.b.len()));
        let bounds = problem.blocks.iter().any(|block| match *block {
            Block::Row { lower, upper } => nearest_zero(lower, upper) != 0.0,
            _ => false,
        });
        if is_usual(b) && is_usual(a) && !bounds {
            return None;
        }
        Self::by_size(problem, (a, b))
    }

    /// The same with the velocities of the least impulses that bounds ask for.
    #[cold]
    fn by_size(problem: &Problem<'_>, (a, mut b): (f64, f64)) -> Option<Self> {
        for block in problem.blocks {
            if let Block::Row { lower, upper } = *block {
                let velocity = a * nearest_zero(lower, upper).abs();
                b = larger(if velocity.is_finite() { velocity } else { 0.0 }, b);
            }
        }
        Self::of_sizes(a, b)
    }

    /// Of a matrix and velocities of these sizes.
    pub(super) fn of_sizes(a: f64, b: f64) -> Option<Self> {
        let scale = Self { j: exponent(a) & !1, k: exponent(b) };
        (!(is_usual(b) && is_usual(a))).then_some(scale)
    }

    /// λ' from λ.
    pub(super) fn impulse(self, x: f64) -> f64 {
        by(x, self.j - self.k)
    }

    /// λ from λ'; infinite where it is too large.
    pub(super) fn impulse_back(self, x: f64) -> f64 {
        libm::scalbn(x, self.k - self.j)
    }

    /// w' from w.
    pub(super) fn velocity(self, x: f64) -> f64 {
        libm::scalbn(x, -self.k)
    }

    /// w from w'.
    pub(super) fn velocity_back(self, x: f64) -> f64 {
        libm::scalbn(x, self.k)
    }

    /// The work of impulses from that of scaled ones.
    pub(super) fn work_back(self, x: f64) -> f64 {
        libm::scalbn(libm::scalbn(x, self.k - self.j), self.k)
    }

    /// An entry of A' from one of A.
    pub(super) fn mobility(self, x: f64) -> f64 {
        libm::scalbn(x, -self.j)
    }

    pub(super) fn settings(self, settings: &Settings) -> Settings {
        let Settings { negligible, aim, .. } = *settings;
        let [negligible, aim] = [negligible, aim].map(|x| by(x, -self.k));
        Settings { negligible, aim: larger(aim, f64::MIN_POSITIVE), ..*settings }
    }

    pub(super) fn blocks(self, blocks: &[Block]) -> Vec<Block> {
        let scaled = |block: &Block| match *block {
            Block::Row { lower, upper } => {
                Block::Row { lower: self.impulse(lower), upper: self.impulse(upper) }
            }
            Block::Ball { radius } => Block::Ball { radius: self.impulse(radius) },
            other => other,
        };
        blocks.iter().map(scaled).collect()
    }

    pub(super) fn problem(self, problem: &Problem<'_>) -> Scaled {
        let all = |x: &[f64], power: i32| x.iter().map(|x| libm::scalbn(*x, power)).collect();
        let matrix = match problem.matrix {
            Matrix::Delassus(entries) => Entries::Delassus(all(entries, -self.j)),
            Matrix::Factor { rows, damping } => {
                Entries::Factor(all(rows, -self.j / 2), all(damping, -self.j))
            }
            Matrix::Star(star) => self.star(&star),
        };
        Scaled { matrix, b: all(problem.b, -self.k), blocks: self.blocks(problem.blocks) }
    }

    /// Of what is shared, Y is brought near one, column by column, and W with it.
    fn star(self, star: &Star<'_>) -> Entries {
        let Star { contacts, shared, weights, own } = *star;
        let (mut shared, mut weights, mut own) = (shared.to_vec(), *weights, own.to_vec());
        for (column, weight) in weights.iter_mut().enumerate() {
            let sizes = shared.iter().map(|four| largest(four[column].as_flattened()));
            let size = sizes.fold(0.0, larger);
            if size > 0.0 {
                let power = exponent(size);
                let entries = shared.iter_mut().flat_map(|four| four[column].as_flattened_mut());
                entries.for_each(|x| *x = libm::scalbn(*x, -power));
                *weight = libm::scalbn(*weight, 2 * power - self.j);
            }
        }
        let entries = own.iter_mut().flat_map(|four| four.as_flattened_mut());
        entries.for_each(|x| *x = libm::scalbn(*x, -self.j));
        Entries::Star { contacts, shared, weights, own }
    }
}

impl Scaled {
    pub(super) fn of<'a>(&'a self, problem: &Problem<'_>) -> Problem<'a> {
        let matrix = match &self.matrix {
            Entries::Delassus(entries) => Matrix::Delassus(entries),
            Entries::Factor(rows, damping) => Matrix::Factor { rows, damping },
            Entries::Star { contacts, shared, weights, own } => {
                Matrix::Star(Star { contacts: *contacts, shared, weights, own })
            }
        };
        Problem { matrix, b: &self.b, blocks: &self.blocks, law: problem.law }
    }
}

/// The size of A: that of its diagonal, or of what it is a product and sum of.
fn size(matrix: &Matrix<'_>, n: usize) -> f64 {
    match *matrix {
        Matrix::Delassus(a) => {
            a.iter().step_by(n + 1).fold(0.0, |most, entry| larger(entry.abs(), most))
        }
        Matrix::Factor { rows, damping } => {
            let most = largest(rows);
            larger(most * most, largest(damping))
        }
        Matrix::Star(star) => star.size(),
    }
}

impl Star<'_> {
    /// The size of A: that of its diagonal, of the first contact in the lanes.
    fn size(&self) -> f64 {
        let Star { shared, weights, own, .. } = *self;
        let mut most = 0.0;
        for (shared, own) in shared.iter().zip(own) {
            for (column, weight) in shared.iter().zip(weights) {
                let entry = (0..3).fold(0.0, |most, axis| larger(column[axis][0].abs(), most));
                most = larger(weight * entry * entry, most);
            }
            most = larger(largest(&own[0][..LANES]), most);
        }
        most
    }
}
