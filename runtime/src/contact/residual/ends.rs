//! How well contacts side by side satisfy Coulomb's law.

use super::law::Contact;
use super::sum::Sum;
use crate::arithmetic::Ordered;
use crate::contact::Formulation;
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

    /// The worst of the contacts by the law of any formulation.
    pub(in crate::contact) fn one_by_one(&self, formulation: &Formulation) -> [f64; 2] {
        let (impulse, floor) = (self.impulse.map(L::unpack), self.floor.unpack());
        let (w, scale) = (self.w.map(L::unpack), self.scale.map(L::unpack));
        let (friction, strongest) = (self.friction.unpack(), self.strongest);
        let of = |lane: usize| {
            let impulse = impulse.map(|row| row[lane]);
            let w = [0, 1, 2].map(|axis| Sum { value: w[axis][lane], scale: scale[axis][lane] });
            let (floor, friction, directions) = (floor[lane], friction[lane], 0);
            Contact { impulse, floor, w, friction, directions, strongest }.residual(formulation)
        };
        let worst = |[n, f]: [f64; 2], one: [f64; 2]| [worse(n, one[0]), worse(f, one[1])];
        (0..K).map(of).fold([0.0; 2], worst)
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
