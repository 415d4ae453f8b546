//! Steps that come to another velocity than that which F is of, since something holds chains: F is found anew.

use super::{Beginning, Chains, LEFT, solve};
use crate::contact::Error;
use crate::model::Model;
use crate::slices::{add, larger, scale, worse};
use crate::space::Storage;

impl<M: Model> Chains<M> {
    /// Whether a step of theirs comes to another velocity than that which F is of, since something holds it.
    #[inline]
    pub(in crate::contact) fn is_held(&self, w: &M::V) -> bool {
        self.is_found && self.departs(w, &self.velocity)
    }

    /// Whether w is another velocity of chains than `from`.
    #[inline(never)]
    fn departs(&self, w: &M::V, from: &M::V) -> bool {
        let fastest = w.as_slice().iter().fold(0.0, |fastest, w| larger(w.abs(), fastest));
        let of_chains = w.as_slice().iter().zip(from.as_slice()).zip(&self.belongs);
        of_chains
            .filter(|(_, belongs)| **belongs)
            .any(|((w, from), _)| (w - from).abs() > LEFT * fastest)
    }

    /// Notes by how much w of a step is another velocity than if nothing held it.
    pub(super) fn note_held(&mut self, w: &M::V) {
        if self.departs(w, &self.free) {
            self.trends[2].note(w.as_slice(), self.free.as_slice());
        } else {
            self.trends[2].forget();
        }
    }

    /// Changes `velocity`, which is that of a step that nothing holds, to what is expected.
    pub(super) fn expect_held(&mut self) {
        if self.trends[2].is_known() {
            self.trends[2].expect(&mut self.missing);
            add(self.velocity.as_mut_slice(), 1.0, &self.missing);
        }
    }

    /// What the mean velocity of a step has beside w, (nv), as it was last found.
    pub(in crate::contact) fn offset(&self) -> &[f64] {
        &self.offset
    }

    /// By how much that was changed last, (nv).
    pub(in crate::contact) fn moved(&self) -> &[f64] {
        &self.moved
    }

    /// Expects of the mean velocity what the steps before had of it.
    pub(super) fn expect_offset(&mut self) {
        if self.trends[1].is_known() {
            self.trends[1].expect(&mut self.offset);
            scale(&mut self.offset, 0.5);
        } else {
            self.offset.fill(0.0);
        }
    }

    /// Finds what the mean velocity of a step has beside w; returns by how much that changes at most, by the speed of the fastest
    /// coordinate where that is above one.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] where the step cannot follow the motion.
    pub(in crate::contact) fn find_offset(
        &mut self,
        model: &M,
        h: f64,
        begin: Beginning<'_, M>,
    ) -> Result<f64, Error> {
        if self.go_to_end(model, h, begin).is_none() {
            return Err(self.too_long(model, h, begin));
        }
        let (w, mut most, mut fastest) = (begin.w, 0.0, 1.0);
        for i in 0..M::NV {
            let next = if self.belongs[i] { 0.5 * (self.velocity[i] - w[i]) } else { 0.0 };
            self.moved[i] = next - core::mem::replace(&mut self.offset[i], next);
            most = worse(most, self.moved[i].abs());
            fastest = larger(w[i].abs(), fastest);
        }
        Ok(most / fastest)
    }

    /// w of a step that nothing holds.
    pub(in crate::contact) fn free(&self) -> &M::V {
        &self.free
    }

    /// Forgets what held the steps before; returns whether this step began from that.
    pub(in crate::contact) fn forget_held(&mut self) -> bool {
        let was_known = self.is_found && self.trends[2].is_known();
        self.trends[2].forget();
        was_known
    }

    /// Exchanges F for that with the velocity w that a step has with its impulses; returns by how much h F changes, each by the
    /// momentum that there is, if that is above one.
    pub(in crate::contact) fn renew(
        &mut self,
        model: &M,
        h: f64,
        of: (&M::Q, &M::V),
        force: &mut M::V,
    ) -> f64 {
        let most = self.find_anew(model, h, of);
        self.exchange(force);
        most
    }

    /// As [`renew`](Self::renew), with the change of F by Broyden's method, whose `first` iteration this may be. The momentum of slender
    /// bodies turns by so much in a step that a fixed point would converge slowly.
    pub(in crate::contact) fn renew_by_broyden(
        &mut self,
        model: &M,
        h: f64,
        of: (&M::Q, &M::V),
        (is_first, force): (bool, &mut M::V),
    ) -> f64 {
        let most = self.find_anew(model, h, of);
        let Self { held, missing, change, place, .. } = self;
        if is_first {
            held.clear();
        }
        missing.iter_mut().zip(&*change).for_each(|(missing, change)| *missing = h * change);
        let next = held.next(missing, |x| solve(model, place, x));
        if next.square.is_finite() {
            change.iter_mut().zip(next.momentum).for_each(|(change, p)| *change = p / h);
        }
        self.exchange(force);
        most
    }

    /// Writes the change of F to that with the velocity w; returns the largest of h F, each by the momentum that there is, if that is
    /// above one.
    fn find_anew(&mut self, model: &M, h: f64, (q, w): (&M::Q, &M::V)) -> f64 {
        self.velocity.clone_from(w);
        self.evaluate_at_beginning(model, q);
        self.change.copy_from_slice(&self.acting);
        self.write_force(h);
        let mut most = 0.0;
        for i in 0..M::NV {
            let next = core::mem::replace(&mut self.acting[i], self.change[i]);
            self.change[i] = 0.0;
            if self.belongs[i] {
                self.change[i] = next - self.acting[i];
                let size = larger(self.momenta[i].abs(), 1.0);
                most = worse(most, (h * self.change[i]).abs() / size);
            }
        }
        most
    }

    /// Changes F, which is among the force.
    fn exchange(&mut self, force: &mut M::V) {
        let parts = self.acting.iter_mut().zip(force.as_mut_slice()).zip(&self.change);
        parts.for_each(|((acting, force), change)| {
            *acting += change;
            *force += change;
        });
    }

    /// By how much F was changed last, (nv).
    pub(in crate::contact) fn change(&self) -> &[f64] {
        &self.change
    }
}
