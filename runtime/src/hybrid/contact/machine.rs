//! Accelerations and forces of a robot in a mode.

use alloc::vec;
use alloc::vec::Vec;

use super::blow::Blows;
use super::duals::Kernels;
use super::equations::Equations;
use super::error::Failure;
use super::jolt::Row;
use super::mark::Mark;
use super::memory::{Gaps, Memory};
use super::mode::{Mode, Touch};
use super::parts::Parts;
use super::pass::Passing;
use super::press::Press;
use super::resolution::Resolution;
use super::rows::{Bearing, Place};
use super::share::Share;
use crate::contact::{Hidden, allowed};
use crate::control::DynController;
use crate::impact::{self, Law, Outcome};
use crate::integrate::{At, Phase, Space, Tolerance};
use crate::kkt::{Cholesky, Held, Paradox};
use crate::model::{Events, Model, Robot, Table};
use crate::slices::{larger, largest, multiply};

/// A determinant of what slides that is none: forces tend to infinity there.
const JAMMED: f64 = 1e-9;
/// A pivot of M, relative to its diagonal entry, that is no inertia.
const MASSLESS: f64 = 1e-13;

/// The kernels that only robots in contact from event to event read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Further {
    pub(super) events: &'static Events,
    pub(super) duals: &'static Kernels,
}

impl Further {
    pub(super) fn of<M: Model>() -> Self {
        Self { events: Events::of::<M>(), duals: Kernels::of::<M>() }
    }
}

/// All the room for the accelerations of a robot, which is shown to each method as data.
#[derive(Clone, Debug)]
pub(super) struct Machine {
    pub(super) table: &'static Table,
    pub(super) duals: &'static Kernels,
    /// μ of each contact.
    pub(super) friction: Vec<f64>,
    pub(super) parts: Parts,
    /// The user's guards.
    pub(super) marks: Vec<Mark>,
    pub(super) passing: Passing,
    pub(super) resolution: Resolution,
    /// B, (nv, nu), and room for u.
    pub(super) inputs: Vec<f64>,
    pub(super) u: Vec<f64>,
    pub(super) state: Phase,
    pub(super) tau: Vec<f64>,
    pub(super) mass_matrix: Vec<f64>,
    pub(super) mass: Cholesky,
    /// v̇ without what touches.
    pub(super) free: Vec<f64>,
    pub(super) held: Held,
    pub(super) equations: Equations,
    /// The rows of the last jump of velocities, and its friction, along a part's tangents by impulse of its normal.
    pub(super) jolted: Vec<Row>,
    pub(super) dragged: Vec<(usize, [f64; 2])>,
    /// The place of each row's force, and the rows of each part that is closed.
    pub(super) places: Vec<Place>,
    pub(super) bearings: Vec<Bearing>,
    pub(super) share: Share,
    pub(super) v_dot: Vec<f64>,
    /// Room for a small motion, or a change of velocity, (nv).
    pub(super) change: Vec<f64>,
    pub(super) forces: Vec<f64>,
    pub(super) gaps: Vec<f64>,
    pub(super) seen_gaps: Gaps,
    pub(super) memory: Memory,
    pub(super) press: Press,
    pub(super) blows: Blows,
    /// When there were impacts, and what they did.
    pub(super) impacts: Vec<(f64, Outcome)>,
    /// Whether what touches has jammed, and the mode thereafter is decided.
    pub(super) has_jammed: bool,
}

impl Machine {
    pub(super) fn new(
        robot: Robot<'_>,
        Further { events, duals }: Further,
        tolerance: Tolerance,
    ) -> Result<Self, impact::Error> {
        let (table, parts) = (robot.table(), Parts::new(robot, events));
        let zeros = |count: usize| vec![0.0; count];
        Ok(Self {
            table,
            duals,
            friction: robot.contact_parameters().iter().map(|contact| contact.friction).collect(),
            resolution: Resolution::new(table, tolerance),
            marks: Vec::new(),
            passing: Passing::none(),
            inputs: robot.input_matrix(),
            u: zeros(table.nu),
            state: Phase::neutral(&Space::new(table.joints, 0)),
            tau: zeros(table.nv),
            mass_matrix: zeros(table.nv * table.nv),
            mass: Cholesky::default(),
            free: zeros(table.nv),
            held: Held::default(),
            equations: Equations::default(),
            jolted: Vec::new(),
            dragged: Vec::new(),
            places: Vec::new(),
            bearings: Vec::new(),
            share: Share::default(),
            v_dot: zeros(table.nv),
            change: zeros(table.nv),
            forces: zeros(parts.forces()),
            gaps: vec![f64::NAN; parts.count()],
            seen_gaps: Gaps::default(),
            memory: Memory::default(),
            press: Press::default(),
            blows: Blows::new(robot, Law::default())?,
            impacts: Vec::new(),
            has_jammed: false,
            parts,
        })
    }

    /// Forgets what was known under another controller.
    pub(super) fn begin(&mut self) {
        self.memory.forget();
        self.impacts.clear();
        self.has_jammed = false;
    }

    /// A mode in which nothing touches.
    pub(super) fn open(&self) -> Mode {
        let [contacts, limits] = self.counts();
        Mode::open(contacts, limits)
    }

    /// How many contacts and limits there are.
    pub(super) fn counts(&self) -> [usize; 2] {
        let contacts = self.table.contacts.len();
        [contacts, self.parts.count() - contacts]
    }

    /// Looks at a state, with the forces that a controller, springs and dampers have there.
    pub(super) fn see(&mut self, robot: Robot<'_>, at: At<'_>, control: &mut dyn DynController) {
        self.look(at);
        let Self { state: Phase { time, q, v, .. }, u, tau, inputs, .. } = self;
        control.write_input(*time, (q, v), u);
        robot.passive_force_into(q, v, tau);
        multiply(tau, inputs, u);
    }

    /// Looks at a state; one of another robot has no numbers.
    pub(super) fn look(&mut self, at: At<'_>) {
        let Phase { time, q, v, .. } = &mut self.state;
        *time = at.time;
        for (to, from) in [(q, at.q), (v, at.v)] {
            match to.len() == from.len() {
                true => to.copy_from_slice(from),
                false => to.fill(f64::NAN),
            }
        }
    }

    /// Evaluates the gaps of all parts.
    pub(super) fn measure(&mut self, robot: Robot<'_>) {
        self.parts.write_gaps(robot, &self.state.q, &mut self.gaps);
    }

    /// Evaluates rows, factors M and writes the acceleration without what touches.
    pub(super) fn linearise(&mut self, robot: Robot<'_>) -> Result<(), Failure> {
        let Phase { time, q, v, .. } = &self.state;
        robot.forward_dynamics_into(q, v, &self.tau, &mut self.free);
        self.parts.evaluate(robot, (q, v), *time);
        robot.mass_matrix_into(q, &mut self.mass_matrix);
        let nv = self.table.nv;
        let (lower, stride) = self.mass.reset(nv);
        let columns = self.mass_matrix.chunks_exact(nv.max(1));
        for (to, column) in lower.chunks_exact_mut(stride.max(1)).zip(columns) {
            to[..nv].copy_from_slice(column);
        }
        self.mass.factor(MASSLESS).map(|_| ()).map_err(|_| Failure::MassMatrix)
    }

    /// Writes v̇ and all forces in a mode.
    pub(super) fn accelerate(&mut self, robot: Robot<'_>, mode: &Mode) -> Result<(), Failure> {
        if robot.nc == 0 && mode.is_free() {
            let Phase { q, v, .. } = &self.state;
            robot.forward_dynamics_into(q, v, &self.tau, &mut self.v_dot);
            self.forces.fill(0.0);
            return Ok(());
        }
        self.solve(robot, mode)?;
        self.record(mode);
        self.hidden().map_or(Ok(()), |hidden| Err(Failure::Drowned(hidden)))
    }

    /// Whether rounding of the accelerations that forces alone would give hides v̇, of a mode that was solved last.
    fn hidden(&self) -> Option<Hidden> {
        let free = &self.free;
        let most = allowed(0.0, 0.0) * larger(1.0, largest(&self.v_dot));
        if largest(free) <= most { None } else { Hidden::find(free.iter().enumerate(), most) }
    }

    /// Writes v̇ and forces of the rows that hold in a mode, within their cones.
    pub(super) fn solve(&mut self, robot: Robot<'_>, mode: &Mode) -> Result<(), Failure> {
        self.solve_rows(robot, mode)?;
        self.record(mode);
        if mode.is_redundant() {
            self.admit(mode);
        }
        Ok(())
    }

    /// Writes v̇ and the smallest forces of the rows that hold in a mode.
    pub(super) fn solve_rows(&mut self, robot: Robot<'_>, mode: &Mode) -> Result<(), Failure> {
        self.linearise(robot)?;
        self.measure(robot);
        self.set_rows(mode);
        self.v_dot.clone_from(&self.free);
        let solved = self.held.solve(&self.mass, &mut self.v_dot);
        solved.map_err(|Paradox(place)| Failure::Painleve { contact: self.sliding(mode, place) })
    }

    /// The failure of what slides in a mode.
    pub(super) fn jammed(&self, mode: &Mode) -> Failure {
        Failure::Painleve { contact: self.sliding(mode, 0) }
    }

    /// Whether anything slides with friction.
    pub(super) fn slides(&self, mode: &Mode) -> bool {
        let slides = |(touch, friction): (&Touch, &f64)| {
            matches!(touch, Touch::Slide { .. }) && *friction > 0.0
        };
        mode.contacts.iter().zip(&self.friction).any(slides)
    }

    /// What is left of 1, without friction, until what slides jams in the mode that was solved last.
    pub(super) fn freedom(&self) -> f64 {
        self.held.determinant - JAMMED
    }

    /// The contact that is the given one among those with friction that slide.
    fn sliding(&self, mode: &Mode, place: usize) -> usize {
        let slides = |(k, touch): &(usize, &Touch)| {
            matches!(touch, Touch::Slide { .. }) && self.friction[*k] > 0.0
        };
        mode.contacts.iter().enumerate().filter(slides).nth(place).map_or(0, |(k, _)| k)
    }
}
