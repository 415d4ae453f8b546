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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{Array, Lanes, Plain};
    use crate::contact::{Anitescu, Normal, Todorov, direction};

    /// Impulse, w and the scale of its terms, and the coefficient of friction.
    type Numbers = ([f64; 3], [f64; 3], f64, f64);

    type Four = Array<Plain, 4>;

    /// The directions of each contact.
    const COUNTS: [usize; 4] = [4, 6, 4, 10];

    fn laws() -> [Formulation; 7] {
        let [round, pyramid] = [Cone::Round, Cone::Pyramid]
            .map(|cone| Formulation::Todorov(Todorov::default().cone(cone)));
        [
            Formulation::coulomb(),
            Formulation::StewartTrinkle,
            Formulation::Frictionless(Normal::Gap),
            Formulation::Sticking(Normal::Gap),
            Formulation::Anitescu(Anitescu::default()),
            round,
            pyramid,
        ]
    }

    /// Those of all lanes.
    fn together(law: &Formulation, of: [Numbers; 4]) -> [f64; 2] {
        let row = |of: [f64; 4]| <Four as Lanes<4>>::pack(of);
        let [impulse, w] = [
            [0, 1, 2].map(|axis| row(of.map(|(impulse, ..)| impulse[axis]))),
            [0, 1, 2].map(|axis| row(of.map(|(_, w, ..)| w[axis]))),
        ];
        let (scale, floor) = ([row(of.map(|(_, _, scale, _)| scale)); 3], row([0.0; 4]));
        let friction = row(of.map(|(.., friction)| law.friction(friction)));
        let ends = Ends { impulse, floor, w, scale, friction, strongest: 2.0 };
        ends.residual(law, &Sides::new(&COUNTS, direction))
    }

    /// Of one alone.
    fn alone(law: &Formulation, of: Numbers, directions: usize) -> [f64; 2] {
        let (impulse, w, scale, friction) = of;
        let (w, friction) = (w.map(|value| Sum { value, scale }), law.friction(friction));
        let contact = Contact { impulse, floor: 0.0, w, friction, directions, strongest: 2.0 };
        contact.residual(law)
    }

    /// Each lane is what it is alone, whatever is beside it, by any law.
    #[test]
    fn four_are_the_worst_of_each() {
        let sticks = ([1.0, 0.1, -0.2], [1e-9, 2e-9, 0.0], 0.0, 0.5);
        let slides = ([2.0, -1.0, 0.0], [0.0, 3.0, 1e-7], 4.0, 0.5);
        let parts = ([0.0; 3], [0.7, 0.2, -0.1], 0.7, 0.9);
        let wrong = ([1.0, 0.9, 0.0], [-0.2, 0.3, 0.1], 20.0, 0.3);
        let outside = ([1.0, 0.35, 0.36], [0.1, 0.3, -0.4], 0.4, 0.5);
        for law in laws() {
            for of in [
                [sticks; 4],
                [outside; 4],
                [sticks, slides, parts, sticks],
                [parts, wrong, slides, outside],
            ] {
                let each = of.iter().zip(COUNTS).map(|(of, count)| alone(&law, *of, count));
                let worst = each.fold([0.0; 2], |[n, f], [m, g]| [worse(n, m), worse(f, g)]);
                let found = together(&law, of);
                let error = [0, 1].map(|k| (found[k] - worst[k]).abs());
                assert!(error[0].max(error[1]) < 1e-15, "{law:?}: {found:?}, {worst:?}");
            }
        }
    }

    #[test]
    fn what_is_no_number_is_seen_in_each_lane() {
        let good = ([1.0, 0.1, -0.2], [0.0; 3], 0.0, 0.5);
        for law in laws() {
            for lane in 0..4 {
                for bad in 0..6 {
                    let mut of = [good; 4];
                    let (impulse, w, ..) = &mut of[lane];
                    let row = if bad < 3 { impulse } else { w };
                    row[bad % 3] = f64::NAN;
                    let [normal, friction] = together(&law, of);
                    assert!(normal.is_nan() || friction.is_nan(), "{law:?}, {lane}, {bad}");
                }
            }
        }
    }
}
