//! The kneed walker: two legs of thigh and shank and a mass at the hip, which walk down a slope without motors.
//!
//! The first coordinate is the angle of the leg that stands, straight, from the vertical, growing as the walker moves along
//! +x; the second one that of the other thigh relative to it, and the third one the bend of its knee, which lifts the shank
//! behind. That knee is free until the shank strikes its stop, which takes the knee's velocity, and then locked until the
//! foot is down.
//!
//! # Source
//!
//! McGeer: Passive walking with knees, IEEE International Conference on Robotics and Automation (1990); Hsu Chen: Passive
//! dynamic walking with knees: a point foot model, Massachusetts Institute of Technology (2007), whose walker is
//! [`KneedWalker::CHEN`].

use core::f64::consts::FRAC_PI_2;

use jourdain::Robot;
use jourdain::hybrid::Automaton;
use jourdain::integrate::{At, Phase};
use jourdain::model::{Model, Prepared};
use nalgebra::{Matrix3, Vector2, Vector3, vector};

/// Two legs and a hip on the foot that stands.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(stance_shank, mass = m_s, com = [0, 0, a1]),
    joint(ankle, revolute(world -> stance_shank), axis = [0, 1, 0], passive),
    link(stance_thigh, mass = m_t, com = [0, 0, a2]),
    joint(locked, fixed(stance_shank -> stance_thigh), at = [0, 0, a1 + b1]),
    link(hip, mass = m_h),
    joint(waist, fixed(stance_thigh -> hip), at = [0, 0, a2 + b2]),
    link(thigh, mass = m_t, com = [0, 0, -b2]),
    joint(swing, revolute(hip -> thigh), axis = [0, 1, 0], passive),
    link(shank, mass = m_s, com = [0, 0, -b1]),
    joint(knee, revolute(thigh -> shank), at = [0, 0, -a2 - b2], axis = [0, 1, 0], passive),
)]
pub struct KneedWalker {
    /// Mass of the hip, kg.
    pub m_h: f64,
    /// Mass of each thigh, kg.
    pub m_t: f64,
    /// Mass of each shank, kg.
    pub m_s: f64,
    /// From a foot to its shank's mass, m.
    pub a1: f64,
    /// From a shank's mass to the knee, m.
    pub b1: f64,
    /// From a knee to its thigh's mass, m.
    pub a2: f64,
    /// From a thigh's mass to the hip, m.
    pub b2: f64,
}

impl KneedWalker {
    /// Legs of one metre with their knees halfway.
    pub const CHEN: Self =
        Self { m_h: 0.5, m_t: 0.5, m_s: 0.05, a1: 0.375, b1: 0.125, a2: 0.175, b2: 0.325 };

    /// Length of a shank, m.
    pub const fn shank(&self) -> f64 {
        self.a1 + self.b1
    }

    /// Length of a leg, m.
    pub const fn leg(&self) -> f64 {
        self.shank() + self.a2 + self.b2
    }
}

/// The automaton of a kneed walker that walks down a slope along +x.
#[derive(Clone, Debug)]
pub struct KneedWalk {
    robot: Prepared<KneedWalker>,
    slope: f64,
}

/// What the knee of the leg that swings does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knee {
    /// It bends.
    Free,
    /// It is straight.
    Locked,
}

/// The walker lies on the ground.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the walker has fallen at {time} s")]
pub struct Fallen {
    /// When, in seconds.
    pub time: f64,
}

impl KneedWalk {
    /// The guard of the knee that strikes its stop.
    pub const KNEE_STRIKE: usize = 0;
    /// The guard of the foot that comes down: the line that halves the angle of the legs is normal to the slope.
    pub const TOUCHDOWN: usize = 1;
    /// The guard of falling: the leg that stands is parallel to the slope.
    pub const FALL: usize = 2;

    /// Down a slope of this angle, in radians.
    pub fn new(robot: KneedWalker, slope: f64) -> Self {
        Self { robot: robot.prepare(), slope }
    }

    /// The robot.
    pub fn robot(&self) -> &KneedWalker {
        self.robot.robot()
    }

    /// The height of the foot that swings above the slope, normal to it, in m, at a configuration q, (3).
    pub fn clearance(&self, q: &Vector3<f64>) -> f64 {
        let (leg, shank) = (self.robot().leg(), self.robot().shank());
        let (stance, thigh) = (q[0] - self.slope, q[0] + q[1] - self.slope);
        leg * stance.cos() - (leg - shank) * thigh.cos() - shank * (thigh + q[2]).cos()
    }

    /// The velocity after the shank has struck: the impulse acts on the knee alone, and leaves the other momenta.
    fn struck(&self, before: &Phase) -> Vector2<f64> {
        let mass = self.robot.mass_matrix(&vector![before.q[0], before.q[1], 0.0]);
        let momentum = mass * Vector3::from_column_slice(&before.v);
        solve(&mass, momentum.xy())
    }

    /// The velocity right after a step, from the configuration after it: the impulse on the foot that comes down leaves the
    /// angular momentum of all about this foot, and that of the leg that is lifted about the hip, both legs being
    /// straight. These are the momenta of the coordinates after it.
    fn landed(&self, before: &Phase, q: &Vector3<f64>) -> Vector2<f64> {
        let KneedWalker { m_h, m_t, m_s, a1, a2, .. } = *self.robot();
        let (leg, c) = (self.robot().leg(), before.q[1].cos());
        let (standing, swinging) = (before.v[0], before.v[0] + before.v[1]);
        let masses = [(m_s, a1), (m_t, self.robot().shank() + a2)];
        let across: f64 = masses.iter().map(|(m, up)| m * up * (leg - up)).sum();
        let lever = m_h * leg + 2.0 * masses.iter().map(|(m, up)| m * up).sum::<f64>();
        let whole = lever * leg * c * standing - across * (standing + swinging);
        let lifted = -across * standing;
        solve(&self.robot.mass_matrix(q), vector![whole, lifted])
    }

    fn lean(&self, q: &[f64]) -> f64 {
        2.0 * (q[0] - self.slope) + q[1]
    }
}

/// The velocity that has this momentum where the knee is locked.
fn solve(mass: &Matrix3<f64>, momentum: Vector2<f64>) -> Vector2<f64> {
    let determinant = mass.m11 * mass.m22 - mass.m12 * mass.m21;
    vector![
        mass.m22 * momentum.x - mass.m12 * momentum.y,
        mass.m11 * momentum.y - mass.m21 * momentum.x
    ] / determinant
}

impl Automaton for KneedWalk {
    type Mode = Knee;
    type Error = Fallen;

    fn rates(&mut self, knee: &Knee, at: At<'_>, v_dot: &mut [f64], _: &mut [f64]) {
        let (q, v) = (Vector3::from_column_slice(at.q), Vector3::from_column_slice(at.v));
        let acceleration = match knee {
            Knee::Free => self.robot.forward_dynamics(&q, &v, &Vector3::zeros()),
            Knee::Locked => {
                let force = -self.robot.bias_force(&q, &v).xy();
                solve(&self.robot.mass_matrix(&q), force).push(0.0)
            }
        };
        v_dot.copy_from_slice(acceleration.as_slice());
    }

    fn guards(&self, knee: &Knee, guards: &mut Vec<usize>) {
        let next = match knee {
            Knee::Free => Self::KNEE_STRIKE,
            Knee::Locked => Self::TOUCHDOWN,
        };
        guards.extend([next, Self::FALL]);
    }

    fn guard(&mut self, _: &Knee, guard: usize, at: At<'_>) -> f64 {
        match guard {
            Self::KNEE_STRIKE => at.q[2],
            Self::TOUCHDOWN => -self.lean(at.q),
            _ => FRAC_PI_2.powi(2) - (at.q[0] - self.slope).powi(2),
        }
    }

    fn transit(&mut self, _: &Knee, fired: &[usize], phase: &mut Phase) -> Result<Knee, Fallen> {
        if fired.contains(&Self::FALL) {
            return Err(Fallen { time: phase.time });
        }
        let (next, q, v) = if fired.contains(&Self::KNEE_STRIKE) {
            (Knee::Locked, vector![phase.q[0], phase.q[1], 0.0], self.struck(phase))
        } else {
            let q = vector![phase.q[0] + phase.q[1], -phase.q[1], 0.0];
            (Knee::Free, q, self.landed(phase, &q))
        };
        phase.q.copy_from_slice(q.as_slice());
        phase.v.copy_from_slice(v.push(0.0).as_slice());
        Ok(next)
    }

    fn guard_name(&self, guard: usize) -> String {
        match guard {
            Self::KNEE_STRIKE => "knee strike".into(),
            Self::TOUCHDOWN => "touchdown".into(),
            _ => "fall".into(),
        }
    }
}
