//! The second half of a step: from w to where it leads.

use super::turning::{hand_on, turn_linear};
use super::{Chains, ITERATIONS, factor, solve};
use crate::manifold;
use crate::model::Model;
use crate::slices::{add, multiply};
use crate::space::Storage;

impl<M: Model> Chains<M> {
    /// Writes where a step leads that begins at `q` with w; nothing where it is not one of theirs.
    #[inline]
    pub(in crate::contact) fn write_end(
        &mut self,
        model: &M,
        h: f64,
        from: (&M::Q, &M::V),
        (q_end, v_end): (&mut M::Q, &mut M::V),
    ) {
        if !self.is_found {
            return;
        }
        let Some(end) = self.finish(model, h, from) else { return };
        for joint in M::JOINTS.iter().filter(|joint| self.belongs[joint.v]) {
            (joint.q..joint.q + joint.nq).for_each(|i| q_end[i] = end[i]);
            (joint.v..joint.v + joint.nv).for_each(|i| v_end[i] = self.velocity[i]);
        }
    }

    /// q₁, and v₁ as `velocity`.
    fn finish(&mut self, model: &M, h: f64, (q, w): (&M::Q, &M::V)) -> Option<M::Q> {
        let half = 0.5 * h;
        self.target.fill(0.0);
        multiply(&mut self.target, self.mass.as_slice(), w.as_slice());
        hand_on(&self.turning, -half, w.as_slice(), &mut self.target);
        turn_linear(&self.turning, -half, w.as_slice(), &mut self.target);
        let (mut middle, mut turned) = (q.clone(), w.clone());
        manifold::move_on(M::JOINTS, half, middle.as_mut_slice(), turned.as_mut_slice());
        self.velocity.clone_from(w);
        add(self.velocity.as_mut_slice(), 1.0, &self.drift);
        let mut end = middle.clone();
        let mut evaluate = |chains: &mut Self| {
            end.clone_from(&middle);
            chains.move_to_end(half, &mut end);
            chains.evaluate(model, &end);
        };
        evaluate(self);
        self.iterate(|chains| chains.lack_at_end(half), evaluate)?;
        self.kick(model, half, &end)?;
        Some(end)
    }

    /// Moves the middle of a step to its end with `velocity`, which is in the axes of the end.
    fn move_to_end(&self, half: f64, middle: &mut M::Q) {
        let mut turned = self.velocity.clone();
        turn_linear(&self.turning, half, self.velocity.as_slice(), turned.as_mut_slice());
        manifold::move_on(M::JOINTS, half, middle.as_mut_slice(), turned.as_mut_slice());
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
    fn kick(&mut self, model: &M, half: f64, end: &M::Q) -> Option<()> {
        factor(model, end, (&mut self.end.0, &mut self.end.1))?;
        let Self { turning, momenta, velocity, missing, .. } = self;
        let (momentum, rate) = momenta.split_at(M::NV);
        // What w₁ has is that of the middle, half a turn before.
        missing.copy_from_slice(momentum);
        hand_on(turning, -half, velocity.as_slice(), missing);
        let parts = missing.iter_mut().zip(momentum.iter().zip(rate));
        parts.for_each(|(missing, (p, rate))| *missing += half * rate - p);
        solve(&self.end.1, missing);
        add(velocity.as_mut_slice(), 1.0, missing);
        Some(())
    }

    /// The inverse of [`write_end`](Self::write_end): w of a step that begins at `q`, from near it and v₁.
    pub(in crate::contact) fn undo(
        &mut self,
        model: &M,
        h: f64,
        q: &M::Q,
        (w, v_end): (&mut M::V, &M::V),
    ) {
        let mut last = f64::INFINITY;
        for _ in 0..3 * ITERATIONS {
            if !self.is_found || self.finish(model, h, (q, w)).is_none() {
                return;
            }
            let mut change: f64 = 0.0;
            for i in (0..M::NV).filter(|i| self.belongs[*i]) {
                change += (v_end[i] - self.velocity[i]).abs();
                w[i] += v_end[i] - self.velocity[i];
            }
            // Each time it is nearer, down to rounding.
            if change == 0.0 || change >= last {
                return;
            }
            last = change;
        }
    }
}
