//! Motion under constraints is another right-hand side.

use jourdain::constrained::{self, Constrained};
use jourdain::integrate::{Adaptive, At, Error, Phase, Space, System, Tolerance};
use jourdain::nalgebra::{Vector2, vector};
use jourdain::prelude::*;

/// A bead on a vertical ring of one metre.
#[derive(Robot, Clone, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0]),
    link(bead, mass = 2),
    joint(z, prismatic(slide -> bead), axis = [0, 0, 1]),
    rod(ring, a = world, b = bead, length = 1),
)]
pub(crate) struct Bead;

/// Keeps why there was no acceleration.
struct Held {
    robot: Constrained<Bead>,
    failure: Option<constrained::Error>,
}

impl Held {
    fn new() -> Self {
        Self { robot: Constrained::new(Bead), failure: None }
    }
}

impl System for Held {
    fn rates(&mut self, at: At<'_>, v_dot: &mut [f64], _: &mut [f64]) {
        let (q, v) = (Vector2::from_column_slice(at.q), Vector2::from_column_slice(at.v));
        match self.robot.forward_dynamics(&q, &v, &Vector2::zeros(), at.time) {
            Ok(acceleration) => v_dot.copy_from_slice(acceleration.as_slice()),
            Err(error) => {
                v_dot.fill(f64::NAN);
                self.failure = Some(error);
            }
        }
    }
}

/// The pendulum of the IFToMM collection in Cartesian coordinates, back on its ring after each step.
#[test]
fn published_pendulum() -> Result<(), Box<dyn std::error::Error>> {
    let (space, mut system) = (Space::of::<Bead>(0), Held::new());
    let mut phase = Phase { q: vec![-1.0, 0.0], ..Phase::neutral(&space) };
    let mut motion = Adaptive::new(&space, phase.clone(), Tolerance::new(1e-12, 1e-12)?)?;
    while phase.time < 10.0 {
        motion.step(&mut system, 10.0)?;
        phase = motion.phase().clone();
        let (q, v) = (vector![phase.q[0], phase.q[1]], vector![phase.v[0], phase.v[1]]);
        let (q, v) = system.robot.project(&q, &v, phase.time)?;
        phase.q.copy_from_slice(q.as_slice());
        phase.v.copy_from_slice(v.as_slice());
        motion.restart(&phase, motion.proposed_step())?;
    }
    assert!((phase.q[0] + 0.275087462577).abs() < 1e-11, "{phase:?}");
    assert!((phase.q[1] + 0.961419205099).abs() < 1e-11, "{phase:?}");
    Ok(())
}

/// What is refused by the solver is a rate that is not finite, and the system knows why.
#[test]
fn why_there_is_no_rate() -> Result<(), Error> {
    let (space, mut system) = (Space::of::<Bead>(0), Held::new());
    let start = Phase { q: vec![-1.0, 0.0], v: vec![0.0, 1e200], ..Phase::neutral(&space) };
    let mut motion = Adaptive::new(&space, start, Tolerance::default())?;
    let error = motion.step(&mut system, 1.0).unwrap_err();
    assert!(matches!(error, Error::NotFinite { quantity: "v_dot", .. }), "{error}");
    assert!(system.failure.is_some());
    Ok(())
}
