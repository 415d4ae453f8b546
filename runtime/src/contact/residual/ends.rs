//! How well contacts side by side satisfy a law with round cones.

use crate::arithmetic::Ordered;
use crate::slices::worse;

/// K contacts at the end of a step, with what [`Contact`] has of one.
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
    /// The worst along the normals, and of friction, by Coulomb's law.
    #[inline(always)]
    pub(in crate::contact) fn coulomb(&self) -> [f64; 2] {
        let none = L::splat(0.0);
        let ([normal, p, q], w, scale) = (self.impulse, self.w, self.scale);
        let pressed = normal - self.floor;
        let [parting] = by([w[0]], scale[0]);
        // The smaller one; NaN if one of them is.
        let along = pressed.select_at_most(parting, pressed, parting + none * pressed).abs();
        let slip = by([w[1], w[2]], scale[1].maximum(scale[2]));
        let radius = (self.friction * normal).maximum(none);
        let [x, y] = onto_disc([p - slip[0], q - slip[1]], radius);
        let (x, y) = ((p - x).abs(), (q - y).abs());
        let scale = (self.friction * L::splat(self.strongest)).maximum((p * p + q * q).sqrt());
        // The larger one; NaN if one of them is.
        let [friction] = by([x.maximum(y) + none * x], scale);
        [along, friction].map(|errors| errors.unpack().into_iter().fold(0.0, worse))
    }

    /// The worst of what w and friction lack to be in their cones, which are round, by the convex law.
    #[inline(always)]
    pub(in crate::contact) fn convex(&self) -> [f64; 2] {
        let (none, one) = (L::splat(0.0), L::splat(1.0));
        let [normal, p, q] = self.impulse;
        // All by one scale, since Λᵀ w is a sum.
        let [a, b, c] = self.scale;
        let w = by(self.w, a.maximum(b).maximum(c));
        let [outside] = by(
            [((p * p + q * q).sqrt() - self.friction * normal)
                .maximum(none - normal)
                .maximum(none)],
            self.friction * L::splat(self.strongest),
        );
        let slip = (w[1] * w[1] + w[2] * w[2]).sqrt();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Array, Lanes, Plain};

    /// Impulse, w and the scale of its terms, and the coefficient of friction.
    type Numbers = ([f64; 3], [f64; 3], f64, f64);

    fn ends<const K: usize>(of: [Numbers; K]) -> Ends<Array<Plain, K>, K>
    where
        Array<Plain, K>: Ordered<K>,
    {
        let row = |of: [f64; K]| <Array<Plain, K> as Lanes<K>>::pack(of);
        let [impulse, w] = [
            [0, 1, 2].map(|axis| row(of.map(|(impulse, ..)| impulse[axis]))),
            [0, 1, 2].map(|axis| row(of.map(|(_, w, ..)| w[axis]))),
        ];
        let (scale, floor) = ([row(of.map(|(_, _, scale, _)| scale)); 3], row([0.0; K]));
        let friction = row(of.map(|(.., friction)| friction));
        Ends { impulse, floor, w, scale, friction, strongest: 2.0 }
    }

    /// Each lane is what it is alone, whatever is beside it.
    #[test]
    fn four_are_the_worst_of_each() {
        let sticks = ([1.0, 0.1, -0.2], [1e-9, 2e-9, 0.0], 0.0, 0.5);
        let slides = ([2.0, -1.0, 0.0], [0.0, 3.0, 1e-7], 4.0, 0.5);
        let parts = ([0.0; 3], [0.7, 0.2, -0.1], 0.7, 0.9);
        let wrong = ([1.0, 0.9, 0.0], [-0.2, 0.3, 0.1], 20.0, 0.3);
        for of in [[sticks; 4], [sticks, slides, parts, sticks], [parts, wrong, slides, sticks]] {
            let alone = of.map(|one| ends([one]));
            let worst = |each: [[f64; 2]; 4]| {
                each.into_iter().fold([0.0; 2], |[n, f], [m, g]| [worse(n, m), worse(f, g)])
            };
            let four = ends(of);
            assert_eq!(four.coulomb(), worst(alone.each_ref().map(Ends::coulomb)));
            assert_eq!(four.convex(), worst(alone.each_ref().map(Ends::convex)));
        }
    }

    #[test]
    fn what_is_no_number_is_seen_in_each_lane() {
        let good = ([1.0, 0.1, -0.2], [0.0; 3], 0.0, 0.5);
        for lane in 0..4 {
            for bad in 0..6 {
                let mut of = [good; 4];
                let (impulse, w, ..) = &mut of[lane];
                let row = if bad < 3 { impulse } else { w };
                row[bad % 3] = f64::NAN;
                for [normal, friction] in [ends(of).coulomb(), ends(of).convex()] {
                    assert!(normal.is_nan() || friction.is_nan(), "{lane}, {bad}");
                }
            }
        }
    }
}
