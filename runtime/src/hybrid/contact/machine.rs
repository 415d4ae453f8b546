//! Accelerations and forces of a robot in a mode.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::blow::Blows;
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
use crate::control::Controller;
use crate::impact::{self, Law};
use crate::integrate::{At, Tolerance};
use crate::kkt::{Cholesky, Held, Paradox};
use crate::model::{Model, Prepared};
use crate::slices::{larger, largest, multiply};
use crate::space::Storage;
use crate::state::State;

/// A determinant of what slides that is none: forces tend to infinity there.
const JAMMED: f64 = 1e-9;
/// A pivot of M, relative to its diagonal entry, that is no inertia.
const MASSLESS: f64 = 1e-13;

/// A robot, and all the room for its accelerations.
#[derive(Clone, Debug)]
pub(super) struct Machine<M: Model> {
    pub(super) model: Prepared<M>,
    /// μ of each contact.
    pub(super) friction: Vec<f64>,
    pub(super) parts: Parts,
    /// The user's guards.
    pub(super) marks: Vec<Mark<M>>,
    pub(super) passing: Passing<M>,
    pub(super) resolution: Resolution,
    pub(super) inputs: M::Input,
    pub(super) state: State<M>,
    pub(super) tau: M::V,
    pub(super) mass_matrix: Box<M::Mass>,
    pub(super) mass: Cholesky,
    /// v̇ without what touches.
    pub(super) free: M::V,
    pub(super) held: Held,
    pub(super) equations: Equations,
    /// The rows of the last jump of velocities, and its friction, along a part's tangents by impulse of its normal.
    pub(super) jolted: Vec<Row>,
    pub(super) dragged: Vec<(usize, [f64; 2])>,
    /// The place of each row's force, and the rows of each part that is closed.
    pub(super) places: Vec<Place>,
    pub(super) bearings: Vec<Bearing>,
    pub(super) share: Share,
    pub(super) v_dot: M::V,
    pub(super) forces: Vec<f64>,
    pub(super) gaps: Vec<f64>,
    pub(super) seen_gaps: Gaps,
    pub(super) memory: Memory,
    pub(super) press: Press,
    pub(super) blows: Blows<Prepared<M>>,
}

impl<M: Model> Machine<M> {
    pub(super) fn new(model: Prepared<M>, tolerance: Tolerance) -> Result<Self, impact::Error> {
        let (parameters, parts) = (model.contact_parameters(), Parts::new(&model));
        let state = State { time: 0.0, q: model.neutral(), v: M::V::zeros() };
        Ok(Self {
            friction: parameters.iter().map(|contact| contact.friction).collect(),
            resolution: Resolution::new::<M>(tolerance),
            marks: Vec::new(),
            passing: Passing::none(),
            inputs: model.input_matrix(),
            state,
            tau: M::V::zeros(),
            mass_matrix: Box::new(M::Mass::zeros()),
            mass: Cholesky::default(),
            free: M::V::zeros(),
            held: Held::default(),
            equations: Equations::default(),
            jolted: Vec::new(),
            dragged: Vec::new(),
            places: Vec::new(),
            bearings: Vec::new(),
            share: Share::default(),
            v_dot: M::V::zeros(),
            forces: vec![0.0; parts.forces::<M>()],
            gaps: vec![f64::NAN; parts.count()],
            seen_gaps: Gaps::default(),
            memory: Memory::default(),
            press: Press::default(),
            blows: Blows::new(&model, Law::default())?,
            parts,
            model,
        })
    }

    /// A mode in which nothing touches.
    pub(super) fn open(&self) -> Mode {
        let [contacts, limits] = self.counts();
        Mode::open(contacts, limits)
    }

    /// How many contacts and limits there are.
    pub(super) fn counts(&self) -> [usize; 2] {
        let contacts = M::CONTACTS.len();
        [contacts, self.parts.count() - contacts]
    }

    /// Looks at a state, with the forces that a controller, springs and dampers have there.
    pub(super) fn see(&mut self, at: At<'_>, controller: &mut impl Controller<M>) {
        self.look(at);
        let u = controller.input(&self.state);
        let State { q, v, .. } = &self.state;
        self.model.passive_force_into(q, v, &mut self.tau);
        multiply(self.tau.as_mut_slice(), self.inputs.as_slice(), u.as_slice());
    }

    /// Looks at a state; one of another robot has no numbers.
    pub(super) fn look(&mut self, at: At<'_>) {
        let State { time, q, v } = &mut self.state;
        *time = at.time;
        for (to, from) in [(q.as_mut_slice(), at.q), (v.as_mut_slice(), at.v)] {
            match to.len() == from.len() {
                true => to.copy_from_slice(from),
                false => to.fill(f64::NAN),
            }
        }
    }

    /// Evaluates the gaps of all parts.
    pub(super) fn measure(&mut self) {
        self.parts.write_gaps(&self.model, &self.state.q, &mut self.gaps);
    }

    /// Evaluates rows, factors M and writes the acceleration without what touches.
    pub(super) fn linearise(&mut self) -> Result<(), Failure> {
        let State { time, q, v } = &self.state;
        self.model.forward_dynamics_into(q, v, &self.tau, &mut self.free);
        self.parts.evaluate(&self.model, (q, v), *time);
        self.model.mass_matrix_into(q, &mut self.mass_matrix);
        let (lower, stride) = self.mass.reset(M::NV);
        let columns = self.mass_matrix.as_slice().chunks_exact(M::NV.max(1));
        for (to, column) in lower.chunks_exact_mut(stride.max(1)).zip(columns) {
            to[..M::NV].copy_from_slice(column);
        }
        self.mass.factor(MASSLESS).map(|_| ()).map_err(|_| Failure::MassMatrix)
    }

    /// Writes v̇ and all forces in a mode.
    pub(super) fn accelerate(&mut self, mode: &Mode) -> Result<(), Failure> {
        if M::NC == 0 && mode.is_free() {
            let State { q, v, .. } = &self.state;
            self.model.forward_dynamics_into(q, v, &self.tau, &mut self.v_dot);
            self.forces.fill(0.0);
            return Ok(());
        }
        self.solve(mode)?;
        self.record(mode);
        self.hidden().map_or(Ok(()), |hidden| Err(Failure::Drowned(hidden)))
    }

    /// Whether rounding of the accelerations that forces alone would give hides v̇, of a mode that was solved last.
    fn hidden(&self) -> Option<Hidden> {
        let free = self.free.as_slice();
        let most = allowed(0.0, 0.0) * larger(1.0, largest(self.v_dot.as_slice()));
        if largest(free) <= most { None } else { Hidden::find(free.iter().enumerate(), most) }
    }

    /// Writes v̇ and forces of the rows that hold in a mode, within their cones.
    pub(super) fn solve(&mut self, mode: &Mode) -> Result<(), Failure> {
        self.solve_rows(mode)?;
        self.record(mode);
        if mode.is_redundant() {
            self.admit(mode);
        }
        Ok(())
    }

    /// Writes v̇ and the smallest forces of the rows that hold in a mode.
    pub(super) fn solve_rows(&mut self, mode: &Mode) -> Result<(), Failure> {
        self.linearise()?;
        self.measure();
        self.set_rows(mode);
        self.v_dot.clone_from(&self.free);
        let solved = self.held.solve(&self.mass, self.v_dot.as_mut_slice());
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
