//! The matrices of contacts, four side by side.

use super::lanes::{Shared, WIDEST};
use super::quads::{Each, Quads, Rows, dot, load, products, sum};
use crate::arithmetic::{Lanes, Ordered};
use crate::kernel::Real;

/// A view of [`Arms`](super::Arms), four contacts side by side.
#[derive(Clone, Copy, Debug)]
pub struct Star<'a> {
    pub(crate) contacts: usize,
    /// Y of each contact, column by column; zero where there is no coordinate, or no contact.
    pub(crate) shared: &'a [[Rows; WIDEST]],
    /// The diagonal of W > 0; 1 where there is no coordinate.
    pub(crate) weights: &'a Shared,
    /// The triangle of B of each.
    pub(crate) own: &'a [[Each; 6]],
}

/// The matrices of four contacts, Y column by column and B; zero in lanes without one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'a> {
    pub(super) shared: &'a [Rows; WIDEST],
    pub(super) own: &'a [Each; 6],
}

impl<'a> Star<'a> {
    /// The diagonal of W⁻¹.
    #[inline(always)]
    pub(super) fn inertia(&self) -> Shared {
        self.weights.map(|weight| 1.0 / weight)
    }

    /// What is given of four contacts each.
    #[inline(always)]
    pub(super) fn each(&self) -> impl Iterator<Item = Given<'a>> {
        self.shared.iter().zip(self.own).map(|(shared, own)| Given { shared, own })
    }
}

impl Given<'_> {
    /// The traces of Y W Yᵀ.
    #[inline(always)]
    pub(super) fn through<A: Real>(&self, weights: &Shared) -> A::Quad {
        let mut trace = A::Quad::splat(0.0);
        for (column, &weight) in self.shared.iter().zip(weights) {
            let y = load::<A>(column);
            let square = dot::<A>(&y, &y);
            trace = A::Quad::splat(weight).mul_add(square, trace);
        }
        trace
    }

    /// The traces of X Ω Xᵀ, by Ω of the body.
    #[inline(always)]
    pub(super) fn through_block<A: Real>(&self, block: &[Shared; WIDEST]) -> A::Quad {
        let none = A::Quad::splat(0.0);
        let (mut trace, mut beside) = (none, none);
        for (k, (column, by)) in self.shared.iter().zip(block).enumerate() {
            let (x, mut y) = (load::<A>(column), [none; 3]);
            for (&by, shared) in by.iter().zip(&self.shared[..k]) {
                y = sum::<A>(y, A::Quad::splat(by), &load::<A>(shared));
            }
            beside = products::<A>(&y, &x, beside);
            trace = A::Quad::splat(by[k]).mul_add(dot::<A>(&x, &x), trace);
        }
        A::Quad::splat(2.0).mul_add(beside, trace)
    }

    /// Adds Yᵀ x.
    #[inline(always)]
    pub(super) fn add_through<A: Real>(&self, x: &Quads<A>, to: &mut [A::Quad; WIDEST]) {
        for (to, shared) in to.iter_mut().zip(self.shared) {
            *to = products::<A>(&load::<A>(shared), x, *to);
        }
    }

    /// The traces of B.
    #[inline(always)]
    pub(super) fn own_trace<A: Real>(&self) -> A::Quad {
        let [xx, _, _, yy, _, zz] = self.own;
        A::Quad::pack(*xx) + A::Quad::pack(*yy) + A::Quad::pack(*zz)
    }

    /// Whether B is zero, and not NaN.
    #[inline(always)]
    pub(super) fn are_alone<A: Real>(&self) -> bool {
        let mut sum = A::Quad::splat(0.0);
        for entry in self.own {
            sum = sum + A::Quad::pack(*entry).abs();
        }
        sum.are_at_most(A::Quad::splat(0.0))
    }

    /// B, row by row.
    #[inline(always)]
    pub(super) fn own<A: Real>(&self) -> [Quads<A>; 3] {
        let [xx, xy, xz, yy, yz, zz] = &self.own;
        [
            [A::Quad::pack(*xx), A::Quad::pack(*xy), A::Quad::pack(*xz)],
            [A::Quad::pack(*xy), A::Quad::pack(*yy), A::Quad::pack(*yz)],
            [A::Quad::pack(*xz), A::Quad::pack(*yz), A::Quad::pack(*zz)],
        ]
    }
}
