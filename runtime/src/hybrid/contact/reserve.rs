//! When what shares undetermined forces gives way, and what of it.

use super::decide::Fired;
use super::driven::Driven;
use super::machine::Machine;
use super::mode::Mode;
use crate::integrate::{At, Phase};

impl Driven<'_> {
    /// The reserve of what is undetermined in a mode.
    pub(super) fn reserve(&mut self, mode: &Mode, at: At<'_>) -> f64 {
        let Some(index) = self.known(mode, at) else { return f64::NAN };
        let Self { robot, machine, control } = self;
        let Machine { memory, forces, .. } = &mut **machine;
        forces.copy_from_slice(&memory.get(index).forces);
        if let Some(reserve) = machine.full_reserve(mode) {
            return reserve;
        }
        machine.see(*robot, at, &mut **control);
        machine.solve_rows(*robot, mode).map_or(f64::NAN, |()| machine.reserved(mode))
    }

    /// The parts whose guards fired at a phase, and those that give way where the reserve of a mode is used up.
    pub(super) fn fired(&mut self, (mode, ids): (&Mode, &[usize]), phase: &Phase) -> Fired {
        let mut fired = Fired::of(ids, self.machine.gaps.len());
        let Self { robot, machine, control } = self;
        if fired.is_yielding {
            machine.see(*robot, phase.at(), &mut **control);
            if machine.solve_rows(*robot, mode).is_ok() {
                machine.reserved(mode);
                fired.lifting.extend(machine.share.yielding());
                fired.slipping.extend(machine.share.yielding());
            }
        }
        fired
    }
}
