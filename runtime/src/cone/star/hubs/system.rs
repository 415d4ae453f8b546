//! The linear problem of bodies by the method of Gauss and Jordan, whose steps are kept for other right sides.
//!
//! > A x = b,  A (n, n) column by column
//!
//! As [`jordan`](crate::cone::jordan), in columns of R registers, of which b is one more; but a pivot is trusted by its
//! magnitude, whatever its sign: where contacts slide, A is not symmetric.
//!
//! The time is that of one quotient after the other. So the second pivot of two is found by itself, before its column is,
//! and others take what both take from them at once.

use alloc::vec::Vec;

use super::rows::{add, load, store};
use crate::arithmetic::Lanes;
use crate::cone::elimination::TRUSTED;
use crate::cone::jordan::OTHERS;
use crate::cone::star::lanes::LANES;
use crate::cone::star::quads::Each;
use crate::kernel::Real;

/// The problem, or what is kept of its elimination.
#[derive(Clone, Debug, Default)]
pub(super) struct System {
    /// A, and b behind it; of what was eliminated, what each column takes from others by their entries in its row.
    columns: Vec<Each>,
    /// 1 by pivots.
    inverse: Vec<Each>,
}

impl System {
    /// Room for columns of R registers.
    #[inline(always)]
    pub(super) fn resize<const R: usize>(&mut self) {
        if self.inverse.len() != R {
            self.columns.resize((LANES * R + 1) * R, [0.0; LANES]);
            self.inverse.clear();
            self.inverse.resize(R, [1.0; LANES]);
        }
    }

    /// A, to be written.
    #[inline(always)]
    pub(super) fn matrix<const R: usize>(&mut self) -> &mut [[Each; R]] {
        self.columns.as_chunks_mut().0
    }

    /// x, of so many unknowns, where A `is_known` if it is the one of before; none if its pivots are not to be trusted.
    #[inline(always)]
    pub(super) fn solve<A: Real, const R: usize>(
        &mut self,
        n: usize,
        b: &[A::Quad; R],
        is_known: bool,
    ) -> Option<[A::Quad; R]> {
        let Self { columns, inverse, .. } = self;
        let (columns, _) = columns.as_chunks_mut::<R>();
        let columns = &mut columns[..=n];
        let mut x = *b;
        if is_known {
            for register in 0..R {
                for lane in 0..LANES {
                    let k = LANES * register + lane;
                    if k < n {
                        let by = x[register].unpack()[lane];
                        add::<A, R>(&mut x, by, &load::<A, R>(&columns[k]));
                    }
                }
            }
        } else {
            store::<A, R>(&mut columns[n], b);
            if !eliminate::<A, R>(columns, inverse) {
                return None;
            }
            x = load::<A, R>(&columns[n]);
        }
        for r in 0..R {
            x[r] = x[r] * A::Quad::pack(inverse[r]);
        }
        Some(x)
    }
}

/// Eliminates all columns but the last, two at once, of which there is an even number; whether every pivot is more than
/// [`TRUSTED`] of its diagonal entry.
#[inline(always)]
fn eliminate<A: Real, const R: usize>(columns: &mut [[Each; R]], inverse: &mut [Each]) -> bool {
    let n = columns.len() - 1;
    let mut least = [[0.0; LANES]; R];
    let of_column = columns.iter().zip(least.as_flattened_mut());
    for (k, (column, least)) in of_column.enumerate().take(n) {
        *least = TRUSTED * column.as_flattened()[k].abs();
    }
    let mut is_trusted = true;
    for register in 0..R {
        // Read as one register soon, which has to be written as one.
        let mut of_pivots = [1.0; LANES];
        for lane in [0, 2] {
            let k = LANES * register + lane;
            if k >= n {
                break;
            }
            let (done, rest) = columns.split_at_mut(k + 2);
            let [.., first, second] = done else { break };
            let (beside, pivot) = (first[register][lane + 1], first[register][lane]);
            let (by, last) = (second[register][lane], second[register][lane + 1]);
            is_trusted &= pivot.abs() > least[register][lane];
            of_pivots[lane] = 1.0 / pivot;
            let one = take::<A, R>(first, (register, lane), of_pivots[lane]);
            let pivot = A::mul_add(-of_pivots[lane], beside * by, last);
            is_trusted &= pivot.abs() > least[register][lane + 1];
            let mut sum = load::<A, R>(second);
            add::<A, R>(&mut sum, by, &one);
            store::<A, R>(second, &sum);
            of_pivots[lane + 1] = 1.0 / pivot;
            let other = take::<A, R>(second, (register, lane + 1), of_pivots[lane + 1]);
            let beside = first[register][lane + 1];
            for column in rest {
                let (by, next) = (column[register][lane], column[register][lane + 1]);
                let mut sum = load::<A, R>(column);
                add::<A, R>(&mut sum, by, &one);
                add::<A, R>(&mut sum, A::mul_add(by, beside, next), &other);
                store::<A, R>(column, &sum);
            }
        }
        inverse[register] = of_pivots;
    }
    is_trusted
}

/// Makes a column what it takes from others by their entries in its row, which is that of the pivot, by 1 / pivot.
#[inline(always)]
fn take<A: Real, const R: usize>(
    column: &mut [Each; R],
    (register, lane): (usize, usize),
    inverse: f64,
) -> [A::Quad; R] {
    let minus = A::Quad::splat(-inverse);
    let mut taken = load::<A, R>(column);
    for part in &mut taken {
        *part = *part * minus;
    }
    taken[register] = taken[register] * A::Quad::pack(OTHERS[lane]);
    store::<A, R>(column, &taken);
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Baseline;

    /// Column by column of 4 registers, of which a problem of 14 unknowns leaves two numbers.
    const COLUMNS: usize = 4;
    const UNKNOWNS: usize = 14;
    type Vector = [[f64; LANES]; COLUMNS];

    fn solve(system: &mut System, b: &Vector, is_known: bool) -> Option<Vector> {
        let mut right = [<<Baseline as crate::arithmetic::Arithmetic>::Quad>::splat(0.0); COLUMNS];
        right.iter_mut().zip(b).for_each(|(to, b)| *to = Lanes::pack(*b));
        let x = system.solve::<Baseline, COLUMNS>(UNKNOWNS, &right, is_known)?;
        Some(x.map(Lanes::unpack))
    }

    /// Not symmetric, with pivots of both signs.
    fn entry(i: usize, j: usize) -> f64 {
        let sign = if i % 3 == 1 { -1.0 } else { 1.0 };
        if i == j { 15.0 * sign } else { ((3 * i + 5 * j) % 7) as f64 / 7.0 }
    }

    fn system(entry: impl Fn(usize, usize) -> f64) -> System {
        let mut system = System::default();
        system.resize::<COLUMNS>();
        for (j, column) in system.matrix::<COLUMNS>().iter_mut().enumerate().take(UNKNOWNS) {
            let rows = column.as_flattened_mut().iter_mut().enumerate();
            rows.take(UNKNOWNS).for_each(|(i, to)| *to = entry(i, j));
        }
        system
    }

    #[test]
    fn solutions_solve() {
        let mut system = system(entry);
        for (known, scale) in [(false, 0.3), (true, -0.7)] {
            let exact = |i: usize| 1.0 - scale * i as f64;
            let mut b = Vector::default();
            for (i, b) in b.as_flattened_mut().iter_mut().enumerate().take(UNKNOWNS) {
                *b = (0..UNKNOWNS).map(|j| entry(i, j) * exact(j)).sum();
            }
            let x = solve(&mut system, &b, known).expect("regular");
            let found = x.as_flattened().iter().take(UNKNOWNS).enumerate();
            found.for_each(|(i, x)| assert!((x - exact(i)).abs() < 1e-13, "{i}: {x}"));
        }
    }

    #[test]
    fn dependent_rows_are_not_trusted() {
        let b = [[1.0; LANES]; COLUMNS];
        for value in [0.0, 1.0, f64::NAN] {
            assert!(solve(&mut system(|_, _| value), &b, false).is_none());
        }
    }
}
