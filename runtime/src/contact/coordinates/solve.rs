//! Steps that are solved with contacts alone as rows.

use super::super::candidate;
use super::super::restitution::Phase;
use super::super::stepper::{Core, Outcome};
use super::super::{Conditions, Error};
use super::Coordinates;
use super::law::Law;
use crate::kernel::{Computation, Real, compute_with};
use crate::model::Robot;
use crate::slices::worse;

/// κ: what holds a coordinate has so many times its inertia.
const HOLDING: f64 = 1e5;

/// Most passes. What they do not find is solved for velocities.
const PASSES: usize = 6;

/// The largest natural residual of a law, m/s or rad/s, relative to its velocities if these are above one.
pub(super) const NEGLIGIBLE: f64 = 1e-11;

/// The same where motors insist on their velocities: what they drive against a contact by this or less is no fight.
const INSISTENT: f64 = 1e-13;

/// κ of the last pass where rounding of κ ρ v⁺ is more than the residual that a step may have, and the share of that which it may be.
const POLISHING: f64 = 1e2;
const SHARE: f64 = 0.1;

/// A step by the laws of coordinates, as a computation of its own: steps of contacts alone are faster without it between them.
struct ByCoordinates<'a> {
    core: &'a mut Core,
    robot: Robot<'a>,
    state: (&'a [f64], &'a [f64]),
    during: (f64, f64),
    conditions: &'a Conditions,
}

impl Computation for ByCoordinates<'_> {
    type Output = Option<Result<Option<Outcome>, Error>>;

    #[inline(always)]
    fn run<A: Real>(self) -> Self::Output {
        let Self { core, robot, state, during, conditions } = self;
        Some(core.solve_by_coordinates::<A>(robot, state, during, conditions))
    }
}

/// The dynamics without what laws add to them, by which contacts and limits give way.
struct Plain<'a> {
    core: &'a mut Core,
    robot: Robot<'a>,
    state: (&'a [f64], &'a [f64]),
    during: (f64, f64),
}

impl Computation for Plain<'_> {
    type Output = Option<Result<(), Error>>;

    #[inline(always)]
    fn run<A: Real>(self) -> Self::Output {
        let Self { core, robot, state, during } = self;
        let evaluated = core.evaluate_dynamics::<A>(robot, state, during);
        core.know_mobility::<A>(true);
        Some(evaluated)
    }
}

impl Core {
    /// Adds what acts on single coordinates to inertia and force; whether anything may, and the step may be solved so.
    #[inline(always)]
    pub(in crate::contact) fn begin_coordinates<A: Real>(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        (time, h): (f64, f64),
        conditions: &Conditions,
    ) -> Result<bool, Error> {
        self.coordinates.are_used = false;
        let laws = (h, conditions);
        let margin = conditions.formulation.margin();
        let acts = !self.dry_friction.is_empty()
            || self.motors.bounded().next().is_some()
            || !self.spans.are_free((q, v), h, margin);
        let may = acts
            && !self.chains.is_used()
            && self.explicit.springs.are_none()
            && self.suits_together(laws)
            && self.may_be_apart();
        if may {
            let is_relative = conditions.formulation.is_relative();
            if is_relative {
                let core = &mut *self;
                let plain = Plain { core, robot, state: (q, v), during: (time, h) };
                compute_with::<A, _>(plain).unwrap_or(Ok(()))?;
            } else {
                self.know_mobility::<A>(false);
            }
            return Ok(self.list_coordinates(robot, (q, v), laws, is_relative));
        }
        Ok(false)
    }

    /// Whether contacts may be solved side by side: not where several of one limb press that the step starts from.
    #[inline(always)]
    fn may_be_apart(&mut self) -> bool {
        let Self { dynamics, together, impulse, is_warm, .. } = self;
        let Some(tree) = dynamics.star() else { return false };
        !*is_warm || !tree.is_crowded() || together.are_apart(tree, &impulse.normal)
    }

    #[inline(never)]
    fn list_coordinates(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        laws: (f64, &Conditions),
        is_plain: bool,
    ) -> bool {
        let Self { candidates, motors, dry_friction, impulse, spans, is_warm, .. } = self;
        candidates.clear();
        candidate::list_driven(candidates, (motors, dry_friction), laws.0);
        if *is_warm {
            candidate::list_pressing(candidates, spans, impulse, (q, v), laws);
        } else {
            self.coordinates.forget();
        }
        self.coordinates.laws.clear();
        if is_plain {
            let Self { candidates, spans, dynamics, .. } = self;
            candidate::add_limits(candidates, spans, (q, v, dynamics.free()), laws, Phase::Whole);
        }
        if !self.take_candidates(is_plain) {
            return false;
        }
        self.coordinates.know_inertia(robot, q);
        self.coordinates.added.copy_from_slice(&self.added);
        self.coordinates.force.copy_from_slice(&self.force);
        self.linearise_coordinates(false, (laws.0, HOLDING));
        true
    }

    /// Gives a law to each candidate that has none yet; whether all have one. Those whose σ is relative to A have none unless the
    /// dynamics are plain, without what laws add to them.
    fn take_candidates(&mut self, is_plain: bool) -> bool {
        let Self { coordinates, candidates, motors, impulse, is_warm, carried, dynamics, .. } =
            self;
        for candidate in &mut candidates[coordinates.laws.len()..] {
            let relative = core::mem::take(&mut candidate.demand.regularization);
            if relative > 0.0 {
                let Some((v, ..)) = candidate.on_coordinate().filter(|_| is_plain) else {
                    return false;
                };
                let Some(tree) = dynamics.star() else { return false };
                candidate.softness += relative * tree.compliance(v);
            }
            let candidate = &*candidate;
            let law = Law::new(candidate).filter(|law| motors.place(law.v).is_some());
            let Some(mut law) = law else { return false };
            let mut before = [0.0];
            if *is_warm {
                candidate.read(impulse, &[], &mut before);
            }
            law.start(before[0], carried[law.v]);
            coordinates.laws.push(law);
        }
        true
    }

    /// Adds the limits that v⁺ violates; whether there are any. `None` if one of them has no law of a coordinate.
    #[inline(always)]
    fn add_limits(&mut self, (q, v): (&[f64], &[f64]), laws: (f64, &Conditions)) -> Option<bool> {
        let Self { candidates, spans, velocity, .. } = self;
        let states = (q, v, &velocity[..]);
        let found = candidate::add_limits(candidates, spans, states, laws, Phase::Whole);
        (!found || self.take_candidates(false)).then_some(found)
    }

    /// Makes each law linear at v⁺ if that was `found`, else at ṽ, and adds them to inertia and force; whether the inertia is what
    /// it was. [`change`](Coordinates::change) is how much the force changes.
    #[inline(always)]
    fn linearise_coordinates(&mut self, found: bool, (h, holding): (f64, f64)) -> bool {
        let Self { coordinates, added, force, carried, velocity, .. } = self;
        let Coordinates { laws, inertia, slopes, change, .. } = coordinates;
        change.copy_from_slice(force);
        force.copy_from_slice(&coordinates.force);
        slopes.fill(0.0);
        let mut stays = true;
        for law in laws.iter_mut() {
            let v = law.v;
            let [before, _] = law.inertia_and_momentum();
            law.linearise(if found { velocity[v] } else { carried[v] }, inertia[v], holding);
            let [slope, momentum] = law.inertia_and_momentum();
            stays &= slope == before;
            slopes[v] += slope;
            force[v] += (momentum - slope * carried[v]) / h;
        }
        for ((to, plain), slope) in added.iter_mut().zip(&coordinates.added).zip(slopes) {
            *to = plain + *slope;
        }
        change.iter_mut().zip(force).for_each(|(change, force)| *change = *force - *change);
        stays
    }

    /// Finds v⁺ and Λ, and what that took. If it does not, inertia, force and dynamics are again as without the laws.
    #[inline(always)]
    pub(in crate::contact) fn solve_coordinates<A: Real>(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        during: (f64, f64),
        conditions: &Conditions,
    ) -> Result<Option<Outcome>, Error> {
        let of = ByCoordinates { core: self, robot, state, during, conditions };
        compute_with::<A, _>(of).unwrap_or(Ok(None))
    }

    /// The same, where it is inlined.
    #[inline(always)]
    fn solve_by_coordinates<A: Real>(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        (time, h): (f64, f64),
        conditions: &Conditions,
    ) -> Result<Option<Outcome>, Error> {
        if !self.overlaps(state.0, conditions) {
            let found = self.iterate_coordinates::<A>(robot, state, (time, h), conditions)?;
            if found.is_some() {
                self.overlap.write_none(&mut self.impulse);
                self.write_together::<A>(true);
                self.write_coordinates(h);
                return Ok(found);
            }
        }
        self.added.copy_from_slice(&self.coordinates.added);
        self.force.copy_from_slice(&self.coordinates.force);
        self.evaluate_dynamics::<A>(robot, state, (time, h))?;
        Ok(None)
    }

    /// Writes the impulses, and the force of the step with them.
    #[inline(always)]
    fn write_coordinates(&mut self, h: f64) {
        let Self { coordinates, candidates, impulse, force, .. } = self;
        force.copy_from_slice(&coordinates.force);
        for (candidate, law) in candidates.iter().zip(&coordinates.laws) {
            candidate.write(&[law.impulse], impulse);
            force[law.v] += law.momentum() / h;
        }
        coordinates.are_used = true;
    }

    /// Newton's method; what solving took, or `None` if it does not end.
    #[inline(always)]
    fn iterate_coordinates<A: Real>(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        (time, h): (f64, f64),
        conditions: &Conditions,
    ) -> Result<Option<Outcome>, Error> {
        let (laws, mut outcome) = ((h, conditions), Outcome::default());
        self.begin_together();
        let insists = self.coordinates.laws.iter().any(Law::insists);
        let negligible = if insists { INSISTENT } else { NEGLIGIBLE };
        let mut polishes = false;
        for pass in 0..PASSES {
            let holding = if polishes { POLISHING } else { HOLDING };
            if pass > 0 && !self.linearise_coordinates(true, (h, holding)) {
                self.evaluate_dynamics::<A>(robot, state, (time, h))?;
            } else if pass > 0 {
                let Self { coordinates, dynamics, .. } = self;
                let Some(tree) = dynamics.star() else { return Ok(None) };
                tree.add_force(&coordinates.change);
            }
            if !self.solve_contacts_together::<A>(laws, false, &mut outcome) {
                return Ok(None);
            }
            let error = self.update_coordinates();
            let Some(found) = self.add_limits(state, laws) else { return Ok(None) };
            if error > negligible || error.is_nan() || found {
                continue;
            }
            if self.is_resolved() {
                return Ok((!self.together.may_rest).then_some(outcome));
            }
            if core::mem::replace(&mut polishes, true) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Whether rounding of inertias times velocities leaves the impulses of the laws as exact as a step shall be.
    fn is_resolved(&self) -> bool {
        let Self { coordinates, carried, velocity, tolerance, .. } = self;
        let most = SHARE * tolerance;
        coordinates.laws.iter().all(|law| law.rounding([carried[law.v], velocity[law.v]]) <= most)
    }

    /// Finds the impulses of the laws at v⁺; their largest natural residual, or NaN if a number is.
    #[inline(always)]
    fn update_coordinates(&mut self) -> f64 {
        let Self { coordinates, dynamics, velocity, .. } = self;
        let Some(tree) = dynamics.star() else { return f64::NAN };
        let Coordinates { laws, inertia, slopes, .. } = coordinates;
        for (v, (rho, slope)) in inertia.iter_mut().zip(slopes).enumerate() {
            *rho = tree.inertia(v) - *slope;
        }
        let mut error = 0.0;
        for law in laws.iter_mut() {
            error = worse(error, law.update(velocity[law.v], inertia[law.v]));
        }
        error
    }
}
