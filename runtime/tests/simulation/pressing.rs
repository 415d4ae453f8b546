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

fn servo(position: f64, force: f64) -> Motor {
    Motor::Servo { position, velocity: 0.0, stiffness: 200.0, damping: 5.0, force }
}

/// One of any force would have no solution where the ground is in its way.
fn position(position: f64, force: f64) -> Motor {
    Motor::Position { position, reduction: 0.1, force: force.min(1e3) }
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
    const FORCES: [f64; 3] = [5.0, 100.0, f64::INFINITY];
    const STEPS: [(f64, f64); 4] = [(1e-2, 1e-9), (1e-3, 1e-9), (1e-4, 1e-9), (1e-3, 1e-11)];
    let few = if cfg!(debug_assertions) { 1 } else { 3 };
    let mut failed = Vec::new();
    for formulation in every_formulation() {
        // Sticking tries sets of contacts, each a problem.
        let is_one = !matches!(formulation, Formulation::Sticking(_));
        let most = if is_one { 5.0 } else { f64::INFINITY };
        for step in STEPS {
            for (goal, force) in GOALS[..few].iter().flat_map(|goal| FORCES.map(|f| (goal, f))) {
                for motor in [servo, position] {
                    let motors = goal.map(|goal| motor(goal, force));
                    match press(formulation, motors, step) {
                        Ok((residual, pivots)) if residual <= step.1 && pivots <= most => {}
                        end => failed.push((formulation, motors, step, end)),
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
    link(weight, mass = 1), joint(rail, prismatic(world -> weight), axis = [1, 0, 0]),
    constraint(stop, h = rail),
)]
struct Slab;

/// Polygons of a thousand directions at twelve points are too much for one problem of rows, and none of Coulomb's law. A
/// declared constraint asks for rows.
#[test]
fn polygons_have_no_more_directions_than_there_is_room_for() -> Result<(), SimulationError> {
    for formulation in every_formulation() {
        let round = [Formulation::coulomb(), Formulation::todorov()];
        let others = [Formulation::frictionless(), Formulation::sticking()];
        let polygons = !round.contains(&formulation) && !others.contains(&formulation);
        let fall = SVector::<f64, 7>::from([0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0]);
        let start = SVector::<f64, 8>::from([0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 1.0, 0.0]);
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
