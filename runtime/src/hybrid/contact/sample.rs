//! What is recorded of a run.

use super::automaton::InContact;
use super::mode::Mode;
use crate::contact::{Impulse, Residual};
use crate::control::Controller;
use crate::integrate::Phase;
use crate::model::one_sided::ContactAxes;
use crate::model::{Model, Prepared};
use crate::record::Sample;
use crate::simulate::sample;
use crate::space::Storage;
use crate::unilateral::Unilateral;

/// Room for the forces of samples.
pub(super) struct Sampler {
    axes: ContactAxes,
    /// Forces, in the place of the impulses of a second.
    forces: Impulse,
}

impl Sampler {
    pub(super) fn new<M: Model>(model: &Prepared<M>) -> Self {
        Self { axes: ContactAxes::new(model.as_data()), forces: Impulse::zeros::<M>() }
    }

    /// A phase in a mode, with the forces that act there.
    pub(super) fn sample<M: Model, C: Controller<M>>(
        &mut self,
        automaton: &mut InContact<'_, M, C>,
        mode: &Mode,
        phase: &Phase,
    ) -> Sample<M> {
        self.measure(automaton, mode, phase);
        let machine = &mut *automaton.machine;
        machine.look(phase.at());
        let state = machine.state.clone();
        let u = automaton.controller.input(&state);
        self.axes.turn(machine.model.as_data(), state.q.as_slice());
        let acting = (&self.axes[..], &self.forces);
        sample(&machine.model, (state, u), acting, 1.0, Residual::default())
    }

    /// The forces that act at a phase in a mode, as impulses in a second.
    pub(super) fn measure<M: Model, C: Controller<M>>(
        &mut self,
        automaton: &mut InContact<'_, M, C>,
        mode: &Mode,
        phase: &Phase,
    ) -> &Impulse {
        self.forces.clear();
        if let Some(index) = automaton.known(mode, phase.at()) {
            let machine = &*automaton.machine;
            self.read::<M>(&machine.memory.get(index).forces, &machine.parts);
        }
        &self.forces
    }

    fn read<M: Model>(&mut self, forces: &[f64], parts: &super::parts::Parts) {
        let Impulse { normal, friction, limits, declared, constraints, .. } = &mut self.forces;
        for part in 0..parts.count() {
            let force = &forces[parts.place::<M>(part)..];
            match parts.get(part) {
                Some(Unilateral::Contact(k)) => {
                    normal[*k] = force[0];
                    friction[*k] = [force[1], force[2]];
                }
                Some(Unilateral::End(end)) => limits[end.v][end.side()] = force[0],
                Some(Unilateral::Limit(k)) => declared[*k] = force[0],
                None => {}
            }
        }
        constraints.copy_from_slice(&forces[parts.first_multiplier::<M>()..]);
    }
}
