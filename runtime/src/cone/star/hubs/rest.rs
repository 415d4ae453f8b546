//! Contacts that have nothing of their own, where none slides.
//!
//! > γ = −(Xᵀ X)⁻¹ Xᵀ w,  Ω f = γ,  δ = X (Xᵀ X)⁻¹ (f + X₀ᵀ λ₀),  δ₀ = −λ₀
//!
//! as for a [body alone](crate::cone::star::alone), with the impulses f on all bodies that make the motions γ. X and w are of
//! the contacts that stick; those that are open, X₀, lose their impulses λ₀. A body without contacts may move as it likes.

use super::OfSeveral;
use super::body::{of_body, unit};
use super::rows::{load, store};
use crate::arithmetic::Lanes;
use crate::cone::star::alone::Rest;
use crate::cone::star::lanes::{LANES, WIDEST};
use crate::cone::star::quads::Each;
use crate::kernel::Real;

/// Of each body that carries contacts.
type Rests<const H: usize> = [Option<Rest<false>>; H];

impl<const H: usize, const R: usize> OfSeveral<'_, '_, H, R> {
    /// Goes there, if the contacts hold their bodies.
    #[inline(always)]
    pub(super) fn rest<A: Real>(&mut self) -> bool {
        let Some(rests) = self.held::<A>() else { return false };
        let Some(impulses) = self.stop::<A>(&rests) else { return false };
        let mut shares = [None; H];
        for (body, (share, rest)) in shares.iter_mut().zip(&rests).enumerate() {
            let Some(rest) = rest else { continue };
            *share = rest.share::<A>(of_body(impulses.as_flattened(), body));
            if share.is_none() {
                return false;
            }
        }
        let Self { room, hubs, .. } = self;
        for (four, (hub, given)) in room.fours.iter_mut().zip(hubs.each()) {
            if let Some(by) = &shares[hub] {
                four.press::<A, false>(given, by);
            }
        }
        true
    }

    /// How the bodies come to rest; none unless their contacts hold each.
    #[inline(always)]
    fn held<A: Real>(&self) -> Option<Rests<H>> {
        let Self { room, hubs, .. } = self;
        let mut rests = [const { None }; H];
        for (body, rest) in rests.iter_mut().enumerate() {
            if hubs.of.contains(&body) {
                let all = room.fours.iter().zip(hubs.each());
                let of_body = all.filter(|(_, (hub, _))| *hub == body);
                *rest = Some(Rest::new::<A>(of_body.map(|(four, (_, given))| (four, given)))?);
            }
        }
        Some(rests)
    }

    /// f.
    #[inline(always)]
    fn stop<A: Real>(&mut self, rests: &Rests<H>) -> Option<[Each; R]> {
        let Self { room, hubs, .. } = self;
        let mut motions = [[0.0; LANES]; R];
        for (body, rest) in rests.iter().enumerate() {
            let of_body = WIDEST * body..WIDEST * (body + 1);
            if let Some(rest) = rest {
                motions.as_flattened_mut()[of_body.clone()].copy_from_slice(&rest.motion);
            }
            for k in of_body {
                let column = match rest {
                    Some(_) => load::<A, R>(&hubs.columns()[k]),
                    None => unit::<A, R>(k),
                };
                store::<A, R>(&mut room.system.matrix()[k], &column);
            }
        }
        let right = load::<A, R>(&motions);
        let impulses = room.system.solve::<A, R>(WIDEST * H, &right, false)?;
        Some(impulses.map(Lanes::unpack))
    }
}
