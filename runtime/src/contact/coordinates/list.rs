//! Which laws act in a step, and what their impulses start from.

use super::super::candidate::{self, Source};
use super::super::limit::Dry;
use super::super::motor;
use super::super::phase::Phase;
use super::super::stepper::Core;
use super::super::{Conditions, Error};
use super::law::{Row, Switching};
use super::{Coordinates, Kind};
use crate::arithmetic::{Baseline, Lanes};
use crate::fours::{add, load, starts, store};
use crate::kernel::{Computation, Real, compute_with};
use crate::model::Robot;

/// The speed, m/s or rad/s, that limits are taken to stop where it is not known what held coordinates before: gravity gives 10⁻² m/s in
/// a millisecond.
const APPROACH: f64 = 1e-2;

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
    /// Evaluates the dynamics where nothing is added to them, by which contacts and limits give way.
    #[inline(always)]
    pub(super) fn evaluate_plain<A: Real>(
        &mut self,
        robot: Robot<'_>,
        state: (&[f64], &[f64]),
        during: (f64, f64),
    ) -> Result<(), Error> {
        let plain = Plain { core: self, robot, state, during };
        compute_with::<A, _>(plain).unwrap_or(Ok(()))
    }

    /// Whether dry friction, a motor with a bound or a limit may act in a step from this state.
    #[inline(always)]
    pub(in crate::contact) fn may_coordinates_act<A: Real>(
        &self,
        state: (&[f64], &[f64]),
        (h, conditions): (f64, &Conditions),
    ) -> bool {
        let margin = conditions.formulation.normal().margin();
        !self.dry_friction.is_empty()
            || self.motors.bounded().next().is_some()
            || !self.spans.are_free::<A>(state, h, margin)
    }

    /// Adds what acts on single coordinates to inertia and force, if something [may act](Self::may_coordinates_act). Returns whether the
    /// step may be solved so.
    #[inline(always)]
    pub(in crate::contact) fn begin_coordinates<A: Real>(
        &mut self,
        robot: Robot<'_>,
        (q, v): (&[f64], &[f64]),
        (time, h): (f64, f64),
        conditions: &Conditions,
        acts: bool,
    ) -> Result<bool, Error> {
        let knows_applied = self.coordinates.begin();
        let laws = (h, conditions);
        let may = acts
            && !self.chains.is_used()
            && self.explicit.springs.are_none()
            && self.suits_together(laws)
            && self.may_be_apart();
        if may {
            let is_relative = conditions.formulation.normal().is_relative();
            if is_relative {
                self.evaluate_plain::<A>(robot, (q, v), (time, h))?;
            } else {
                self.know_mobility::<A>(false);
            }
            let is_known = knows_applied && self.is_warm;
            let are_listed = self.list_coordinates((q, v), laws, (is_relative, is_known));
            if are_listed {
                self.start_holding::<A>(is_known, h);
                let switching = Switching { holding: self.holding(), slowly: None };
                self.linearise_coordinates::<A>(false, h, &switching);
            }
            return Ok(are_listed);
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
        (q, v): (&[f64], &[f64]),
        laws: (f64, &Conditions),
        (is_plain, is_known): (bool, bool),
    ) -> bool {
        let Self { candidates, coordinates, impulse, spans, is_warm, .. } = self;
        candidates.clear();
        coordinates.laws.clear();
        (coordinates.insists, coordinates.taken) = (false, 0);
        if *is_warm {
            candidate::list_pressing(candidates, spans, impulse, (q, v), laws);
        } else {
            coordinates.forget();
        }
        let approach = if is_known { 0.0 } else { APPROACH };
        if !is_known {
            candidate::list_near(candidates, spans, (q, v), laws, approach);
        }
        if is_plain {
            let Self { candidates, spans, dynamics, .. } = self;
            let states = (q, v, dynamics.free());
            candidate::add_limits::<Baseline>(candidates, spans, states, laws, Phase::Whole);
        }
        let are_taken = self.take_motors()
            && self.take_dry_friction(laws.0)
            && self.take_limits(is_plain, approach);
        if !are_taken {
            return false;
        }
        let Self { coordinates, added, force, .. } = self;
        coordinates.added.copy_from_slice(added);
        coordinates.force.copy_from_slice(force);
        true
    }

    /// Gives each motor with a bound a law. Returns false if one gets none: on a coordinate that turns with others, or has two motors.
    fn take_motors(&mut self) -> bool {
        let Self { coordinates, motors, impulse, is_warm, carried, .. } = self;
        for &(v, motor::Row { target, softness, bound }) in motors.bounded() {
            let before = if *is_warm { Kind::Motor.read(impulse, v) } else { 0.0 };
            let row = Row { bounds: [-bound, bound], target, softness };
            coordinates.insists |= bound == f64::INFINITY && softness == 0.0;
            let is_alone = motors.implicit().all(|(other, _)| *other != v);
            if !(is_alone && coordinates.laws.put(Kind::Motor, v, &row, (before, carried[v]))) {
                return false;
            }
        }
        true
    }

    /// Gives dry friction of each coordinate a law. Returns false if there is dry friction of a ball.
    fn take_dry_friction(&mut self, h: f64) -> bool {
        let Self { coordinates, dry_friction, impulse, is_warm, carried, .. } = self;
        for &Dry { v, bound, is_ball } in &*dry_friction {
            let before = if *is_warm { Kind::DryFriction.read(impulse, v) } else { 0.0 };
            let bounds = [-h * bound, h * bound];
            coordinates.insists |= bound == f64::INFINITY;
            let row = Row { bounds, target: 0.0, softness: 0.0 };
            if is_ball || !coordinates.laws.put(Kind::DryFriction, v, &row, (before, carried[v])) {
                return false;
            }
        }
        true
    }

    /// Gives each new limit a law. One without an impulse starts from that which stops `approach`, m/s or rad/s. Returns false if one
    /// gets none: σ relative to A is known only if the dynamics are plain, without what laws add to them.
    pub(super) fn take_limits(&mut self, is_plain: bool, approach: f64) -> bool {
        let Self { coordinates, candidates, impulse, is_warm, carried, dynamics, .. } = self;
        for candidate in &candidates[coordinates.taken..] {
            let Source::Limit(limit) = candidate.source else { return false };
            let (relative, mut softness) = (candidate.demand.regularization, candidate.softness);
            if relative > 0.0 {
                let Some(tree) = dynamics.star().filter(|_| is_plain) else { return false };
                softness += relative * tree.compliance(limit.v);
            }
            let (kind, bounds) = match limit.upper {
                false => (Kind::Lower, [0.0, f64::INFINITY]),
                true => (Kind::Upper, [f64::NEG_INFINITY, 0.0]),
            };
            let before = if *is_warm { kind.read(impulse, limit.v) } else { 0.0 };
            let is_new = before == 0.0 && softness == 0.0;
            let stopping = limit.sign() * coordinates.inertia[limit.v] * approach;
            let before = if is_new { stopping } else { before };
            let row = Row { bounds, target: limit.sign() * candidate.demand.target[0], softness };
            if !coordinates.laws.put(kind, limit.v, &row, (before, carried[limit.v])) {
                return false;
            }
        }
        coordinates.taken = candidates.len();
        true
    }

    /// Takes the change of the applied impulses since the last step, if it `is_known`, off the impulses of what held coordinates.
    #[inline(always)]
    fn start_holding<A: Real>(&mut self, is_known: bool, h: f64) {
        let Self { coordinates: Coordinates { laws, applied, knows_applied, .. }, force, .. } =
            self;
        *knows_applied = true;
        applied.swap(0, 1);
        let [before, now] = applied;
        for i in starts(force.len()) {
            store::<A>(now, i, A::Quad::splat(h) * load::<A>(force, i));
        }
        for k in 0..laws.firsts.len() {
            let first = laws.firsts[k];
            if let Some(motor) = laws.get_mut(Kind::Motor, k) {
                add::<A>(now, first, motor.applied::<A>());
            }
            if !is_known {
                continue;
            }
            let mut change = load::<A>(now, first) - load::<A>(before, first);
            for kind in [Kind::DryFriction, Kind::Lower, Kind::Upper, Kind::Motor] {
                if let Some(law) = laws.get_mut(kind, k) {
                    change = law.cancel::<A>(change);
                }
            }
        }
    }
}
