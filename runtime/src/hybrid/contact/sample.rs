//! What is recorded of a run.

use super::driven::Driven;
use super::mode::Mode;
use super::parts::Parts;
use crate::contact::{Impulse, Residual};
use crate::integrate::Phase;
use crate::model::contact_axes::ContactAxes;
use crate::model::{Model, Prepared, Robot};
use crate::record::Sample;
use crate::simulate::sample;
use crate::space::Storage;
use crate::state::State;
use crate::unilateral::Unilateral;

/// Room for the forces of samples.
pub(super) struct Sampler {
    axes: ContactAxes,
    /// Forces, in the place of the impulses of a second.
    forces: Impulse,
}

impl Sampler {
    pub(super) fn new(robot: Robot<'_>) -> Self {
        Self { axes: ContactAxes::new(robot), forces: Impulse::zeros_of(&robot) }
    }

    /// A phase in a mode, with the forces that act there.
    pub(super) fn sample<M: Model>(
        &mut self,
        model: &Prepared<M>,
        driven: &mut Driven<'_>,
        (mode, phase): (&Mode, &Phase),
    ) -> Sample<M> {
        self.look(driven, mode, phase);
        let mut u = M::U::zeros();
        u.as_mut_slice().copy_from_slice(&driven.machine.u);
        let acting = (&self.axes[..], &self.forces);
        sample(model, (State::of(phase), u), acting, 1.0, Residual::default())
    }

    /// Takes the forces and the axes at a phase in a mode, and has the machine ask for the input there.
    fn look(&mut self, driven: &mut Driven<'_>, mode: &Mode, phase: &Phase) {
        self.measure(driven, mode, phase);
        let Driven { robot, machine, control } = driven;
        machine.look(phase.at());
        control.write_input(phase.time, (&phase.q, &phase.v), &mut machine.u);
        self.axes.turn(*robot, &phase.q);
    }

    /// The forces that act at a phase in a mode, as impulses in a second.
    pub(super) fn measure(
        &mut self,
        driven: &mut Driven<'_>,
        mode: &Mode,
        phase: &Phase,
    ) -> &Impulse {
        self.forces.clear();
        if let Some(index) = driven.known(mode, phase.at()) {
            let machine = &*driven.machine;
            self.read(&machine.memory.get(index).forces, &machine.parts);
        }
        &self.forces
    }

    fn read(&mut self, forces: &[f64], parts: &Parts) {
        let Impulse { normal, friction, limits, declared, constraints, .. } = &mut self.forces;
        for part in 0..parts.count() {
            let force = &forces[parts.place(part)..];
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
        constraints.copy_from_slice(&forces[parts.first_multiplier()..]);
    }
}
