//! The matrix of what is shared, in blocks of three.
//!
//! > [A B; C D] [x; y] = [f; g],  T = A⁻¹ B,  S = D − C T
//! > z = A⁻¹ f,  y = S⁻¹ (g − C z),  x = z − T y
//!
//! Of a symmetric matrix, C z is Tᵀ f and need not wait for z.
//!
//! The two blocks are inverted by cofactors. What takes time in a system as small as this is that one operation waits for
//! another: so there are two divisions one after the other, where an elimination has six. With the factors a further right
//! side takes four products, of which three wait for others; of a symmetric matrix only two do. Determinants lose all digits
//! that pivots lose together: where a few contacts stick that have nothing of their own, and some directions are as much
//! stiffer as their proximal term is small, the elimination is taken. Where contacts slide and are redundant but for what gives way,
//! its pivots may be small in any order, and full pivoting is taken.
//!
//! Source: Golub, Van Loan: Matrix Computations (4th edition), sections 3.2 and 3.4; Higham: Accuracy and Stability of
//! Numerical Algorithms (2nd edition), sections 13.2 and 14.4.

use nalgebra::{SMatrix, SVector};

use super::super::elimination::TRUSTED;
use super::super::jordan;
use super::lanes::{LANES, Shared, WIDEST};
use super::quads::Each;
use super::threes::{
    Block, Symmetric, Vector, full, invert, invert_symmetric, less, product, subtract, times,
    transposed,
};
use crate::kernel::{Computation, Real, compute_with};
use crate::slices::{larger, sqrt};

/// A matrix of those, column by column, each filled up to two registers.
pub(super) type Columns = [[Each; 2]; WIDEST];

/// How a matrix is factored.
#[derive(Clone, Debug)]
pub(super) enum Factors {
    /// A⁻¹, T, C and S⁻¹.
    Blocks([Block; 4]),
    /// A⁻¹, T and S⁻¹ of a symmetric matrix.
    Symmetric(Symmetric, Block, Symmetric),
    /// The matrix itself, column by column, to be eliminated with each right side.
    Whole([Shared; WIDEST]),
}

impl Factors {
    /// Those of a matrix: blocks where the determinants of A and S, and their product, are more than [`TRUSTED`] of those of
    /// the diagonal entries of A and D.
    #[inline(always)]
    pub(super) fn new<A: Real>(matrix: &Columns) -> Self {
        let block = |rows: usize, columns: usize| -> Block {
            let entry =
                |i: usize, k: usize| matrix[columns + k][(rows + i) / LANES][(rows + i) % LANES];
            let row = |i: usize| [entry(i, 0), entry(i, 1), entry(i, 2)];
            [row(0), row(1), row(2)]
        };
        let [a, b, c, d] = [block(0, 0), block(0, 3), block(3, 0), block(3, 3)];
        let (inverse, first) = invert::<A>(&a);
        let turned = product::<A>(&inverse, &b);
        let mut rest = d;
        for i in 0..3 {
            for k in 0..3 {
                let column = [turned[0][k], turned[1][k], turned[2][k]];
                rest[i][k] = subtract::<A>(d[i][k], &c[i], &column);
            }
        }
        let (inverse_rest, second) = invert::<A>(&rest);
        let size = |of: &Block| (of[0][0] * of[1][1] * of[2][2]).abs();
        if are_trusted([first, second], [size(&a), size(&d)]) {
            Self::Blocks([inverse, turned, c, inverse_rest])
        } else {
            Self::Whole(matrix.map(|[[a, b, c, d], [e, f, ..]]| [a, b, c, d, e, f]))
        }
    }

    /// Those of a symmetric matrix.
    #[inline(always)]
    pub(super) fn of_symmetric<A: Real>(matrix: &[Shared; WIDEST]) -> Self {
        let block = |columns: usize| -> Symmetric {
            let entry = |i: usize, k: usize| matrix[columns + k][columns + i];
            [entry(0, 0), entry(1, 0), entry(2, 0), entry(1, 1), entry(2, 1), entry(2, 2)]
        };
        let (a, d) = (block(0), block(3));
        let row = |i: usize| [matrix[i][3], matrix[i][4], matrix[i][5]];
        let b = [row(0), row(1), row(2)];
        let (inverse, first) = invert_symmetric::<A>(&a);
        let turned = product::<A>(&full(&inverse), &b);
        let [x, y, z] = transposed(&b);
        let [by_x, by_y, by_z] = transposed(&turned);
        let rest = [
            subtract::<A>(d[0], &x, &by_x),
            subtract::<A>(d[1], &x, &by_y),
            subtract::<A>(d[2], &x, &by_z),
            subtract::<A>(d[3], &y, &by_y),
            subtract::<A>(d[4], &y, &by_z),
            subtract::<A>(d[5], &z, &by_z),
        ];
        let (inverse_rest, second) = invert_symmetric::<A>(&rest);
        let size = |of: &Symmetric| (of[0] * of[3] * of[5]).abs();
        if are_trusted([first, second], [size(&a), size(&d)]) {
            Self::Symmetric(inverse, turned, inverse_rest)
        } else {
            Self::Whole(*matrix)
        }
    }

    /// The solution, unless a pivot is not to be trusted.
    #[inline(always)]
    pub(super) fn solve<A: Real>(&self, right: &Shared) -> Option<Shared> {
        match self {
            Self::Blocks([inverse, turned, c, rest]) => {
                let [f, g] = halves(right);
                let z = times::<A>(inverse, &f);
                let y = times::<A>(rest, &less::<A>(&g, c, &z));
                Some(joined(less::<A>(&z, turned, &y), y))
            }
            Self::Symmetric(inverse, turned, rest) => {
                let [f, g] = halves(right);
                let z = times::<A>(&full(inverse), &f);
                let y = times::<A>(&full(rest), &less::<A>(&g, &transposed(turned), &f));
                Some(joined(less::<A>(&z, turned, &y), y))
            }
            Self::Whole(matrix) => compute_with::<A, _>(Eliminated { matrix, right: *right }),
        }
    }
}

/// Whether determinants are so by these sizes. What the first block loses the second one loses again, whatever the signs of
/// unsymmetric problems are.
#[inline(always)]
fn are_trusted([first, second]: [f64; 2], [size, second_size]: [f64; 2]) -> bool {
    (first.abs() > TRUSTED * size)
        & (second.abs() > TRUSTED * second_size)
        & ((first * second).abs() > TRUSTED * (size * second_size))
}

#[inline(always)]
fn halves(&[a, b, c, d, e, f]: &Shared) -> [Vector; 2] {
    [[a, b, c], [d, e, f]]
}

#[inline(always)]
fn joined([a, b, c]: Vector, [d, e, f]: Vector) -> Shared {
    [a, b, c, d, e, f]
}

/// A system that is solved by elimination.
struct Eliminated<'a> {
    matrix: &'a [Shared; WIDEST],
    right: Shared,
}

impl Computation for Eliminated<'_> {
    type Output = Option<Shared>;

    #[inline(always)]
    fn run<A: Real>(self) -> Option<Shared> {
        let mut found = self.right;
        if jordan::solve::<A>(WIDEST, self.matrix.as_flattened(), &mut found) {
            return Some(found);
        }
        solve_with_full_pivoting(self.matrix, &self.right)
    }
}

/// Solves by elimination with full pivoting. Row and column i are scaled alike first, since units differ: kg and kg m².
fn solve_with_full_pivoting(matrix: &[Shared; WIDEST], right: &Shared) -> Option<Shared> {
    type Matrix = SMatrix<f64, WIDEST, WIDEST>;
    let matrix = Matrix::from_column_slice(matrix.as_flattened());
    let scale = SVector::<f64, WIDEST>::from_fn(|i, _| {
        1.0 / sqrt(larger(matrix.row(i).amax(), matrix.column(i).amax()))
    });
    let scaled = Matrix::from_fn(|i, k| scale[i] * matrix[(i, k)] * scale[k]);
    let factors = scaled.full_piv_lu();
    let pivots = factors.u().diagonal().abs();
    let is_trusted = pivots.min() > TRUSTED * pivots.max();
    let solution = factors.solve(&SVector::from(*right).component_mul(&scale));
    solution.filter(|_| is_trusted).map(|x| x.component_mul(&scale).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Baseline;
    use crate::cone::star::lanes::WIDEST;

    fn columns(entry: impl Fn(usize, usize) -> f64) -> Columns {
        let mut columns = Columns::default();
        for (j, column) in columns.iter_mut().enumerate() {
            (0..WIDEST).for_each(|i| column[i / LANES][i % LANES] = entry(i, j));
        }
        columns
    }

    /// By both ways of symmetric ones.
    fn all_factors(entry: impl Fn(usize, usize) -> f64) -> Vec<Factors> {
        let columns = columns(&entry);
        let mut all = vec![Factors::new::<Baseline>(&columns)];
        let pairs = (0..WIDEST).flat_map(|i| (0..i).map(move |j| (i, j)));
        if pairs.map(|(i, j)| [entry(i, j), entry(j, i)].map(f64::to_bits)).all(|[x, y]| x == y) {
            let matrix = columns.map(|[[a, b, c, d], [e, f, ..]]| [a, b, c, d, e, f]);
            all.push(Factors::of_symmetric::<Baseline>(&matrix));
        }
        all
    }

    /// How many ways are by blocks; all solve.
    fn solves(entry: impl Fn(usize, usize) -> f64, accuracy: f64) -> usize {
        let x = [1.0, -2.0, 3.0, 0.5, -0.25, 4.0];
        let right = core::array::from_fn(|i| (0..WIDEST).map(|j| entry(i, j) * x[j]).sum());
        let all = all_factors(entry);
        for factors in &all {
            let found = factors.solve::<Baseline>(&right).unwrap();
            let error = |(found, x): (&f64, &f64)| (found - x).abs();
            assert!(found.iter().zip(&x).map(error).all(|e| e < accuracy), "{found:?}");
        }
        all.iter().filter(|factors| !matches!(factors, Factors::Whole(_))).count()
    }

    #[test]
    fn a_solution_solves() {
        let entry =
            |k: usize| move |i, j| if i == j { 7.0 } else { ((3 * i + k * j) % 7) as f64 / 7.0 };
        assert_eq!(solves(entry(5), 1e-14), 1);
        assert_eq!(solves(entry(3), 1e-14), 2);
        let uneven = |i: usize, j: usize| ((2 * i.min(j) + 3 * i.max(j)) % 5) as f64 / 5.0;
        assert_ne!(uneven(0, 4).to_bits(), uneven(1, 3).to_bits());
        assert_eq!(solves(|i, j| if i == j { 7.0 } else { uneven(i, j) }, 1e-14), 2);
    }

    /// Two pivots of a block that are small together.
    #[test]
    fn stiff_directions_are_eliminated() {
        let stiff = |i: usize, j: usize| 1e8 * ((i + 1) * (j + 1)) as f64;
        let entry = |i: usize, j: usize| stiff(i, j) + if i == j { 1.0 } else { 0.0 };
        assert_eq!(solves(entry, 1e-5), 0);
        // Each block alone would be trusted.
        let within = |i: usize, j: usize| if i / 3 == j / 3 { 1.0 } else { 0.5 };
        let entry = |i: usize, j: usize| within(i, j) + if i == j { 2e-4 } else { 0.0 };
        assert_eq!(solves(entry, 1e-10), 0);
    }

    #[test]
    fn pivots_may_be_negative() {
        let entry = |k: usize| {
            move |i: usize, j: usize| match (i == j, i.is_multiple_of(2)) {
                (true, true) => 7.0,
                (true, false) => -7.0,
                _ => ((3 * i + k * j) % 7) as f64 / 7.0,
            }
        };
        assert_eq!(solves(entry(5), 1e-14), 1);
        assert_eq!(solves(entry(3), 1e-14), 2);
    }

    #[test]
    fn diagonals_may_be_zero() {
        let turned = |i: usize, j: usize| if (i + 1) % WIDEST == j { 2.0 } else { 0.0 };
        assert_eq!(solves(turned, 1e-15), 0);
        let scale = |i: usize| if i < 4 { 3e3 } else { 3e-3 };
        let uneven = |i: usize, j: usize| turned(i, j) * scale(i) * scale(j);
        assert_eq!(solves(uneven, 1e-14), 0);
    }

    #[test]
    fn dependent_rows_are_not_trusted() {
        let is_trusted = |entry: fn(usize, usize) -> f64| {
            let mut all = all_factors(entry).into_iter();
            all.any(|factors| factors.solve::<Baseline>(&[1.0; WIDEST]).is_some())
        };
        assert!(!is_trusted(|_, _| 1.0));
        assert!(!is_trusted(|_, _| f64::NAN));
        assert!(!is_trusted(|_, _| 0.0));
        assert!(!is_trusted(|i, j| match (i, j) {
            (0, 0) => -1.0,
            (1 | 2, 1 | 2) => 1.0,
            _ => f64::from(u8::from(i == j)),
        }));
        // A alone is regular.
        assert!(!is_trusted(|i, j| if i % 3 == j % 3 { 1.0 } else { 0.25 }));
    }
}
