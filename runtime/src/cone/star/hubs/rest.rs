//! Contacts that have nothing of their own, where none slides.
//!
//! > γ = −(Xᵀ X)⁻¹ Xᵀ w,  Ω f = γ,  δ = X (Xᵀ X)⁻¹ f
//!
//! as for a [body alone](crate::cone::star::alone), with the impulses f on all bodies that make the motions γ. A body
//! without contacts may move as it likes.

use super::OfSeveral;
use super::body::{of_body, unit};
use super::rows::{load, store};
use crate::arithmetic::Lanes;
use crate::cone::star::alone::Rest;
use crate::cone::star::{LANES, WIDEST};
use crate::kernel::Real;

impl<const H: usize, const R: usize> OfSeveral<'_, '_, H, R> {
    /// Goes there, if the contacts hold their bodies.
    #[inline(always)]
    pub(super) fn rest<A: Real>(&mut self) -> bool {
        let Self { room, hubs, .. } = self;
        let (mut motions, mut rests) = ([[0.0; LANES]; R], [const { None }; H]);
        for (body, rest) in rests.iter_mut().enumerate() {
            let first = WIDEST * body;
            let to = room.system.matrix::<R>()[first..].iter_mut();
            let is_held = hubs.of.contains(&body);
            for (k, (to, from)) in to.zip(&hubs.columns::<R>()[first..]).take(WIDEST).enumerate() {
                let column = if is_held { load::<A, R>(from) } else { unit::<A, R>(first + k) };
                store::<A, R>(to, &column);
            }
            if is_held {
                let all = room.fours.iter().zip(hubs.each());
                let of_body = all.filter(|(_, (hub, _))| *hub == body);
                let of_body = of_body.map(|(four, (_, given))| (four, given));
                let Some(of_body) = Rest::<false>::new::<A>(of_body) else { return false };
                motions.as_flattened_mut()[first..][..WIDEST].copy_from_slice(&of_body.motion);
                *rest = Some(of_body);
            }
        }
        let mut right = [A::Quad::splat(0.0); R];
        for r in 0..R {
            right[r] = A::Quad::pack(motions[r]);
        }
        let Some(impulses) = room.system.solve::<A, R>(WIDEST * H, &right, false) else {
            return false;
        };
        let impulses = impulses.map(Lanes::unpack);
        for (body, rest) in rests.iter().enumerate() {
            let Some(rest) = rest else { continue };
            let Some(by) = rest.share::<A>(of_body(impulses.as_flattened(), body)) else {
                return false;
            };
            for (four, (hub, given)) in room.fours.iter_mut().zip(hubs.each()) {
                if hub == body {
                    four.press::<A, false>(given, &by);
                }
            }
        }
        true
    }
}
