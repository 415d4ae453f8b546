//! What impulses on bodies that carry contacts change of their velocities.
//!
//! > Ω = Y D⁻¹ Yᵀ
//!
//! Y has six rows of each body, and entries where a coordinate moves it: a block of Ω is a sum over the coordinates that move
//! both of its bodies.

use alloc::vec::Vec;

use crate::arithmetic::Lanes;
use crate::cone::{Each, LANES, WIDEST};
use crate::kernel::{Computation, Real};

/// A block of Ω.
#[derive(Clone, Debug)]
pub(super) struct Coupling {
    /// Its first row and its first column.
    first: [usize; 2],
    /// Where the columns of Y of either body are among the numbers.
    places: [usize; 2],
    /// Which of them are of a coordinate that moves both bodies, and of which.
    common: Vec<[usize; 3]>,
}

/// All blocks of Ω of these bodies, each with the place of its columns and the coordinates that move it.
pub(super) fn couplings(hubs: &[(usize, &[usize])]) -> Vec<Coupling> {
    let bodies = hubs.iter().enumerate();
    let block = |(row, (place, of_row)): (usize, &(usize, &[usize])), column: usize| {
        let (other, of_column) = hubs[column];
        let common = of_row
            .iter()
            .enumerate()
            .filter_map(|(i, k)| of_column.iter().position(|of| of == k).map(|j| [i, j, *k]));
        Coupling {
            first: [WIDEST * row, WIDEST * column],
            places: [*place, other],
            common: common.collect(),
        }
    };
    bodies.flat_map(|body| (0..hubs.len()).map(move |column| block(body, column))).collect()
}

/// Writes Ω, column by column, in so many registers as the velocities of all bodies fill.
pub(super) struct Couple<'a> {
    pub(super) couplings: &'a [Coupling],
    pub(super) numbers: &'a [f64],
    /// D⁻¹.
    pub(super) inverse: &'a [f64],
    pub(super) bodies: usize,
    pub(super) compliance: &'a mut [Each],
}

impl Computation for Couple<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real>(self) {
        let Self { couplings, numbers, inverse, bodies, compliance } = self;
        let width = (WIDEST * bodies).next_multiple_of(LANES);
        let compliance = compliance.as_flattened_mut();
        for Coupling { first: [row, column], places, common } in couplings {
            let [of_row, of_column] = places.map(|at| numbers[at..].as_chunks::<WIDEST>().0);
            // The first four rows and the last four.
            let mut sums = [[A::Quad::splat(0.0); 2]; WIDEST];
            for &[i, j, k] in common {
                let ([a, b, c, d, e, f], weight) = (of_row[i], A::Quad::splat(inverse[k]));
                let first = weight * A::Quad::pack([a, b, c, d]);
                let last = weight * A::Quad::pack([c, d, e, f]);
                for ([to_first, to_last], by) in sums.iter_mut().zip(of_column[j]) {
                    let by = A::Quad::splat(by);
                    (*to_first, *to_last) =
                        (by.mul_add(first, *to_first), by.mul_add(last, *to_last));
                }
            }
            for (k, [first, last]) in sums.iter().enumerate() {
                let to = &mut compliance[width * (column + k) + row..][..WIDEST];
                to[..LANES].copy_from_slice(&first.unpack());
                to[WIDEST - LANES..].copy_from_slice(&last.unpack());
            }
        }
    }
}
