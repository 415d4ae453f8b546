//! How well contacts side by side satisfy the law of a formulation.

use super::ends::Ends;
use super::law::Contact;
use super::sum::Sum;
use crate::arithmetic::Ordered;
use crate::cone::Sides;
use crate::contact::formulation::Formulation;
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
        match formulation {
            Formulation::Coulomb(_) => self.coulomb(None),
            Formulation::StewartTrinkle
            | Formulation::AnitescuPotra(_)
            | Formulation::Frictionless(_) => self.coulomb(Some(sides)),
            Formulation::Todorov(law) if law.cone == Cone::Round => self.convex(None),
            Formulation::Anitescu(_) | Formulation::Todorov(_) => self.convex(Some(sides)),
            Formulation::Sticking(_) => self.each(formulation),
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
