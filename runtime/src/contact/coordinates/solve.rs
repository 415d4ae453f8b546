//! Steps that are solved with contacts alone as rows.

use super::super::candidate;
use super::super::phase::Phase;
use super::super::solver::Outcome;
use super::super::stepper::Core;
use super::super::{Conditions, Error, Residual};
use super::law::Switching;
use super::{Acting, Coordinates, Kind};
use crate::arithmetic::{Lanes, Ordered};
use crate::fours::{add, largest, load, starts, store};
use crate::kernel::{Computation, Real, compute_with};
use crate::model::Robot;
use crate::slices::worse;

/// κ: what holds a coordinate has so many times its inertia. Where that has no bound, κ is smaller, since rounding of κ
/// times a velocity is an error of the impulse.
const HOLDING: f64 = 1e6;
const INSISTING: f64 = 1e5;

/// Most passes, and most of them in which contacts are by the convex law. What they do not find is solved for velocities.
/// A humanoid whose joints rub takes up to ten from nothing.
const PASSES: usize = 16;
const RELAXED: usize = 6;

/// After so many passes laws switch [slowly](Switching::slowly). After so many, only those switch whose natural residuals have this
/// share of the largest, since laws that switch at once may do so in a cycle.
const FAST: usize = 2;
const AT_ONCE: usize = 5;
const WORST: f64 = 0.5;

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

impl Core {
    /// κ.
    pub(super) fn holding(&self) -> f64 {
        if self.coordinates.insists { INSISTING } else { HOLDING }
    }

    /// Lists the limits that v⁺ violates. Returns whether there are new ones.
    #[inline(always)]
    fn list_violated<A: Real>(
        &mut self,
        (q, v): (&[f64], &[f64]),
        laws: (f64, &Conditions),
    ) -> bool {
        let Self { candidates, spans, velocity, .. } = self;
        candidate::add_limits::<A>(candidates, spans, (q, v, velocity), laws, Phase::Whole)
    }

    /// Gives a law to each of the limits that were listed last. Returns false if one gets none.
    #[cold]
    fn take_violated<A: Real>(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        during: (f64, f64),
        conditions: &Conditions,
    ) -> Result<bool, Error> {
        let is_plain = conditions.formulation.normal().is_relative();
        if is_plain {
            self.remove_laws();
            self.evaluate_plain::<A>(robot, state, during)?;
        }
        Ok(self.take_limits(is_plain, 0.0))
    }

    /// Makes inertia and force what they are without the laws.
    #[inline(always)]
    fn remove_laws(&mut self) {
        self.added.copy_from_slice(&self.coordinates.added);
        self.force.copy_from_slice(&self.coordinates.force);
    }

    /// Makes each law linear at v⁺ if that was `found`, else at ṽ, and adds them to inertia and force; whether the inertia is what
    /// it was. [`change`](Coordinates::change) is how much the force changes.
    #[inline(always)]
    pub(super) fn linearise_coordinates<A: Real>(
        &mut self,
        found: bool,
        h: f64,
        switching: &Switching,
    ) -> bool {
        let Self { coordinates, added, force, carried, velocity, .. } = self;
        let Coordinates { laws, inertia, slopes, change, .. } = coordinates;
        let none = A::Quad::splat(0.0);
        let (by, mut moved) = (A::Quad::splat(1.0 / h), none);
        for i in starts(force.len()) {
            store::<A>(change, i, load::<A>(force, i));
            store::<A>(slopes, i, none);
            store::<A>(added, i, load::<A>(&coordinates.added, i));
        }
        for i in starts(force.len()) {
            store::<A>(force, i, load::<A>(&coordinates.force, i));
        }
        for &mut Acting { ref mut law, first, .. } in &mut laws.acting {
            let (carried, rho) = (load::<A>(carried, first), load::<A>(inertia, first));
            let v = if found { load::<A>(velocity, first) } else { carried };
            let [slope, constant, turn] = law.linearise::<A>(v, rho, switching);
            moved = turn.maximum(moved);
            add::<A>(slopes, first, slope);
            add::<A>(added, first, slope);
            add::<A>(force, first, by * (constant - slope * carried));
        }
        change.iter_mut().zip(force).for_each(|(change, force)| *change = *force - *change);
        moved.are_at_most(none)
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
                self.write_coordinates::<A>(h);
                return Ok(found);
            }
        }
        self.remove_laws();
        self.evaluate_dynamics::<A>(robot, state, (time, h))?;
        Ok(None)
    }

    /// Writes the impulses, and the force of the step with them.
    #[inline(always)]
    fn write_coordinates<A: Real>(&mut self, h: f64) {
        let Self { coordinates, impulse, force, .. } = self;
        let by = A::Quad::splat(1.0 / h);
        force.copy_from_slice(&coordinates.force);
        coordinates.laws.write::<A>(impulse);
        for Acting { law, first, .. } in &coordinates.laws.acting {
            add::<A>(force, *first, by * A::Quad::pack(law.impulse));
        }
        coordinates.are_used = true;
    }

    /// Makes the residual worse by those of what acts on single coordinates.
    #[inline(always)]
    pub(in crate::contact) fn judge_coordinates<A: Real>(&self, residual: &mut Residual) {
        let Self { coordinates: Coordinates { laws, .. }, dynamics, velocity, .. } = self;
        let (none, free) = (A::Quad::splat(0.0), dynamics.free());
        let mut parts = [[none; 2]; Kind::ALL.len()];
        for &Acting { kind, first, ref law } in &laws.acting {
            let (free, v) = (load::<A>(free, first), load::<A>(velocity, first));
            let left = law.residual::<A>(free, v);
            let [most, sum] = &mut parts[kind as usize];
            (*most, *sum) = (left.maximum(*most), *sum + left);
        }
        for (kind, [most, sum]) in Kind::ALL.into_iter().zip(parts) {
            let part = match kind {
                Kind::Motor => &mut residual.motors,
                Kind::DryFriction => &mut residual.dry_friction,
                Kind::Lower | Kind::Upper => &mut residual.limits,
            };
            *part = worse(*part, worst_of::<A>(most, sum));
        }
    }

    /// Lets the next solver start from the impulses that were reached here, if there are any.
    #[inline(always)]
    pub(in crate::contact) fn start_from_coordinates<A: Real>(&mut self) {
        let Self { coordinates, together, impulse, .. } = self;
        if coordinates.has_start {
            impulse.clear();
            together.write::<A>(impulse);
            coordinates.laws.write::<A>(impulse);
        }
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
        let negligible = if self.coordinates.insists { INSISTENT } else { NEGLIGIBLE };
        let (mut error, mut found, mut polishes) = (f64::INFINITY, false, false);
        let mut relaxed = 0;
        for pass in 0..PASSES {
            if pass > 0 {
                let switching = self.switching(pass, error, polishes);
                let is_as_it_was = self.linearise_coordinates::<A>(true, h, &switching) && !found;
                self.change_dynamics::<A>(robot, state, (time, h), is_as_it_was)?;
            }
            if !self.solve_contacts_together::<A>(laws, false, &mut outcome) {
                return Ok(None);
            }
            let [now, hidden] = self.update_coordinates::<A>();
            error = now;
            self.coordinates.has_start = error.is_finite() && !self.together.is_relaxed;
            if error.is_nan() {
                return Ok(None);
            }
            found = self.list_violated::<A>(state, laws);
            if found && !self.take_violated::<A>(robot, state, (time, h), conditions)? {
                return Ok(None);
            }
            let is_over = !found && error <= negligible;
            if self.together.is_relaxed {
                relaxed += 1;
                if is_over || relaxed > RELAXED {
                    return Ok(None);
                }
                // Of several solutions one near the last step's is sought.
                if self.is_warm {
                    self.restart_together();
                }
                continue;
            }
            if !is_over {
                continue;
            }
            if hidden <= SHARE * self.tolerance {
                let stays = !self.together.may_rest || self.stays::<A>(state, laws);
                return Ok(stays.then_some(outcome));
            }
            if core::mem::replace(&mut polishes, true) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Brings the dynamics up to date with what laws add now. If the inertia `is_as_it_was`, the change of the force is enough.
    #[inline(always)]
    fn change_dynamics<A: Real>(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        during: (f64, f64),
        is_as_it_was: bool,
    ) -> Result<(), Error> {
        let Self { coordinates, dynamics, .. } = self;
        match dynamics.star() {
            Some(tree) if is_as_it_was => {
                tree.add_force::<A>(&coordinates.change);
                Ok(())
            }
            _ => self.evaluate_dynamics::<A>(robot, state, during),
        }
    }

    /// How laws switch at the beginning of a pass, from the largest natural residual of the last one.
    #[inline(always)]
    fn switching(&self, pass: usize, error: f64, polishes: bool) -> Switching {
        let holding = if polishes { POLISHING } else { self.holding() };
        let least = if pass < AT_ONCE { 0.0 } else { WORST * error };
        Switching { holding, slowly: (pass >= FAST).then_some(least) }
    }

    /// Whether no solution at rest is beside the one found. The convex law is solved with the laws of coordinates as they are linear
    /// now. That answers the question if it moves as well, and if the laws are linear in the same way there.
    #[inline(never)]
    fn stays<A: Real>(&mut self, (q, v): (&[f64], &[f64]), laws: (f64, &Conditions)) -> bool {
        let mut velocity = core::mem::take(&mut self.room);
        let stays = self.stays_together::<A>(&laws.1.formulation, &mut velocity)
            && self.fits::<A>((q, v, &velocity), laws);
        self.room = velocity;
        stays
    }

    /// Whether the laws are linear in the same way at another velocity at the end, and no further limit acts there.
    #[inline(always)]
    fn fits<A: Real>(
        &mut self,
        (q, v, end): (&[f64], &[f64], &[f64]),
        laws: (f64, &Conditions),
    ) -> bool {
        let Self { coordinates, candidates, spans, together, .. } = self;
        let (mut most, mut sum) = (A::Quad::splat(0.0), A::Quad::splat(0.0));
        for &Acting { first, ref law, .. } in &coordinates.laws.acting {
            let rho = load::<A>(&coordinates.inertia, first);
            let [_, error] = law.at::<A>(load::<A>(end, first), rho);
            (most, sum) = (error.maximum(most), sum + error);
        }
        let presses =
            candidate::add_limits::<A>(candidates, spans, (q, v, end), laws, Phase::Whole);
        candidates.truncate(coordinates.taken);
        !presses && worst_of::<A>(most, sum) <= together.no_motion()
    }

    /// Finds the impulses of the laws at v⁺; their largest natural residual, or NaN if a number is, and the largest share of them that
    /// rounding of inertias times velocities may be.
    #[inline(always)]
    fn update_coordinates<A: Real>(&mut self) -> [f64; 2] {
        let Self { coordinates, dynamics, velocity, carried, .. } = self;
        let Some(tree) = dynamics.star() else { return [f64::NAN; 2] };
        let Coordinates { laws, inertia, slopes, .. } = coordinates;
        for (v, (rho, slope)) in inertia.iter_mut().zip(slopes).enumerate() {
            *rho = tree.inertia(v) - *slope;
        }
        let none = A::Quad::splat(0.0);
        let (mut most, mut sum, mut hidden) = (none, none, none);
        for &mut Acting { ref mut law, first, .. } in &mut laws.acting {
            let (v, rho) = (load::<A>(velocity, first), load::<A>(inertia, first));
            let error = law.update::<A>(v, rho);
            (most, sum) = (error.maximum(most), sum + error);
            let fastest = load::<A>(carried, first).abs().maximum(v.abs());
            hidden = law.rounding::<A>(fastest).maximum(hidden);
        }
        [worst_of::<A>(most, sum), largest::<A>(hidden)]
    }
}

/// The largest of errors with this sum; NaN if one of them is.
#[inline(always)]
fn worst_of<A: Real>(most: A::Quad, sum: A::Quad) -> f64 {
    if sum.sum().is_nan() { f64::NAN } else { largest::<A>(most) }
}
