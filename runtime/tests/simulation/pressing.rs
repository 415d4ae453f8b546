//! Motors that press an arm on the ground: their rows ask for velocities that are far above those of the contact.

use jourdain::contact::{self, Formulation};
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

use super::every_formulation;

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(upper, mass = 1, com = [0, 0, -0.25], inertia = [0.02, 0.02, 0.002]),
    joint(shoulder, revolute(world -> upper), at = [0, 0, 0.8], axis = [0, 1, 0]),
    link(lower, mass = 1, com = [0, 0, -0.25], inertia = [0.02, 0.02, 0.002]),
    joint(elbow, revolute(upper -> lower), at = [0, 0, -0.5], axis = [0, 1, 0]),
    contact(tip, on = lower, at = [0, 0, -0.5], friction = 0.8),
)]
struct Arm;

fn servo(position: f64) -> Motor {
    Motor::Servo { position, velocity: 0.0, stiffness: 200.0, damping: 5.0, force: 100.0 }
}

fn unbounded_servo(position: f64) -> Motor {
    let force = f64::INFINITY;
    Motor::Servo { position, velocity: 0.0, stiffness: 200.0, damping: 5.0, force }
}

fn position(position: f64) -> Motor {
    Motor::Position { position, reduction: 0.1, force: 100.0 }
}

/// The residual of a second under these motors, or of 2000 steps, and pivots for each.
fn press(
    formulation: Formulation,
    [shoulder, elbow]: [Motor; 2],
    (h, tolerance): (f64, f64),
) -> Result<(f64, f64), SimulationError> {
    let mut arm = Simulation::new(Arm)?.formulation(formulation).step_size(h)?;
    arm = arm.tolerance(tolerance)?.state(vector![0.5, 1.5], vector![0.0, 0.0])?;
    arm.set_motor("shoulder", Some(shoulder))?;
    arm.set_motor("elbow", Some(elbow))?;
    let run = arm.run(f64::min(1.0, 2000.0 * h), |_: &State<Arm>| SVector::zeros())?;
    Ok((run.residual.max(), run.pivots as f64 / run.steps as f64))
}

/// However short the step, and whatever the tolerance is.
#[test]
fn contacts_are_solved_to_the_tolerance_beside_motors() {
    const GOALS: [[f64; 2]; 3] = [[0.3, -0.5], [0.8, 0.6], [-0.7, 2.0]];
    let goals = if cfg!(debug_assertions) { &GOALS[..1] } else { &GOALS };
    let mut failed = Vec::new();
    for formulation in every_formulation() {
        for motor in [servo, unbounded_servo, position] {
            for step in [(1e-2, 1e-9), (1e-3, 1e-9), (1e-4, 1e-9), (1e-3, 1e-11)] {
                for goal in goals {
                    match press(formulation, goal.map(motor), step) {
                        Ok((residual, pivots)) => {
                            // Sticking tries sets of contacts, each a problem.
                            let many = matches!(formulation, Formulation::Sticking(_));
                            assert!(residual <= step.1, "{formulation:?} {step:?}: {residual:e}");
                            assert!(pivots < 5.0 || many, "{formulation:?} {step:?}: {pivots}");
                        }
                        Err(error) => failed.push((formulation, step, goal, error)),
                    }
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} failed: {failed:?}", failed.len());
}

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slab, mass = 3, inertia = [0.1, 0.1, 0.1]), joint(base, floating(world -> slab)),
    contact(sole, on = slab, box = [0.4, 0.3, 0.2], friction = 0.5, directions = 1000),
    contact(same, on = slab, box = [0.4, 0.3, 0.2], friction = 0.5, directions = 1000),
    contact(again, on = slab, box = [0.4, 0.3, 0.2], friction = 0.5, directions = 1000),
)]
struct Slab;

/// Polygons of a thousand directions at twelve points are too much for one problem, and none of Coulomb's law.
#[test]
fn polygons_have_no_more_directions_than_there_is_room_for() -> Result<(), SimulationError> {
    for formulation in every_formulation() {
        let round = [Formulation::coulomb(), Formulation::todorov()];
        let others = [Formulation::frictionless(), Formulation::sticking()];
        let polygons = !round.contains(&formulation) && !others.contains(&formulation);
        let fall = SVector::<f64, 6>::from([0.0, 0.0, -1.0, 0.0, 0.0, 0.0]);
        let start = SVector::<f64, 7>::from([0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0]);
        let mut slab = Simulation::new(Slab)?.formulation(formulation).state(start, fall)?;
        let end = slab.step(&SVector::zeros());
        let refused = matches!(
            end,
            Err(SimulationError::Contact {
                error: contact::Error::TooLarge { variables: 12036, .. },
                ..
            })
        );
        assert_eq!(refused, polygons, "{formulation:?} {end:?}");
    }
    Ok(())
}
