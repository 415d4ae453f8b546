//! The second half of a step: from w to where it leads.

use super::beginning::Beginning;
use super::solving::solve;
use super::turning::{arms, hand_on, turn_linear};
use super::{Chains, HALVINGS};
use crate::contact::Error;
use crate::manifold;
use crate::model::Robot;
use crate::slices::add;

impl Chains {
    /// Writes where a step leads. Writes nothing where it is not one of the leapfrog.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`] where the step cannot follow the motion.
    #[inline]
    pub(in crate::contact) fn write_end(
        &mut self,
        robot: Robot<'_>,
        h: f64,
        from: Beginning<'_>,
        (q_end, v_end): (&mut [f64], &mut [f64]),
    ) -> Result<(), Error> {
        if !self.is_found {
            return Ok(());
        }
        if self.go_to_end(robot, h, from).is_none() {
            return Err(self.too_long(robot, h, from));
        }
        self.trends[1].note(&self.velocity, from.w);
        self.note_held(from.w);
        self.kick(robot, 0.5 * h);
        for joint in robot.joints.iter().filter(|joint| self.belongs[joint.v]) {
            (joint.q..joint.q + joint.nq).for_each(|i| q_end[i] = self.place[i]);
            (joint.v..joint.v + joint.nv).for_each(|i| v_end[i] = self.velocity[i]);
        }
        Ok(())
    }

    #[cold]
    pub(in crate::contact) fn too_long(
        &mut self,
        robot: Robot<'_>,
        h: f64,
        from: Beginning<'_>,
    ) -> Error {
        self.forget();
        let mut most = h;
        for _ in 0..HALVINGS {
            most *= 0.5;
            if self.go_to_end(robot, most, from).is_some() {
                break;
            }
        }
        Error::TooLong { step_size: h, most }
    }

    /// Goes to q₁ as `place`, and w₁ as `velocity`.
    pub(super) fn go_to_end(
        &mut self,
        robot: Robot<'_>,
        h: f64,
        Beginning { q, from, w }: Beginning<'_>,
    ) -> Option<()> {
        self.velocity.copy_from_slice(w);
        if from.is_none() && self.is_at_end(q, h) {
            return Some(());
        }
        let half = 0.5 * h;
        self.evaluate_at_beginning(robot, q);
        self.ended.forget();
        let Self { turning, momenta, target, middle, begin, turned, .. } = self;
        target.copy_from_slice(&momenta[..robot.nv]);
        middle.copy_from_slice(from.unwrap_or(q));
        begin.copy_from_slice(w);
        if let Some(from) = from {
            for turned in [&mut *target, &mut *begin] {
                manifold::chord::turn(turning, q, from, turned);
            }
        }
        hand_on(turning, -half, begin, target);
        turn_linear(turning, -half, begin, target);
        turned.clone_from(begin);
        manifold::move_on(robot.joints, half, middle, turned);
        if let Some(from) = from {
            let arms = arms(robot, turning, (q, from));
            manifold::chord::displace(turning, &arms, middle, target);
        }
        self.fall(robot, half)?;
        if from.is_none() {
            self.ended.note(&self.place, &self.velocity, &self.momenta);
            self.ended_after = h;
        }
        Some(())
    }

    /// Whether it is known where `velocity` leads from q in h seconds as w; `place` and `velocity` are then there.
    fn is_at_end(&mut self, q: &[f64], h: f64) -> bool {
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
    pub(in crate::contact) fn place(&self) -> &[f64] {
        &self.place
    }

    /// From w as it is in `begin`, by the middle, to w₁ as `velocity`; nothing where a step cannot follow the motion.
    fn fall(&mut self, robot: Robot<'_>, half: f64) -> Option<()> {
        loop {
            let is_known = self.trends[1].is_known();
            if is_known {
                self.trends[1].expect(&mut self.missing);
            } else {
                self.missing.copy_from_slice(&self.expected);
                solve(robot, &self.place, &mut self.missing, &mut self.solving);
            }
            self.velocity.clone_from(&self.begin);
            add(&mut self.velocity, 1.0, &self.missing);
            self.move_to_end(half);
            self.evaluate(robot);
            let go = |chains: &mut Self| chains.move_to_end(half);
            match self.iterate(robot, 1, |chains| chains.lack_at_end(half), go) {
                Some(()) => {
                    self.evaluate(robot);
                    return Some(());
                }
                None if is_known => self.trends[1].forget(),
                None => return None,
            }
        }
    }

    /// Goes from the middle of a step to its end with `velocity`, which is in the axes of the end.
    fn move_to_end(&mut self, half: f64) {
        let Self { table, turning, place, velocity, middle, turned, .. } = self;
        turned.clone_from(velocity);
        turn_linear(turning, half, velocity, turned);
        place.clone_from(middle);
        manifold::move_on(table.joints, half, place, turned);
    }

    /// Writes what is missing of the momentum of `velocity` as w₁.
    fn lack_at_end(&mut self, half: f64) {
        let Self { turning, momenta, velocity, target, missing, .. } = self;
        missing.copy_from_slice(&momenta[..velocity.len()]);
        hand_on(turning, half, velocity, missing);
        turn_linear(turning, half, velocity, missing);
        missing.iter_mut().zip(&*target).for_each(|(missing, target)| *missing = target - *missing);
    }

    /// From w₁ as `velocity` to v₁.
    fn kick(&mut self, robot: Robot<'_>, half: f64) {
        // What is still missing of the momentum comes with the kick, turned by half a step too much.
        self.lack_at_end(half);
        let Self { turning, momenta, velocity, missing, place, solving, .. } = self;
        let (momentum, rate) = momenta.split_at_mut(robot.nv);
        let parts = missing.iter_mut().zip(momentum.iter().zip(rate));
        parts.for_each(|(missing, (p, rate))| *missing += half * *rate - p);
        // What w₁ has is that of the middle, half a turn before.
        hand_on(turning, -half, velocity, momentum);
        add(missing, 1.0, momentum);
        solve(robot, place, missing, solving);
        add(velocity, 1.0, missing);
    }
}
