//! How well contacts side by side satisfy a law.

use crate::arithmetic::Ordered;
use crate::cone::Sides;
use crate::slices::worse;

/// K contacts at the end of a step, with what [`Contact`](super::law::Contact) has of one.
pub(in crate::contact) struct Ends<L, const K: usize> {
    pub(in crate::contact) impulse: [L; 3],
    pub(in crate::contact) floor: L,
    /// The sums w, and the largest of their terms.
    pub(in crate::contact) w: [L; 3],
    pub(in crate::contact) scale: [L; 3],
    pub(in crate::contact) friction: L,
    pub(in crate::contact) strongest: f64,
}

impl<L: Ordered<K>, const K: usize> Ends<L, K> {
    /// The worst along the normals, and of friction, by Coulomb's law with discs or polygons.
    #[inline(always)]
    pub(in crate::contact) fn coulomb(&self, sides: Option<&Sides<K>>) -> [f64; 2] {
        let none = L::splat(0.0);
        let ([normal, p, q], w, scale) = (self.impulse, self.w, self.scale);
        let pressed = normal - self.floor;
        let [parting] = by([w[0]], scale[0]);
        // The smaller one; NaN if one of them is.
        let along = pressed.select_at_most(parting, pressed, parting + none * pressed).abs();
        let slip = by([w[1], w[2]], scale[1].maximum(scale[2]));
        let radius = (self.friction * normal).maximum(none);
        let moved = [p - slip[0], q - slip[1]];
        let [x, y] = match sides {
            None => onto_disc(moved, radius),
            Some(sides) => sides.nearest(moved, radius),
        };
        let (x, y) = ((p - x).abs(), (q - y).abs());
        let scale = (self.friction * L::splat(self.strongest)).maximum((p * p + q * q).sqrt());
        // The larger one; NaN if one of them is.
        let [friction] = by([x.maximum(y) + none * x], scale);
        [along, friction].map(|errors| errors.unpack().into_iter().fold(0.0, worse))
    }

    /// The worst of what w and friction lack to be in their cones, which are round or pyramids, by the convex law.
    #[inline(always)]
    pub(in crate::contact) fn convex(&self, sides: Option<&Sides<K>>) -> [f64; 2] {
        let (none, one) = (L::splat(0.0), L::splat(1.0));
        let [normal, p, q] = self.impulse;
        // All by one scale, since Λᵀ w is a sum.
        let [a, b, c] = self.scale;
        let w = by(self.w, a.maximum(b).maximum(c));
        let length = |[x, y]: [L; 2]| (x * x + y * y).sqrt();
        // The sizes of what has these on its rim, and of what w is in the dual cone of.
        let (size, slip) = match sides {
            None => (length([p, q]), length([w[1], w[2]])),
            Some(sides) => (sides.gauge([p, q]), sides.support([-w[1], -w[2]])),
        };
        let [outside] = by(
            [(size - self.friction * normal).maximum(none - normal).maximum(none)],
            self.friction * L::splat(self.strongest),
        );
        let missing = (self.friction * slip - w[0]).maximum(none);
        let largest = |x: [L; 3]| x[0].abs().maximum(x[1].abs()).maximum(x[2].abs());
        let size = largest(self.impulse).maximum(largest(w)).maximum(one);
        let product = (normal * w[0] + p * w[1] + q * w[2]).abs() / size;
        // The larger one; NaN if a number is, since the product then is.
        let along = missing.maximum(product);
        [along, outside].map(|errors| errors.unpack().into_iter().fold(0.0, worse))
    }
}

/// Numbers by their scale, if that is above one. Mostly none is, and nothing then waits for quotients.
#[inline(always)]
fn by<L: Ordered<K>, const K: usize, const N: usize>(mut x: [L; N], scale: L) -> [L; N] {
    let one = L::splat(1.0);
    if !scale.are_at_most(one) {
        for x in &mut x {
            *x = *x / scale.maximum(one);
        }
    }
    x
}

/// What of a disc is nearest. Where all are within theirs, nothing waits for roots.
#[inline(always)]
fn onto_disc<L: Ordered<K>, const K: usize>([x, y]: [L; 2], radius: L) -> [L; 2] {
    let (none, most) = (L::splat(0.0), L::splat(f64::MAX));
    let (squares, square) = (x * x + y * y, radius * radius);
    // A square that is not finite says nothing.
    if squares.are_at_most(square.select_at_most(most, square, none)) {
        return [x, y];
    }
    let length = squares.sqrt();
    let kept = length.select_at_most(radius, L::splat(1.0), radius / length);
    [kept * x, kept * y]
}
