//! Controllers: from a state to the inputs of the actuators.

mod limited;
mod servos;

pub use self::limited::Limited;
pub use self::servos::Servos;

use alloc::vec::Vec;

use crate::error::ModelError;
use crate::integrate::Phase;
use crate::manifold;
use crate::model::{Model, Table};
use crate::space::Storage;
use crate::state::State;

/// What decides on u at the beginning of each step. Every closure from a state to an input is one.
pub trait Controller<M: Model> {
    /// The input u, (nu), to be held for the step that begins at `state`.
    fn input(&mut self, state: &State<M>) -> M::U;

    /// Servos whose law is that of the step's end, which a [`Simulation`](crate::Simulation) and a
    /// [`Variational`](crate::Variational) let act in the place of [`input`](Self::input); none unless said. All other simulations ask for the input alone, which should then be
    /// [that of the servos](Servos).
    fn servos(&mut self, _state: &State<M>) -> Option<&Servos<M>> {
        None
    }

    /// Whether its own numbers are possible: asked for where an input is not finite, to say why.
    ///
    /// # Errors
    ///
    /// [`ModelError::Gain`] of the first that is not.
    fn check(&self) -> Result<(), ModelError> {
        Ok(())
    }
}

impl<M: Model, F: FnMut(&State<M>) -> M::U> Controller<M> for F {
    fn input(&mut self, state: &State<M>) -> M::U {
        self(state)
    }
}

/// Whether a controller has an input where rates were not finite.
///
/// # Errors
///
/// [`ModelError::Control`] with the first entry of u that is NaN or infinite, or why it is.
pub(crate) fn check_input<M: Model>(
    controller: &mut impl Controller<M>,
    phase: &Phase,
) -> Result<(), ModelError> {
    controller.check()?;
    check_input_at(phase.time, &controller.input(&State::<M>::of(phase)))
}

/// Whether `u`, which a controller has at a time, is finite.
///
/// # Errors
///
/// [`ModelError::Control`] with the first entry of u that is NaN or infinite.
pub(crate) fn check_input_at(time: f64, u: &impl Storage) -> Result<(), ModelError> {
    check_entries(time, u.as_slice())
}

fn check_entries(time: f64, u: &[f64]) -> Result<(), ModelError> {
    match u.iter().enumerate().find(|(_, u)| !u.is_finite()) {
        Some((index, &value)) => Err(ModelError::Control { time, index, value }),
        None => Ok(()),
    }
}

/// A controller without the robot's types.
pub(crate) trait DynController {
    /// Writes the input, (nu), at a time and a state.
    fn write_input(&mut self, time: f64, state: (&[f64], &[f64]), u: &mut [f64]);

    /// As [`Controller::check`].
    ///
    /// # Errors
    ///
    /// As [`Controller::check`].
    fn check(&self) -> Result<(), ModelError>;
}

/// A controller behind slices, and the typed state that it is shown.
pub(crate) struct Erased<M: Model, C> {
    controller: C,
    state: State<M>,
}

impl<M: Model, C: Controller<M>> Erased<M, C> {
    pub(crate) fn new(controller: C) -> Self {
        Self { controller, state: State { time: 0.0, q: M::Q::zeros(), v: M::V::zeros() } }
    }
}

impl<M: Model, C: Controller<M>> DynController for Erased<M, C> {
    fn write_input(&mut self, time: f64, (q, v): (&[f64], &[f64]), u: &mut [f64]) {
        let Self { controller, state } = self;
        state.time = time;
        state.q.as_mut_slice().copy_from_slice(q);
        state.v.as_mut_slice().copy_from_slice(v);
        u.copy_from_slice(controller.input(state).as_slice());
    }

    fn check(&self) -> Result<(), ModelError> {
        self.controller.check()
    }
}

/// As [`check_input`], with room for an input, (nu).
///
/// # Errors
///
/// As [`check_input`].
pub(crate) fn check_controller(
    control: &mut (impl DynController + ?Sized),
    phase: &Phase,
    u: &mut [f64],
) -> Result<(), ModelError> {
    control.check()?;
    control.write_input(phase.time, (&phase.q, &phase.v), u);
    check_entries(phase.time, u)
}

/// Proportional and derivative control of the actuated coordinates:
///
/// > τ = K_p (q_target ⊖ q) − K_d v,  clamped to the effort limits,  uⱼ = bⱼ τᵢ / Σ b²
///
/// for each input j that drives coordinate i with the entry bⱼ of B, the sum being over all inputs of that coordinate: B u is
/// the part of τ that the actuators can give.
///
/// The effort limits are those that the description states of joints, in N or N m at the coordinate; what none is stated
/// of is not clamped.
///
/// It is explicit: u is that of the beginning of a step of h seconds, so that gains k and d on an inertia m are stable
/// only while h² k + 2 h d < 4 m. Beyond that velocities alternate and grow: up to what efforts that are stated let them,
/// or without bound, which a run of a [`Simulation`](crate::Simulation) ends with
/// [`Unstable`](crate::SimulationError::Unstable).
/// [`implicit`](Self::implicit) has the same law at the end of the step, and is stable for all.
///
/// # Source
///
/// The bound: v⁺ = v − (h/m) (k q + d v), q⁺ = q + h v⁺ has eigenvalues within the unit circle up to there, by Jury's
/// criterion.
#[derive(Clone, Debug)]
pub struct Pd<M: Model> {
    target: M::Q,
    stiffness: M::V,
    damping: M::V,
    effort: M::V,
    /// The entries of B that are not zero, and bⱼ / Σ b² of each.
    entries: Vec<Entry>,
    shares: Vec<f64>,
}

impl<M: Model> Pd<M> {
    /// Holds `target` with the same gains at all coordinates: `stiffness` in N/m or N m/rad,
    /// `damping` in N s/m or N m s/rad.
    pub fn new(model: &M, target: M::Q, stiffness: f64, damping: f64) -> Self {
        let all = |value: f64| {
            let mut gains = M::V::zeros();
            gains.as_mut_slice().fill(value);
            gains
        };
        let mut effort = all(f64::INFINITY);
        let limits = model.coordinate_parameters();
        effort.as_mut_slice().iter_mut().zip(&limits).for_each(|(e, limit)| *e = limit.effort);
        let (stiffness, damping) = (all(stiffness), all(damping));
        let entries = entries(model.input_matrix().as_slice(), M::NV);
        let share = |&(v, _, b): &Entry| {
            let own = entries.iter().filter(|(other, ..)| *other == v);
            b / own.map(|(.., b)| b * b).sum::<f64>()
        };
        let shares = entries.iter().map(share).collect();
        Self { target, stiffness, damping, effort, entries, shares }
    }

    /// Gains for each velocity coordinate, (nv) each, finite and not negative. With one that is not, the input is NaN, which
    /// every simulation refuses.
    #[must_use]
    pub fn gains(mut self, stiffness: M::V, damping: M::V) -> Self {
        (self.stiffness, self.damping) = (stiffness, damping);
        self
    }

    /// Within other effort limits than those of the description, (nv), in N or N m; infinite for none. With one that is negative or
    /// NaN the input is NaN, which every simulation refuses.
    #[must_use]
    pub fn effort(mut self, effort: M::V) -> Self {
        self.effort = effort;
        self
    }

    /// Changes the configuration to be held.
    pub fn set_target(&mut self, target: M::Q) {
        self.target = target;
    }

    /// The same law at the end of each step, stable at any step size and with any gains.
    #[must_use]
    pub fn implicit(self) -> Servos<M> {
        Servos::new(self)
    }

    /// u, which gives the part of the force that is wanted that actuators can.
    fn drive(&self, state: &State<M>) -> M::U {
        let mut tau = self.wanted(state);
        self.limit(&mut tau);
        self.input_of(&tau)
    }

    /// The u that gives the part of a generalised force, (nv), that actuators can.
    fn input_of(&self, tau: &M::V) -> M::U {
        let mut u = M::U::zeros();
        for (&(v, input, _), share) in self.entries.iter().zip(&self.shares) {
            u[input] = share * tau[v];
        }
        u
    }

    /// The generalised force that is wanted, (nv), whatever the effort limits.
    fn wanted(&self, state: &State<M>) -> M::V {
        let mut tau = M::V::zeros();
        let (q, target) = (state.q.as_slice(), self.target.as_slice());
        manifold::difference(M::JOINTS, q, target, tau.as_mut_slice());
        for i in 0..M::NV {
            tau[i] = gain(self.stiffness[i]) * tau[i] - gain(self.damping[i]) * state.v[i];
        }
        tau
    }

    /// Whether the gains and efforts of what is driven are possible.
    fn check_gains(&self) -> Result<(), ModelError> {
        let table = Table::of::<M>();
        for &(v, ..) in &self.entries {
            let finite = [("stiffness", self.stiffness[v]), ("damping", self.damping[v])];
            let gains = finite.map(|(of, value)| (of, value, value.is_finite())).into_iter();
            let effort = ("effort", self.effort[v], true);
            let wrong = gains.chain([effort]).find(|(_, value, may)| !(*value >= 0.0 && *may));
            if let Some((gain, value, _)) = wrong {
                return Err(ModelError::Gain { joint: table.joint_of(v), gain, value });
            }
        }
        Ok(())
    }

    /// Clamps a generalised force to the effort limits.
    fn limit(&self, tau: &mut M::V) {
        for (tau, &effort) in tau.as_mut_slice().iter_mut().zip(self.effort.as_slice()) {
            *tau = clamped(*tau, effort);
        }
    }
}

/// An entry of B that is not zero: velocity coordinate, input and value.
pub(crate) type Entry = (usize, usize, f64);

/// Those of B, input by input; each drives one coordinate.
pub(crate) fn entries(matrix: &[f64], nv: usize) -> Vec<Entry> {
    let columns = matrix.chunks_exact(nv.max(1)).enumerate();
    let all = columns.flat_map(|(input, column)| {
        column.iter().enumerate().map(move |(v, &value)| (v, input, value))
    });
    all.filter(|(.., value)| *value != 0.0).collect()
}

/// A gain, or NaN for what is none.
fn gain(value: f64) -> f64 {
    if value >= 0.0 { value } else { f64::NAN }
}

/// What of a force is within ±`effort`, and NaN if that is no limit; a force that is NaN stays.
fn clamped(force: f64, effort: f64) -> f64 {
    if effort.is_nan() || effort < 0.0 {
        return f64::NAN;
    }
    if force.abs() > effort { effort.copysign(force) } else { force }
}

impl<M: Model> Controller<M> for Pd<M> {
    fn input(&mut self, state: &State<M>) -> M::U {
        self.drive(state)
    }

    fn check(&self) -> Result<(), ModelError> {
        self.check_gains()
    }
}

impl<M: Model> Controller<M> for &Pd<M> {
    fn input(&mut self, state: &State<M>) -> M::U {
        self.drive(state)
    }

    fn check(&self) -> Result<(), ModelError> {
        self.check_gains()
    }
}
