use nalgebra::{SVector, vector};

use crate::contact::Solver;
use crate::prelude::*;

/// A rod with four points below either end.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(rod, mass = 1, inertia = [1e-3, 0.084, 0.084]),
    joint(base, floating(world -> rod)),
    contact(left_0, on = rod, at = [-0.5, -0.02, 0], friction = 0.4),
    contact(left_1, on = rod, at = [-0.5, 0.02, 0], friction = 0.4),
    contact(left_2, on = rod, at = [-0.48, -0.02, 0], friction = 0.4),
    contact(left_3, on = rod, at = [-0.48, 0.02, 0], friction = 0.4),
    contact(right_0, on = rod, at = [0.48, -0.02, 0], friction = 0.4),
    contact(right_1, on = rod, at = [0.48, 0.02, 0], friction = 0.4),
    contact(right_2, on = rod, at = [0.5, -0.02, 0], friction = 0.4),
    contact(right_3, on = rod, at = [0.5, 0.02, 0], friction = 0.4),
)]
struct Rod;

/// Falls with the left end ahead, which turns the right one down: without impulses that end would not touch within the
/// step, and with those of the left one alone it would go through the ground.
#[test]
fn what_impulses_move_into_the_ground_is_found() {
    let (h, speed, tilt) = (1e-3, 1.0, 1.2e-3_f64);
    let mut q = Rod.neutral();
    (q[2], q[4], q[6]) = (0.5 * tilt.sin() + 1e-4, -(0.5 * tilt).sin(), (0.5 * tilt).cos());
    let v = vector![0.0, 0.0, -speed, 0.0, 0.0, 0.0];
    let gaps = Rod.gap(&q);
    assert!(gaps.rows(0, 4).iter().all(|gap| (0.0..h * speed).contains(gap)), "{gaps}");
    assert!(gaps.rows(4, 4).iter().all(|gap| *gap > 1.2 * h * speed), "{gaps}");
    let mut simulation = Simulation::new(Rod).unwrap().step_size(h).unwrap().state(q, v).unwrap();
    let report = simulation.step(&SVector::zeros()).unwrap();
    let normal = &simulation.impulse().normal;
    assert!(normal[..4].iter().any(|normal| *normal > 0.0), "{normal:?}");
    assert_ne!(report.outcome.solver, Solver::SideBySide);
    let lowest = Rod.gap(&simulation.current().q).min();
    assert!(lowest > -1e-5, "{lowest}");
}
