//! What springs and dampers exerted during a step, in the mean.
//!
//! > τ̄ = τ_p(q, v) − D (v⁺ − v) + Σ j Λ/h
//!
//! with the force τ_p at the beginning, dampers d of coordinates at the end, and what is implicit along lines j.

use super::stepper::Core;

impl Core {
    /// Adds to τ_p of the last step, which began with `v` and was of `h` seconds, what its end changed of it.
    pub(crate) fn add_passive_change(&self, v: &[f64], h: f64, force: &mut [f64]) {
        let springs = &self.explicit.springs;
        for (i, damping) in springs.damping().iter().enumerate() {
            force[i] -= damping * (self.velocity[i] - v[i]);
        }
        for line in 0..springs.lines() {
            let impulse = self.impulse.springs[springs.place(line)];
            if impulse != 0.0 {
                let entries = force.iter_mut().zip(springs.row(line));
                entries.for_each(|(force, j)| *force += j * impulse / h);
            }
        }
    }

    /// With how much each spring between points pulled in the last step, which was of `h` seconds, in N.
    pub(crate) fn tensions(&self, h: f64) -> impl Iterator<Item = f64> {
        self.explicit.springs.tensions(&self.impulse.springs, h)
    }
}
