//! One step of a world.

use alloc::vec::Vec;

use super::collide::{Meeting, Owner, ShapeOf, Things};
use super::member::Member;
use super::shapes::Mover;
use super::surface::Surface;
use super::touches::Touched;
use super::{World, WorldError};
use crate::bound::Bound;
use crate::check::ROUNDING;
use crate::contact::{self, Between, Failure, Outcome, ROWS, Residual, Side, Solution, Why};
use crate::failure::SimulationError;
use crate::geometry::axes;
use crate::simulate::StepReport;

/// What a step of a world took and how good it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorldReport {
    /// Number of steps.
    pub steps: u64,
    /// The largest residual of each kind of equation.
    pub residual: Residual,
    /// The deepest penetration at the beginning of a step, m.
    pub penetration: f64,
    /// Points between robots, bodies and ground in the last step, acting or not.
    pub points: usize,
    /// The most robots and bodies that were solved as one, as they push each other.
    pub largest_island: usize,
    /// Pivots or iterations of the solvers.
    pub pivots: usize,
}

impl World {
    /// Moves on by one step.
    ///
    /// # Errors
    ///
    /// [`WorldError::Robot`] of what goes wrong with one robot or body, [`WorldError::Overlap`] of what overlaps in the first step,
    /// [`WorldError::Differs`] of a robot that was moved otherwise, and [`WorldError::Contact`] and [`WorldError::Residual`] of a
    /// problem that is not solved, or not well enough. The world is then as it was.
    pub fn step(&mut self) -> Result<WorldReport, WorldError> {
        self.check_members()?;
        for Mover { thing, member, .. } in &mut self.movers {
            // After a step that was undone its own clock is another one.
            member.parts().0.set_clock(self.clock);
            let driven = member.drive();
            driven.map_err(|error| WorldError::Robot { name: thing.name.clone(), error })?;
        }
        self.movers.iter_mut().for_each(Mover::place);
        self.find_points(false)?;
        self.check_overlap()?;
        let report = self.step_all()?;
        core::mem::swap(&mut self.touched, &mut self.passed);
        self.impulses.clear();
        let known = self.touched.iter().map(|of| (of.meeting.identity, of.impulse));
        self.impulses.extend(known);
        self.clock = self.clock.after(self.time, self.step_size);
        self.time = self.clock.time();
        Ok(report)
    }

    /// Moves all on by one step, or nothing, with all points that its velocities lead to.
    fn step_all(&mut self) -> Result<WorldReport, WorldError> {
        let mut passes = 0;
        self.known.clone_from(&self.impulses);
        let stepped = loop {
            let report = match self.step_members() {
                Ok(report) => report,
                Err(error) => break Err(error),
            };
            match self.have_missed(passes) {
                Ok(false) => break self.show().map(|()| report),
                Ok(true) => passes += 1,
                Err(error) => break Err(error),
            }
        };
        if stepped.is_err() {
            let clock = self.clock;
            self.movers.iter_mut().for_each(|mover| mover.undo(clock));
        }
        stepped
    }

    /// Moves all on by one step with the points that were found. What has moved alone in a pass before, and still touches nothing, stays.
    fn step_members(&mut self) -> Result<WorldReport, WorldError> {
        self.start_from_known();
        let points = self.collider.meetings.len();
        let gaps = self.collider.meetings.iter().map(|meeting| meeting.touch.gap);
        let penetration = gaps.fold(0.0, |deepest, gap| f64::max(deepest, -gap));
        let mut report = WorldReport { steps: 1, points, penetration, ..WorldReport::default() };
        let (alone, touching, points) = self.touching();
        if !alone.is_empty() {
            report.largest_island = 1;
        }
        for place in alone {
            let step = self.step_alone(place)?;
            report.add(&step);
        }
        if !touching.is_empty() {
            self.step_touching((&touching, &points), &mut report)?;
        }
        let Self { collider, acting, passed, .. } = self;
        let all = collider.meetings.iter().zip(&*acting);
        passed.clear();
        passed.extend(all.map(|(of, acted)| Touched { meeting: *of, impulse: *acted }));
        Ok(report)
    }

    /// Has each point begin with the impulse that is known of it. Both lists are in the order of identities.
    fn start_from_known(&mut self) {
        let Self { collider, known, acting, .. } = self;
        let mut known = known.iter().peekable();
        acting.clear();
        acting.extend(collider.meetings.iter().map(|Meeting { identity, .. }| {
            while known.next_if(|(of, _)| of < identity).is_some() {}
            let of_last = known.peek().filter(|(of, _)| of == identity);
            of_last.map_or([0.0; ROWS], |(_, impulse)| *impulse)
        }));
    }

    /// Whether the velocities at the end of a step lead something into what was too far away to be listed. If so, it is listed. Points are
    /// looked for further away at what has become faster, and after two passes at everything: a blow goes on from one to the next. Those
    /// that are known begin with their impulses of this pass, which solve islands where nothing was missed.
    fn have_missed(&mut self, passes: usize) -> Result<bool, WorldError> {
        let slack = 0.5 * self.conditions.margin / self.step_size;
        let (mut have_gained, mut have_missed) = (false, false);
        for mover in &mut self.movers {
            have_gained |= mover.has_gained(slack);
            have_missed |= mover.has_missed();
        }
        self.known.clear();
        self.known.extend(self.passed.iter().map(|of| (of.meeting.identity, of.impulse)));
        if !have_gained {
            return Ok(have_missed);
        }
        if passes >= 2 {
            let shapes = || self.movers.iter().flat_map(|mover| &mover.thing.shapes);
            let most = shapes().fold(0.0, |most, shape| f64::max(most, shape.motion.gain));
            let shapes = self.movers.iter_mut().flat_map(|mover| &mut mover.thing.shapes);
            shapes.for_each(|shape| shape.motion.gain = most);
        }
        self.find_points(true)?;
        Ok(have_missed || self.collider.has_missed(self.things(), &self.known, self.step_size))
    }

    /// Moves on by `duration` seconds, rounded to whole steps.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step), at the first that fails; the steps before it are done. [`WorldError::Number`] unless the duration is
    /// finite and greater than zero, [`WorldError::Duration`] of one that has no step, or more than can be counted.
    pub fn run(&mut self, duration: f64) -> Result<WorldReport, WorldError> {
        self.run_each(duration, |_| {})
    }

    /// The same, with something to be done after each step.
    pub(super) fn run_each(
        &mut self,
        duration: f64,
        mut after: impl FnMut(&mut Self),
    ) -> Result<WorldReport, WorldError> {
        let mut report = WorldReport::default();
        for _ in 0..self.steps_of(duration)? {
            report = report.with(&self.step()?);
            after(self);
        }
        Ok(report)
    }

    /// How many steps a duration has.
    fn steps_of(&self, duration: f64) -> Result<u64, WorldError> {
        let duration = super::surface::check("duration", duration, Bound::Positive)?;
        crate::simulate::steps_of(duration, self.step_size)
            .map_err(|_| WorldError::Duration { duration, least: 0.5 * self.step_size })
    }

    /// Whether all move by the law of the world.
    fn check_members(&self) -> Result<(), WorldError> {
        for Mover { thing, member, numbers, .. } in &self.movers {
            let is_another = member.numbers() != numbers;
            let what = if is_another { Some("its fields") } else { None };
            if let Some(what) = what.or_else(|| member.core().differs(self.law_of(thing))) {
                return Err(WorldError::Differs { name: thing.name.clone(), what });
            }
        }
        let formulation = &self.conditions.formulation;
        if formulation.friction().takes_levers() {
            return Ok(());
        }
        let things = self.things().all().map(|(_, thing)| (&thing.name[..], thing.resistance));
        let ground = self.conditions.ground.as_ref().map(Surface::of_ground);
        let ground = ground.map(|ground| ("ground", ground.resistance()));
        let mut all = things.chain(ground);
        let refused = all.find_map(|(name, resistance)| Some((name, resistance?)));
        refused.map_or(Ok(()), |(name, what)| {
            let formulation = formulation.name();
            let error = contact::Error::NotOffered { formulation, what, by: None };
            Err(WorldError::Refused { name: name.into(), error })
        })
    }

    /// Finds where solids may touch in the step, for the first time or again.
    fn find_points(&mut self, is_again: bool) -> Result<(), WorldError> {
        let Self { collider, movers, still, conditions, step_size, ignored, .. } = self;
        let (things, laws) = (Things { movers, still }, (*step_size, conditions.margin));
        let is_ignored = |a: usize, b: usize| {
            !ignored.is_empty() && ignored.binary_search(&(a.min(b), a.max(b))).is_ok()
        };
        let ground = conditions.ground.as_ref();
        let found = collider.find(things, ground, laws, is_ignored, is_again);
        found.map_err(|of| {
            let (name, shape) = (things.get(of.0).name.clone(), things.shape(of).name.clone());
            WorldError::Nowhere { time: self.time, name, shape }
        })
    }

    /// Whether what is at a state that was given is apart.
    fn check_overlap(&self) -> Result<(), WorldError> {
        if self.accepts_overlap {
            return Ok(());
        }
        let is_due = |of: Owner| match of {
            Owner::Moving(place) => self.movers[place].member.core().must_be_apart(),
            Owner::Still(_) => false,
        };
        let deep = self.collider.meetings.iter().filter(|Meeting { of, touch, .. }| {
            touch.gap < -ROUNDING && of.iter().flatten().any(|(owner, _)| is_due(*owner))
        });
        let deepest = deep.min_by(|a, b| a.touch.gap.total_cmp(&b.touch.gap));
        let Some(Meeting { of, touch, .. }) = deepest else { return Ok(()) };
        let name = |(owner, _)| self.things().get(owner).name.clone();
        let [first, second] = of.map(|of| of.map_or_else(|| "ground".into(), name));
        Err(WorldError::Overlap { time: self.time, first, second, depth: -touch.gap })
    }

    /// The places of what may touch nothing in the step, of what may, and of the points where it may, each in ascending order.
    fn touching(&self) -> (Vec<usize>, Vec<usize>, Vec<usize>) {
        let moving = |of: &Option<ShapeOf>| match *of {
            Some((Owner::Moving(place), shape)) => {
                self.movers[place].thing.shapes[shape].moves.then_some(place)
            }
            _ => None,
        };
        let (mut may_touch, mut points) = (alloc::vec![false; self.movers.len()], Vec::new());
        for (k, meeting) in self.collider.meetings.iter().enumerate() {
            for place in meeting.of.iter().filter_map(moving) {
                may_touch[place] = true;
                if points.last() != Some(&k) {
                    points.push(k);
                }
            }
        }
        let (touching, alone) = (0..may_touch.len()).partition(|&place| may_touch[place]);
        (alone, touching, points)
    }

    /// Moves what touches nothing else.
    fn step_alone(&mut self, place: usize) -> Result<StepReport, WorldError> {
        if let Some(report) = self.movers[place].alone {
            return Ok(report);
        }
        self.movers[place].undo(self.clock);
        self.movers[place].begin();
        let (core, robot, u) = self.member(place).parts();
        let report = core.step(robot, u).map_err(|error| self.blame(place, error))?;
        self.movers[place].arrive();
        self.movers[place].alone = Some(report);
        Ok(report)
    }

    /// Writes points between these with their rows.
    fn write_points(&mut self, own: &[usize], points: &[usize]) {
        let Self { contacts, collider, movers, still, conditions, acting, .. } = self;
        let things = Things { movers, still };
        contacts.clear();
        let ground = conditions.ground.as_ref().map(Surface::of_ground);
        for &k in points {
            let Meeting { of, touch, .. } = &collider.meetings[k];
            let mut point = Between::new(touch.gap, acting[k]);
            let [first, second] = of.map(|of| of.map(|of| &things.shape(of).surface));
            if let (Some(first), Some(second)) = (first, second) {
                first.with(second).describe(&mut point);
            } else if let Some(ground) = ground {
                ground.describe(&mut point);
            }
            let (frame, lines) = (axes(&touch.normal), point.lines());
            for ((side, of), sign) in point.sides.iter_mut().zip(of).zip([1.0, -1.0]) {
                let Some((Owner::Moving(place), shape)) = *of else { continue };
                let Ok(part) = own.binary_search(&place) else { continue };
                let (mover, along) = (&things.movers[place], frame.map(|d| sign * d));
                let shape = &mover.thing.shapes[shape];
                if shape.moves {
                    *side = Some(Side { part, first: contacts.rows.len() });
                    let at = (shape.link, &touch.point);
                    mover.write_rows(at, &along, lines, &mut contacts.rows);
                }
            }
            contacts.points.push(point);
        }
    }

    /// Moves what may touch each other, what stands still, or the ground.
    fn step_touching(
        &mut self,
        (own, points): (&[usize], &[usize]),
        report: &mut WorldReport,
    ) -> Result<(), WorldError> {
        let clock = self.clock;
        own.iter().for_each(|&place| self.movers[place].undo(clock));
        self.write_points(own, points);
        let mut starts = Vec::with_capacity(own.len());
        for &place in own {
            self.movers[place].begin();
            let (core, robot, u) = self.member(place).parts();
            match core.begin_coupled(robot, u) {
                Ok(is_start) => starts.push(is_start),
                Err(error) => return Err(self.blame(place, error)),
            }
        }
        let solution = self.solve(own)?;
        self.accept(own, &starts, &solution, report)?;
        for (&k, point) in points.iter().zip(&self.contacts.points) {
            self.acting[k] = point.impulse;
        }
        Ok(())
    }

    /// Finds the velocities and impulses of these, which have begun the step.
    fn solve(&mut self, own: &[usize]) -> Result<Solution, WorldError> {
        let (time, h, tolerance) = (self.time, self.step_size, self.tolerance);
        let Self { movers, coupled, contacts, conditions, .. } = self;
        let mut members = own.iter().peekable();
        let touching =
            movers.iter_mut().enumerate().filter(|(place, _)| members.next_if_eq(&place).is_some());
        let mut parts: Vec<_> = touching.map(|(place, mover)| mover.part(place)).collect();
        let laws = (conditions as &_, tolerance);
        let solved = coupled.step((&mut parts, contacts), (time, h), laws);
        drop(parts);
        solved.map_err(|Failure { first, others, why }| {
            let first = self.movers[own[first]].thing.name.clone();
            match why {
                Why::Unsolved(error) => WorldError::Contact { time, first, others, error },
                Why::Residual(residual) => {
                    WorldError::Residual { time, first, others, residual, tolerance }
                }
            }
        })
    }

    /// Takes all of these to where the step leads.
    fn accept(
        &mut self,
        own: &[usize],
        starts: &[bool],
        Solution { outcome, residuals, largest }: &Solution,
        report: &mut WorldReport,
    ) -> Result<(), WorldError> {
        for ((&place, &is_start), residual) in own.iter().zip(starts).zip(residuals) {
            let (core, robot, _) = self.member(place).parts();
            match core.accept_coupled(robot, is_start, (*residual, Outcome::default())) {
                Ok(step) => report.add(&step),
                Err(error) => return Err(self.blame(place, error)),
            }
            self.movers[place].arrive();
        }
        report.pivots += outcome.pivots;
        report.largest_island = report.largest_island.max(*largest);
        Ok(())
    }

    /// Takes the states of all from what stepped them.
    fn show(&mut self) -> Result<(), WorldError> {
        let mut failed = Ok(());
        for Mover { thing, member, .. } in &mut self.movers {
            if let (Err(error), true) = (member.show(), failed.is_ok()) {
                failed = Err(WorldError::Robot { name: thing.name.clone(), error });
            }
        }
        failed
    }

    fn member(&mut self, place: usize) -> &mut dyn Member {
        self.movers[place].member.as_mut()
    }

    /// What a robot reports of a step.
    fn blame(&mut self, place: usize, error: SimulationError) -> WorldError {
        let Mover { thing, member, .. } = &mut self.movers[place];
        WorldError::Robot { name: thing.name.clone(), error: member.blame(error) }
    }
}

impl WorldReport {
    /// Takes a step of one robot into account.
    fn add(&mut self, step: &StepReport) {
        self.residual = self.residual.worse(&step.residual);
        self.penetration = self.penetration.max(step.penetration);
        self.pivots += step.outcome.pivots;
    }

    /// This and a further step.
    fn with(&self, next: &Self) -> Self {
        Self {
            steps: self.steps + next.steps,
            residual: self.residual.worse(&next.residual),
            penetration: self.penetration.max(next.penetration),
            points: next.points,
            largest_island: self.largest_island.max(next.largest_island),
            pivots: self.pivots + next.pivots,
        }
    }
}
