//! The compass gait: two stiff legs with a mass at each and one at the hip, which walk down a slope without motors.
//!
//! θ, the first coordinate, is the angle of the leg that stands from the vertical, growing as the walker moves along +x,
//! and the second one that of the other leg relative to it. The foot that stands is a pivot. In mid-swing the other foot
//! would scuff the ground, having no knee; that is ignored, as usual.
//!
//! # Source
//!
//! Goswami, Thuilot, Espiau: A study of the passive gait of a compass-like biped robot, International Journal of Robotics
//! Research 17 (1998), whose numbers are those of [`CompassGait::TEXTBOOK`] on 3°; Tedrake: Underactuated Robotics,
//! chapter on simple models of walking.

use core::f64::consts::FRAC_PI_2;

use jourdain::Robot;
use jourdain::hybrid::Automaton;
use jourdain::integrate::{At, Phase};
use jourdain::model::{Model, Prepared};
use nalgebra::{Vector2, vector};

/// Two legs and a hip on the foot that stands.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    kernels(forward_dynamics_derivatives),
    link(stance, mass = m, com = [0, 0, a]),
    joint(ankle, revolute(world -> stance), axis = [0, 1, 0], passive),
    link(hip, mass = m_h),
    joint(waist, fixed(stance -> hip), at = [0, 0, a + b]),
    link(swing, mass = m, com = [0, 0, -b]),
    joint(thigh, revolute(hip -> swing), axis = [0, 1, 0], passive),
)]
pub struct CompassGait {
    /// Mass of the hip, kg.
    pub m_h: f64,
    /// Mass of each leg, kg.
    pub m: f64,
    /// From a foot to its leg's mass, m.
    pub a: f64,
    /// From a leg's mass to the hip, m.
    pub b: f64,
}

impl CompassGait {
    /// A hip of 10 kg on legs of 5 kg and one metre, with their masses halfway.
    pub const TEXTBOOK: Self = Self { m_h: 10.0, m: 5.0, a: 0.5, b: 0.5 };
}

/// The automaton of a compass gait that walks down a slope along +x.
#[derive(Clone, Debug)]
pub struct CompassWalk {
    robot: Prepared<CompassGait>,
    slope: f64,
}

/// Parts of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swing {
    /// The foot leaves the ground behind.
    Early,
    /// The foot comes down in front.
    Late,
}

/// The walker lies on the ground.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the walker has fallen at {time} s")]
pub struct Fallen {
    /// When, in seconds.
    pub time: f64,
}

impl CompassWalk {
    /// The guard of mid-swing: the line that halves the angle of the legs is normal to the slope for the first time.
    pub const MID_SWING: usize = 0;
    /// The guard of the foot that comes down: that line is normal to the slope again, so that both feet are on the ground.
    pub const TOUCHDOWN: usize = 1;
    /// The guard of falling: the leg that stands is parallel to the slope.
    pub const FALL: usize = 2;

    /// Down a slope of this angle, in radians.
    pub fn new(robot: CompassGait, slope: f64) -> Self {
        Self { robot: robot.prepare(), slope }
    }

    /// The robot.
    pub fn robot(&self) -> &CompassGait {
        self.robot.robot()
    }

    /// The velocity right after a step, from the configurations before and after it: the impulse on the foot that comes
    /// down leaves the angular momentum of all about this foot, and that of the leg that is lifted about the hip. These
    /// are the momenta of the coordinates after it.
    fn landed(&self, before: &Phase, q: &Vector2<f64>) -> Vector2<f64> {
        let CompassGait { m_h, m, a, b } = *self.robot();
        let (l, c) = (a + b, before.q[1].cos());
        let (standing, swinging) = (before.v[0], before.v[0] + before.v[1]);
        let whole =
            (m_h * l * l + 2.0 * m * a * l) * c * standing - m * a * b * (standing + swinging);
        let lifted = -m * a * b * standing;
        let momentum = vector![whole, lifted];
        let mass = self.robot.mass_matrix(q);
        let determinant = mass.determinant();
        vector![
            mass.m22 * momentum.x - mass.m12 * momentum.y,
            mass.m11 * momentum.y - mass.m21 * momentum.x
        ] / determinant
    }

    fn lean(&self, q: &[f64]) -> f64 {
        2.0 * (q[0] - self.slope) + q[1]
    }
}

impl Automaton for CompassWalk {
    type Mode = Swing;
    type Error = Fallen;

    fn rates(&mut self, _: &Swing, at: At<'_>, v_dot: &mut [f64], _: &mut [f64]) {
        let (q, v) = (vector![at.q[0], at.q[1]], vector![at.v[0], at.v[1]]);
        let acceleration = self.robot.forward_dynamics(&q, &v, &Vector2::zeros());
        v_dot.copy_from_slice(acceleration.as_slice());
    }

    fn guards(&self, mode: &Swing, guards: &mut Vec<usize>) {
        let foot = match mode {
            Swing::Early => Self::MID_SWING,
            Swing::Late => Self::TOUCHDOWN,
        };
        guards.extend([foot, Self::FALL]);
    }

    fn guard(&mut self, _: &Swing, guard: usize, at: At<'_>) -> f64 {
        match guard {
            Self::MID_SWING => self.lean(at.q),
            Self::TOUCHDOWN => -self.lean(at.q),
            _ => FRAC_PI_2.powi(2) - (at.q[0] - self.slope).powi(2),
        }
    }

    fn transit(&mut self, _: &Swing, fired: &[usize], phase: &mut Phase) -> Result<Swing, Fallen> {
        if fired.contains(&Self::FALL) {
            return Err(Fallen { time: phase.time });
        }
        if fired.contains(&Self::MID_SWING) {
            return Ok(Swing::Late);
        }
        let q = vector![phase.q[0] + phase.q[1], -phase.q[1]];
        let v = self.landed(phase, &q);
        phase.q.copy_from_slice(q.as_slice());
        phase.v.copy_from_slice(v.as_slice());
        Ok(Swing::Early)
    }

    fn guard_name(&self, guard: usize) -> String {
        match guard {
            Self::MID_SWING => "mid-swing".into(),
            Self::TOUCHDOWN => "touchdown".into(),
            _ => "fall".into(),
        }
    }

    fn derivatives(&mut self, _: &Swing, at: At<'_>, derivatives: &mut [f64]) -> Option<f64> {
        let (q, v) = (vector![at.q[0], at.q[1]], vector![at.v[0], at.v[1]]);
        let by_all = self.robot().forward_dynamics_derivatives(&q, &v, &Vector2::zeros());
        derivatives[..8].copy_from_slice(&by_all.as_slice()[..8]);
        derivatives[8..].fill(0.0);
        Some(0.0)
    }
}
