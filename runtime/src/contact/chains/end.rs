//! The second half of a step: from w to where it leads.

use super::turning::{arms, hand_on, turn_linear};
use super::{Chains, HALVINGS, solve};
use crate::contact::Error;
use crate::manifold;
use crate::model::Model;
use crate::slices::add;
use crate::space::Storage;

/// What the second half of a step begins with.
#[derive(Debug)]
pub(in crate::contact) struct Beginning<'a, M: Model> {
    /// Where the step begins.
    pub(in crate::contact) q: &'a M::Q,
    /// Where what overlaps there is displaced to, if anything is.
    pub(in crate::contact) from: Option<&'a M::Q>,
    pub(in crate::contact) w: &'a M::V,
}

impl<M: Model> Clone for Beginning<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Model> Copy for Beginning<'_, M> {}

impl<M: Model> Chains<M> {
    /// Writes where a step leads. Writes nothing where it is not one of the leapfrog.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] where the step cannot follow the motion.
    #[inline]
    pub(in crate::contact) fn write_end(
        &mut self,
        model: &M,
        h: f64,
        from: Beginning<'_, M>,
        (q_end, v_end): (&mut M::Q, &mut M::V),
    ) -> Result<(), Error> {
        if !self.is_found {
            return Ok(());
        }
        if self.go_to_end(model, h, from).is_none() {
            return Err(self.too_long(model, h, from));
        }
        self.trends[1].note(self.velocity.as_slice(), from.w.as_slice());
        self.note_held(from.w);
        self.kick(model, 0.5 * h);
        for joint in M::JOINTS.iter().filter(|joint| self.belongs[joint.v]) {
            (joint.q..joint.q + joint.nq).for_each(|i| q_end[i] = self.place[i]);
            (joint.v..joint.v + joint.nv).for_each(|i| v_end[i] = self.velocity[i]);
        }
        Ok(())
    }

    #[cold]
    pub(in crate::contact) fn too_long(
        &mut self,
        model: &M,
        h: f64,
        from: Beginning<'_, M>,
    ) -> Error {
        self.forget();
        let mut most = h;
        for _ in 0..HALVINGS {
            most *= 0.5;
            if self.go_to_end(model, most, from).is_some() {
                break;
            }
        }
        Error::TooLong { step_size: h, most }
    }

    /// Goes to q₁ as `place`, and w₁ as `velocity`.
    pub(super) fn go_to_end(
        &mut self,
        model: &M,
        h: f64,
        Beginning { q, from, w }: Beginning<'_, M>,
    ) -> Option<()> {
        self.velocity.clone_from(w);
        if from.is_none() && self.is_at_end(q, h) {
            return Some(());
        }
        let half = 0.5 * h;
        self.evaluate_at_beginning(model, q);
        self.ended.forget();
        self.target.copy_from_slice(&self.momenta[..M::NV]);
        let (mut middle, mut w) = (from.unwrap_or(q).clone(), w.clone());
        if let Some(from) = from {
            for turned in [&mut self.target[..], w.as_mut_slice()] {
                manifold::chord::turn(&self.turning, q.as_slice(), from.as_slice(), turned);
            }
        }
        hand_on(&self.turning, -half, w.as_slice(), &mut self.target);
        turn_linear(&self.turning, -half, w.as_slice(), &mut self.target);
        let mut turned = w.clone();
        manifold::move_on(M::JOINTS, half, middle.as_mut_slice(), turned.as_mut_slice());
        if let Some(from) = from {
            let arms = arms(model, &self.turning, (q, from));
            let target = &mut self.target;
            manifold::chord::displace(&self.turning, &arms, middle.as_slice(), target);
        }
        self.fall(model, half, (&w, &middle))?;
        if from.is_none() {
            self.ended.note(&self.place, &self.velocity, &self.momenta);
            self.ended_after = h;
        }
        Some(())
    }

    /// Whether it is known where `velocity` leads from q in h seconds as w; `place` and `velocity` are then there.
    fn is_at_end(&mut self, q: &M::Q, h: f64) -> bool {
        let Self { begun, ended, place, velocity, momenta, .. } = self;
        let is_known = ended.is_known() && self.ended_after == h && begun.is_of(q, velocity);
        if is_known {
            place.clone_from(&ended.place);
            velocity.clone_from(&ended.velocity);
            momenta.copy_from_slice(&ended.momenta);
        }
        is_known
    }

    /// Where the last step that was gone to its end leads.
    pub(in crate::contact) fn place(&self) -> &M::Q {
        &self.place
    }

    /// From w to w₁ as `velocity`; nothing where a step cannot follow the motion.
    fn fall(&mut self, model: &M, half: f64, (w, middle): (&M::V, &M::Q)) -> Option<()> {
        loop {
            let is_known = self.trends[1].is_known();
            if is_known {
                self.trends[1].expect(&mut self.missing);
            } else {
                self.missing.copy_from_slice(&self.expected);
                solve(model, &self.place, &mut self.missing);
            }
            self.velocity.clone_from(w);
            add(self.velocity.as_mut_slice(), 1.0, &self.missing);
            self.move_to_end(half, middle);
            self.evaluate(model);
            let go = |chains: &mut Self| chains.move_to_end(half, middle);
            match self.iterate(model, 1, |chains| chains.lack_at_end(half), go) {
                Some(()) => {
                    self.evaluate(model);
                    return Some(());
                }
                None if is_known => self.trends[1].forget(),
                None => return None,
            }
        }
    }

    /// Goes from the middle of a step to its end with `velocity`, which is in the axes of the end.
    fn move_to_end(&mut self, half: f64, middle: &M::Q) {
        let mut turned = self.velocity.clone();
        turn_linear(&self.turning, half, self.velocity.as_slice(), turned.as_mut_slice());
        self.place.clone_from(middle);
        manifold::move_on(M::JOINTS, half, self.place.as_mut_slice(), turned.as_mut_slice());
    }

    /// Writes what is missing of the momentum of `velocity` as w₁.
    fn lack_at_end(&mut self, half: f64) {
        let Self { turning, momenta, velocity, target, missing, .. } = self;
        missing.copy_from_slice(&momenta[..M::NV]);
        hand_on(turning, half, velocity.as_slice(), missing);
        turn_linear(turning, half, velocity.as_slice(), missing);
        missing.iter_mut().zip(&*target).for_each(|(missing, target)| *missing = target - *missing);
    }

    /// From w₁ as `velocity` to v₁.
    fn kick(&mut self, model: &M, half: f64) {
        // What is still missing of the momentum comes with the kick, turned by half a step too much.
        self.lack_at_end(half);
        let Self { turning, momenta, velocity, missing, place, .. } = self;
        let (momentum, rate) = momenta.split_at_mut(M::NV);
        let parts = missing.iter_mut().zip(momentum.iter().zip(rate));
        parts.for_each(|(missing, (p, rate))| *missing += half * *rate - p);
        // What w₁ has is that of the middle, half a turn before.
        hand_on(turning, -half, velocity.as_slice(), momentum);
        add(missing, 1.0, momentum);
        solve(model, place, missing);
        add(velocity.as_mut_slice(), 1.0, missing);
    }
}
