//! How well contacts side by side satisfy the law of a formulation.

use super::super::sum::Sum;
use super::ends::Ends;
use super::law::Contact;
use crate::arithmetic::Ordered;
use crate::cone::Sides;
use crate::contact::formulation::Formulation;
use crate::contact::friction::FrictionLaw;
use crate::contact::todorov::Cone;
use crate::slices::worse;

impl<L: Ordered<K>, const K: usize> Ends<L, K> {
    /// The worst along the normals, and of friction, by the law of a formulation.
    #[inline(always)]
    pub(in crate::contact) fn residual(
        &self,
        formulation: &Formulation,
        sides: &Sides<K>,
    ) -> [f64; 2] {
        match formulation.friction() {
            FrictionLaw::Dissipating(Cone::Round) => self.coulomb(None),
            FrictionLaw::Dissipating(Cone::Pyramid) | FrictionLaw::Frictionless => {
                self.coulomb(Some(sides))
            }
            FrictionLaw::Convex(Cone::Round) => self.convex(None),
            FrictionLaw::Convex(Cone::Pyramid) => self.convex(Some(sides)),
            FrictionLaw::Infinite => self.each(formulation),
        }
    }

    /// The same, of each contact alone.
    #[inline(never)]
    fn each(&self, formulation: &Formulation) -> [f64; 2] {
        let [impulse, w, scale] = [self.impulse, self.w, self.scale].map(|of| of.map(L::unpack));
        let (floor, friction) = (self.floor.unpack(), self.friction.unpack());
        let of_lane = |lane: usize| Contact {
            impulse: impulse.map(|row| row[lane]),
            floor: floor[lane],
            w: [0, 1, 2].map(|k| Sum { value: w[k][lane], scale: scale[k][lane] }),
            friction: friction[lane],
            directions: 0,
            strongest: self.strongest,
        };
        (0..K)
            .map(|lane| of_lane(lane).residual(formulation))
            .fold([0.0; 2], |all, of| [worse(all[0], of[0]), worse(all[1], of[1])])
    }
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
        let friction = row(of.map(|(.., friction)| law.friction().coefficient(friction)));
        let ends = Ends { impulse, floor, w, scale, friction, strongest: 2.0 };
        ends.residual(law, &Sides::new(&COUNTS, direction))
    }

    /// Of one alone.
    fn alone(law: &Formulation, of: Numbers, directions: usize) -> [f64; 2] {
        let (impulse, w, scale, friction) = of;
        let (w, friction) =
            (w.map(|value| Sum { value, scale }), law.friction().coefficient(friction));
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
