//! The compass gait as a robot on two feet: a hip that moves freely, two legs, and contacts that stick.
//!
//! It is the walker of [`compass_gait`](crate::compass_gait) without modes and jumps of its own: which foot stands, and what an
//! impact does, follows from the contacts. Without knees a foot would scuff in mid-swing; it is let through.

use jourdain::hybrid::contact::ContactError;
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

/// A hip at (x, z) along and across a slope, and two legs at angles from across it, growing as a leg falls forward.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [9.81 * sin(slope), 0, -9.81 * cos(slope)],
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(hip, mass = m_h),
    joint(z, prismatic(slide -> hip), axis = [0, 0, 1], passive),
    link(first, mass = m, com = [0, 0, -b]),
    joint(first_hip, revolute(hip -> first), axis = [0, 1, 0], passive),
    link(second, mass = m, com = [0, 0, -b]),
    joint(second_hip, revolute(hip -> second), axis = [0, 1, 0], passive),
    contact(first_foot, on = first, at = [0, 0, -a - b], friction = 2),
    contact(second_foot, on = second, at = [0, 0, -a - b], friction = 2),
)]
pub struct CompassBiped {
    /// Mass of the hip, kg.
    pub m_h: f64,
    /// Mass of each leg, kg.
    pub m: f64,
    /// From a foot to its leg's mass, m.
    pub a: f64,
    /// From a leg's mass to the hip, m.
    pub b: f64,
    /// Of the ground along x, rad.
    pub slope: f64,
}

/// An angle between the legs, in rad, by which a foot that is let through must be ahead to touch.
const NEAR: f64 = 0.1;

impl CompassBiped {
    /// The textbook's: a hip of 10 kg on legs of 5 kg and one metre, with their masses halfway, on a slope of 0.0525.
    pub const TEXTBOOK: Self = Self { m_h: 10.0, m: 5.0, a: 0.5, b: 0.5, slope: 0.0525 };

    /// An angle between the legs, in rad, at which they exchange their names: the second one stands then, and the first
    /// one swings ahead of it. So a step leads to where the one before it led to.
    pub const AHEAD: f64 = 0.2;

    /// A walk whose feet are let through the ground as they swing forward, until they are ahead.
    ///
    /// # Errors
    ///
    /// Those of [`HybridSimulation::new`].
    pub fn walk(self) -> Result<HybridSimulation<Self>, ContactError> {
        let exchanged = |x: &SVector<f64, 4>| vector![x[0], x[1], x[3], x[2]];
        let walk = HybridSimulation::new(self)?
            .passing("first_foot", |state| swings(state, [2, 3]))?
            .passing("second_foot", |state| swings(state, [3, 2]))?
            .guard_with_reset(
                "ahead",
                |state| state.q[3] - state.q[2] + Self::AHEAD,
                move |state| (exchanged(&state.q), exchanged(&state.v)),
            );
        Ok(walk)
    }

    /// Configuration and velocity where names have just been exchanged: the second leg stands at an angle, with its rate,
    /// and the first one swings with another.
    pub fn ahead(&self, angle: f64, [stance, swing]: [f64; 2]) -> [SVector<f64, 4>; 2] {
        let (height, along) = ((self.a + self.b) * angle.cos(), (self.a + self.b) * angle.sin());
        let q = vector![along, height, angle - Self::AHEAD, angle];
        [q, vector![height * stance, -along * stance, swing, stance]]
    }
}

/// Whether a leg swings forward beside the other one, and is not yet ahead of it.
fn swings(State { q, v, .. }: &State<CompassBiped>, [leg, other]: [usize; 2]) -> bool {
    q[leg] - q[other] > -NEAR && v[leg] < v[other]
}
