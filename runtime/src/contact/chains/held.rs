//! Steps that come to another velocity than that which F is of, since something holds chains: F is found anew.

use super::beginning::Beginning;
use super::solving::solve;
use super::{Chains, LEFT};
use crate::contact::Error;
use crate::model::Robot;
use crate::slices::{add, larger, scale, worse};

impl Chains {
    /// Whether a step of theirs comes to another velocity than that which F is of, since something holds it.
    #[inline]
    pub(in crate::contact) fn is_held(&self, w: &[f64]) -> bool {
        self.is_found && self.departs(w, &self.velocity)
    }

    /// Whether w is another velocity of chains than `from`.
    #[inline(never)]
    fn departs(&self, w: &[f64], from: &[f64]) -> bool {
        let fastest = w.iter().fold(0.0, |fastest, w| larger(w.abs(), fastest));
        let of_chains = w.iter().zip(from).zip(&self.belongs);
        of_chains
            .filter(|(_, belongs)| **belongs)
            .any(|((w, from), _)| (w - from).abs() > LEFT * fastest)
    }

    /// Notes by how much w of a step is another velocity than if nothing held it.
    pub(super) fn note_held(&mut self, w: &[f64]) {
        if self.departs(w, &self.free) {
            self.trends[2].note(w, &self.free);
        } else {
            self.trends[2].forget();
        }
    }

    /// Changes `velocity`, which is that of a step that nothing holds, to what is expected.
    pub(super) fn expect_held(&mut self) {
        if self.trends[2].is_known() {
            self.trends[2].expect(&mut self.missing);
            add(&mut self.velocity, 1.0, &self.missing);
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
        robot: Robot<'_>,
        h: f64,
        begin: Beginning<'_>,
    ) -> Result<f64, Error> {
        if self.go_to_end(robot, h, begin).is_none() {
            return Err(self.too_long(robot, h, begin));
        }
        let (w, mut most, mut fastest) = (begin.w, 0.0, 1.0);
        for (i, w) in w.iter().enumerate() {
            let next = if self.belongs[i] { 0.5 * (self.velocity[i] - w) } else { 0.0 };
            self.moved[i] = next - core::mem::replace(&mut self.offset[i], next);
            most = worse(most, self.moved[i].abs());
            fastest = larger(w.abs(), fastest);
        }
        Ok(most / fastest)
    }

    /// w of a step that nothing holds.
    pub(in crate::contact) fn free(&self) -> &[f64] {
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
        robot: Robot<'_>,
        h: f64,
        of: (&[f64], &[f64]),
        force: &mut [f64],
    ) -> f64 {
        let most = self.find_anew(robot, h, of);
        self.exchange(force);
        most
    }

    /// As [`renew`](Self::renew), with the change of F by Broyden's method, whose `first` iteration this may be. The momentum of slender
    /// bodies turns by so much in a step that a fixed point would converge slowly.
    pub(in crate::contact) fn renew_by_broyden(
        &mut self,
        robot: Robot<'_>,
        h: f64,
        of: (&[f64], &[f64]),
        (is_first, force): (bool, &mut [f64]),
    ) -> f64 {
        let most = self.find_anew(robot, h, of);
        let Self { held, missing, change, place, solving, .. } = self;
        if is_first {
            held.clear();
        }
        missing.iter_mut().zip(&*change).for_each(|(missing, change)| *missing = h * change);
        let next = held.next(missing, |x| solve(robot, place, x, solving));
        if next.square.is_finite() {
            change.iter_mut().zip(next.momentum).for_each(|(change, p)| *change = p / h);
        }
        self.exchange(force);
        most
    }

    /// Writes the change of F to that with the velocity w; returns the largest of h F, each by the momentum that there is, if that is
    /// above one.
    fn find_anew(&mut self, robot: Robot<'_>, h: f64, (q, w): (&[f64], &[f64])) -> f64 {
        self.velocity.copy_from_slice(w);
        self.evaluate_at_beginning(robot, q);
        self.change.copy_from_slice(&self.acting);
        self.write_force(h);
        let mut most = 0.0;
        for i in 0..robot.nv {
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
    fn exchange(&mut self, force: &mut [f64]) {
        let parts = self.acting.iter_mut().zip(force).zip(&self.change);
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
