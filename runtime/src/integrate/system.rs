//! What is integrated: rates at a point of phase space.

/// A point of phase space at a time, as a right-hand side sees it.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// Time in seconds.
    pub time: f64,
    /// Configuration, (nq), its quaternions of unit length.
    pub q: &'a [f64],
    /// Velocity, (nv).
    pub v: &'a [f64],
    /// Further states, (nz).
    pub z: &'a [f64],
}

/// The right-hand side of q̇ = N(q) v, v̇ = a(t, q, v, z), ż = g(t, q, v, z).
///
/// A robot under a controller's forces, in compliant contact or with some of its contacts held, is one; so is every
/// closure that writes v̇ and ż. Rates must be smooth where steps are taken, as often differentiable as the method's
/// order says. Where there are none, write NaN: a step that leads there is tried again with a shorter one, and fails if
/// no step is short enough. The system can keep why.
pub trait System {
    /// Writes v̇, (nv), in m/s² and rad/s² of a robot, and ż, (nz).
    fn rates(&mut self, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]);

    /// Writes ∂(v̇, ż)/∂(δ, v, z, t), (nv + nz, 2 nv + nz + 1) column by column, with δ at q ⊕ δ as in
    /// [`manifold::integrate`](crate::manifold::integrate), and says so. A method for stiff problems takes differences
    /// of rates where a system does not, which is the default, and which costs 2 nv + nz + 1 evaluations a step and
    /// eight digits of a stiff force.
    fn derivatives(&mut self, at: At<'_>, derivatives: &mut [f64]) -> bool {
        let _ = (at, derivatives);
        false
    }

    /// The least change of a coordinate or a velocity with which rates change altogether, where that is less than both are:
    /// differences that a method takes are then shorter. Infinite, if nothing is said.
    fn scale(&self) -> f64 {
        f64::INFINITY
    }
}

impl<F: FnMut(At<'_>, &mut [f64], &mut [f64])> System for F {
    fn rates(&mut self, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]) {
        self(at, v_dot, z_dot);
    }
}
