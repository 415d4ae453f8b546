//! Contacts that share few coordinates, as the cone solver takes them.
//!
//! > A = Y W Yᵀ + diag(B₁, B₂, …)
//!
//! Y leads to the coordinates that all contacts hang on, W is D⁻¹ there, and Bᵢ = Yᵢ D⁻¹ Yᵢᵀ over the coordinates
//! that only contact i hangs on, those of its limb. All are numbers of the step's dynamics; nothing is multiplied
//! but within a limb.

use alloc::vec::Vec;

use crate::cone::{Matrix, WIDEST};

/// The places of the diagonal in a triangle.
const DIAGONAL: [usize; 3] = [0, 3, 5];

#[derive(Clone, Debug, Default)]
pub(super) struct Star {
    shared: Vec<[[f64; 3]; WIDEST]>,
    weights: [f64; WIDEST],
    own: Vec<[f64; 6]>,
}

impl Star {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.shared.clear();
        self.own.clear();
    }

    /// With W of the shared coordinates.
    #[inline(always)]
    pub(super) fn begin(&mut self, weights: impl Iterator<Item = f64>) {
        self.clear();
        self.weights = [1.0; WIDEST];
        self.weights.iter_mut().zip(weights).for_each(|(to, weight)| *to = weight);
    }

    /// Adds a contact with the columns of Y, those of its own with their D⁻¹.
    #[inline(always)]
    pub(super) fn push<'a>(
        &mut self,
        shared: &[[f64; 3]],
        own: impl Iterator<Item = (f64, &'a [f64; 3])>,
    ) {
        let mut sum = [0.0; 6];
        for (weight, &[x, y, z]) in own {
            let [wx, wy, wz] = [weight * x, weight * y, weight * z];
            let products = [wx * x, wx * y, wx * z, wy * y, wy * z, wz * z];
            sum.iter_mut().zip(products).for_each(|(sum, product)| *sum += product);
        }
        let mut columns = [[0.0; 3]; WIDEST];
        columns.iter_mut().zip(shared).for_each(|(to, column)| *to = *column);
        self.shared.push(columns);
        self.own.push(sum);
    }

    /// Adds σ, of which and of whose part by the diagonal entry of A is told for each row, and returns it.
    #[inline(always)]
    pub(super) fn soften(&mut self, softness: &[[f64; 2]]) -> impl Iterator<Item = f64> {
        let Self { shared, weights, own } = self;
        softness.iter().enumerate().map(|(row, [of_row, relative])| {
            let (contact, axis) = (row / 3, row % 3);
            let entries = shared[contact].iter().map(|column| column[axis]);
            let through = entries.zip(&*weights).map(|(y, weight)| weight * y * y);
            let entry = &mut own[contact][DIAGONAL[axis]];
            let sigma = of_row + relative * (*entry + through.sum::<f64>());
            *entry += sigma;
            sigma
        })
    }

    /// A, if there are contacts.
    #[inline(always)]
    pub(super) fn matrix(&self) -> Option<Matrix<'_>> {
        let Self { shared, weights, own } = self;
        (!own.is_empty()).then_some(Matrix::Star { shared, weights, own })
    }
}
