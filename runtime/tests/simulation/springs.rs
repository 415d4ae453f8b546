//! Springs and dampers that are stiff for the step: implicit in every formulation, and audited.

use jourdain::contact::{Transition, residual};
use jourdain::nalgebra::{SVector, vector};
use jourdain::prelude::*;
use jourdain::space::Storage;

use super::every_formulation;
use super::passivity::{self, Balance};

type Run = Result<(), Box<dyn std::error::Error>>;

/// A wheel on a bearing that takes 2500 times its inertia a second.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(a, mass = 1, inertia = [0.001, 0.001, 0.001]),
    joint(j, revolute(world -> a), axis = [0, 0, 1], damping = 2.5, limits = [-1, 1]),
)]
struct Wheel;

/// An arm of light links.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(a, mass = 2, com = [0, 0, 0.15], inertia = [0.02, 0.02, 0.005]),
    joint(one, revolute(world -> a), axis = [0, 0, 1], damping = d),
    link(b, mass = 1, com = [0, 0, 0.15], inertia = [0.01, 0.01, 0.002]),
    joint(two, revolute(a -> b), at = [0, 0, 0.3], axis = [0, 1, 0], damping = d, stiffness = k),
    link(c, mass = 0.5, com = [0, 0, 0.1], inertia = [0.002, 0.002, 0.0005]),
    joint(three, revolute(b -> c), at = [0, 0, 0.3], axis = [0, 1, 0], damping = d, stiffness = k),
    link(e, mass = 0.1, com = [0.01, 0, 0.05], inertia = [0.0002, 0.0002, 0.00005]),
    joint(four, revolute(c -> e), at = [0, 0, 0.2], axis = [0, 0, 1], damping = d, friction = 0.01),
    contact(tip, on = e, at = [0, 0, 0.1], friction = 0.5),
    ground(offset = -0.5),
)]
struct Arm {
    k: f64,
    d: f64,
}

/// A body that tumbles in oil, tethered to the world and to a second one.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(body, mass = 1, com = [0.02, 0, 0.01], inertia = [0.01, 0.02, 0.03]),
    joint(base, floating(world -> body), damping = oil),
    contact(foot, on = body, at = [0, 0, -0.1], friction = 0.5),
    link(pendulum, mass = 0.2, com = [0, 0, -0.1], inertia = [0.001, 0.001, 0.001]),
    joint(hinge, revolute(body -> pendulum), at = [0.1, 0, 0], axis = [0, 1, 0]),
    spring(tether, a = world @ [0, 0, 2], b = body @ [0, 0, 0.1], stiffness = k, damping = d, rest = 1),
    spring(tie, a = body @ [-0.1, 0, 0], b = pendulum @ [0, 0, -0.1], stiffness = k, damping = d),
)]
struct Tethered {
    oil: f64,
    k: f64,
    d: f64,
}

/// Makes so many steps, audits each, and sees that nothing but forces of springs and gravity gives energy. How much T has at
/// most.
fn audited<M: Model + Clone>(
    simulation: &mut Simulation<M>,
    steps: usize,
) -> Result<f64, Box<dyn std::error::Error>> {
    let (model, h) = (simulation.model().clone(), simulation.time_step());
    let mut most: f64 = 0.0;
    for _ in 0..steps {
        let State { time, q, v } = simulation.current().clone();
        let balance = passivity::step(simulation)?;
        let (conditions, v_next) = (simulation.conditions(), &simulation.current().v);
        let force = &model.passive_force(&q, &v);
        let impulse = simulation.impulse();
        let step =
            Transition { conditions, time, step_size: h, q: &q, v: &v, force, v_next, impulse };
        let found = residual(&model, &step);
        assert!(found.max() <= 1e-9, "{found:?} at {time}");
        let Balance { gained, granted, constraints, kinetic } = balance;
        assert!(
            gained - granted - constraints <= 1e-10 * kinetic.max(1.0),
            "{balance:?} at {time}"
        );
        most = most.max(model.kinetic_energy(&q, v_next));
    }
    Ok(most)
}

#[test]
fn a_stiff_damper_brings_a_wheel_to_rest() -> Run {
    for formulation in every_formulation() {
        for h in [1e-2, 1e-3, 1e-4] {
            let mut simulation = Simulation::new(Wheel)?
                .step_size(h)?
                .formulation(formulation)
                .state(vector![0.0], vector![1.0])?;
            audited(&mut simulation, 100)?;
            // I v₀ / d, at any step.
            let State { q, v, .. } = simulation.current();
            assert!(
                (q[0] - 4e-4).abs() < 1e-10 && v[0].abs() < 1e-6,
                "{formulation:?}, {h}: {q} {v}"
            );
        }
    }
    Ok(())
}

#[test]
fn an_arm_keeps_less_energy_than_it_had_with_any_damper_and_spring() -> Run {
    for formulation in every_formulation() {
        for (k, d) in
            [(0.0, 0.5), (0.0, 10.0), (0.0, 1e4), (1e3, 0.0), (1e5, 0.0), (1e8, 1e-3), (1e3, 10.0)]
        {
            let (q, v) = (vector![0.1, 0.4, -0.3, 0.2], vector![3.0, -2.0, 1.0, 5.0]);
            let arm = Arm { k, d };
            let mut simulation =
                Simulation::new(arm)?.step_size(1e-3)?.formulation(formulation).state(q, v)?;
            let stored = |q: &SVector<f64, 4>| {
                arm.potential_energy(q) + 0.5 * k * (q[1].powi(2) + q[2].powi(2))
            };
            let all = arm.kinetic_energy(&q, &v) + stored(&q)
                - arm.potential_energy(&vector![0.0, 3.1, 0.0, 0.0]);
            let most = audited(&mut simulation, 1000)?;
            assert!(most < 1.1 * all, "{formulation:?}, {k}, {d}: {most} of {all}");
        }
    }
    Ok(())
}

#[test]
fn what_is_tethered_loses_energy_with_any_damper_and_spring() -> Run {
    for formulation in every_formulation() {
        for (oil, k, d) in [
            (0.0, 100.0, 1e3),
            (0.0, 1e3, 1e4),
            (0.0, 1e6, 0.0),
            (1e4, 100.0, 0.0),
            (0.1, 1e7, 1e4),
        ] {
            let robot = Tethered { oil, k, d };
            let mut q = robot.neutral();
            (q[2], q[7]) = (0.895, -0.7);
            let v = vector![0.3, -0.2, 0.1, 2.0, -1.0, 3.0, -4.0];
            let h = 1e-3;
            let mut simulation =
                Simulation::new(robot)?.step_size(h)?.formulation(formulation).state(q, v)?;
            let first = passivity::energy(&robot, simulation.current());
            audited(&mut simulation, 1000)?;
            let last = passivity::energy(&robot, simulation.current());
            assert!(last < 1.01 * first, "{formulation:?}, {oil}, {k}, {d}: {last} of {first}");
        }
    }
    Ok(())
}

/// A body that carries nothing, on a stiff spring and damper.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(body, mass = 1, com = [0.02, 0, 0.01], inertia = [0.01, 0.02, 0.025]),
    joint(base, floating(world -> body)),
    spring(damper, a = world @ [0, 0, 0.6], b = body @ [0, 0, 0.1], stiffness = k, damping = d, rest = 0.5),
)]
struct Alone {
    k: f64,
    d: f64,
}

/// The force of the damper at the beginning is no part of what a body alone turns by.
#[test]
fn what_turns_alone_gains_nothing_from_a_damper() -> Run {
    for formulation in every_formulation() {
        for (d, h) in [(1e4, 5e-3), (1e4, 1e-3), (1e5, 1e-3)] {
            let robot = Alone { k: 0.0, d };
            let v = 8.0 * vector![0.3, -0.2, 0.1, 3.0, -4.0, 5.0];
            let mut simulation = Simulation::new(robot)?
                .step_size(h)?
                .formulation(formulation)
                .state(robot.neutral(), v)?;
            let first = simulation.energy();
            for _ in 0..10 {
                audited(&mut simulation, 20)?;
                let now = simulation.energy();
                assert!(now < first, "{formulation:?}, {d}, {h}: {now} of {first}");
            }
        }
    }
    Ok(())
}

/// Nor is that of a spring which a step does not resolve.
#[test]
fn what_turns_alone_gains_nothing_from_a_stiff_spring() -> Run {
    for (k, h, speed) in [(1e8, 3e-3, 1.0), (1e8, 1e-3, 4.0), (1e8, 1e-3, 8.0), (1e7, 3e-3, 4.0)] {
        let robot = Alone { k, d: 0.0 };
        let v = speed * vector![0.3, -0.2, 0.1, 3.0, -4.0, 5.0];
        let mut simulation = Simulation::new(robot)?.step_size(h)?.state(robot.neutral(), v)?;
        let first = passivity::energy(&robot, simulation.current());
        let mut most: f64 = first;
        for _ in 0..(2.0 / h) as usize {
            simulation.step(&SVector::zeros())?;
            most = most.max(passivity::energy(&robot, simulation.current()));
        }
        assert!(most < 1.05 * first, "{k}, {h}, {speed}: {most} of {first}");
    }
    Ok(())
}

/// A mass on a spring.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(a, mass = 1),
    joint(j, prismatic(world -> a), axis = [0, 0, 1], stiffness = k),
)]
struct Oscillator {
    k: f64,
}

#[test]
fn springs_that_steps_resolve_keep_their_energy_and_stiffer_ones_lose_it() -> Run {
    let h = 1e-3;
    for rate in [62.8, 300.0, 999.0] {
        let robot = Oscillator { k: rate * rate };
        let energy =
            |state: &State<Oscillator>| 0.5 * (state.v[0].powi(2) + robot.k * state.q[0].powi(2));
        let mut simulation =
            Simulation::new(robot)?.step_size(h)?.state(vector![0.0], vector![1.0])?;
        let mut last: f64 = 0.0;
        for step in 0..200_000 {
            simulation.step(&SVector::zeros())?;
            if step >= 190_000 {
                last = last.max(energy(simulation.current()));
            }
        }
        // Symplectic Euler keeps ½ (v² + ω² q² − h ω² q v), which is within h ω / 2 of the energy.
        let share = 0.5 * h * rate;
        assert!(last > 0.5 && last < 0.5 / (1.0 - share), "{rate}: {last}");
    }
    for rate in [2e3, 1e4, 1e6] {
        let robot = Oscillator { k: rate * rate };
        let mut simulation =
            Simulation::new(robot)?.step_size(h)?.state(vector![0.0], vector![1.0])?;
        let mut before = 1.0;
        for _ in 0..100 {
            simulation.step(&SVector::zeros())?;
            let speed = simulation.current().v[0].abs();
            assert!(speed <= 1.0, "{rate}: {speed}");
            before = speed;
        }
        // The share 1/x of the amplitude is left in each step.
        assert!(before < (h * rate).powi(-90), "{rate}: {before}");
    }
    Ok(())
}

/// M (v⁺ − ṽ)/h + b − f − Gᵀ Λ/h of all but springs, of a robot without floating joint, and the largest term.
fn missing<M: Model + Clone>(
    simulation: &Simulation<M>,
    before: &State<M>,
    u: &M::U,
) -> (M::V, f64) {
    let (model, h) = (simulation.model(), simulation.time_step());
    let State { q, v, .. } = before;
    let (mass, bias) = (model.mass_matrix(q), model.bias_force(q, v));
    let mut input = M::V::zeros();
    for (k, column) in model.input_matrix().as_slice().chunks_exact(M::NV).enumerate() {
        (0..M::NV).for_each(|i| input[i] += column[i] * u[k]);
    }
    let mut jacobian = vec![0.0; 3 * M::CONTACTS.len() * M::NV];
    model.contact_jacobian_into(q, &mut jacobian);
    let impulse = simulation.impulse();
    let (mut missing, mut size) = (M::V::zeros(), 1.0);
    for i in 0..M::NV {
        let column = &jacobian[3 * M::CONTACTS.len() * i..][..3 * M::CONTACTS.len()];
        let contacts = column.iter().enumerate().map(|(k, j)| j * impulse.local(k / 3)[k % 3]);
        let single = impulse.motors[i] + impulse.dry_friction[i] + impulse.limits[i][0]
            - impulse.limits[i][1];
        let change = (0..M::NV).map(|j| mass[(i, j)] * (simulation.current().v[j] - v[j]));
        let terms = change.chain(contacts.map(|term| -term)).chain([-single]);
        for term in terms.map(|term| term / h).chain([bias[i], -input[i]]) {
            missing[i] += term;
            size = f64::max(size, term.abs());
        }
    }
    (missing, size)
}

#[test]
fn the_mean_force_of_springs_and_dampers_closes_the_balance_of_momentum() -> Run {
    for formulation in every_formulation() {
        for (k, d) in [(0.0, 0.0), (5.0, 0.1), (0.0, 1e4), (1e5, 0.0), (1e8, 1e-3), (1e3, 10.0)] {
            let q = vector![0.1, 0.4, -0.3, 0.2];
            let mut simulation = Simulation::new(Arm { k, d })?
                .formulation(formulation)
                .state(q, vector![3.0, -2.0, 1.0, 5.0])?;
            assert_eq!(simulation.passive_force(), SVector::<f64, 4>::zeros());
            for _ in 0..100 {
                let before = simulation.current().clone();
                simulation.step(&SVector::zeros())?;
                let (missing, size) = missing(&simulation, &before, &SVector::zeros());
                let force = simulation.passive_force();
                // What a step leaves of momentum is to 1e-9 N m s.
                let error = (force - missing).amax();
                assert!(
                    error < 1e-11 * size + 1e-7,
                    "{formulation:?}, {k}, {d}: {error:e} {size:e}"
                );
            }
            simulation.reset(q, SVector::zeros())?;
            assert_eq!(simulation.passive_force(), SVector::<f64, 4>::zeros());
        }
    }
    Ok(())
}

/// Two masses on a rail, tied.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(a, mass = 1), joint(ja, prismatic(world -> a), axis = [1, 0, 0]),
    link(b, mass = 2), joint(jb, prismatic(world -> b), axis = [1, 0, 0], actuated),
    spring(tie, a = a, b = b, stiffness = k, damping = d, rest = 1),
    spring(anchor, a = world @ [-1, 0, 0], b = a, stiffness = 10, rest = 1),
)]
struct Tied {
    k: f64,
    d: f64,
}

#[test]
fn springs_between_points_say_how_much_they_pulled() -> Run {
    for (k, d) in [(100.0, 0.0), (1e3, 5.0), (1e7, 0.0), (1e7, 1e4), (0.0, 1e5)] {
        let start = (vector![0.0, 1.01], vector![0.0, 0.5]);
        let robot = Tied { k, d };
        let mut simulation = Simulation::new(robot)?.state(start.0, start.1)?;
        assert!(simulation.spring_forces().is_empty());
        for step in 0..100 {
            let before = simulation.current().clone();
            simulation.step(&vector![3.0])?;
            let forces = simulation.spring_forces();
            let names: Vec<_> = forces.iter().map(|of| of.name).collect();
            assert_eq!(names, ["tie", "anchor"]);
            let accelerations = (simulation.current().v - before.v) / 1e-3;
            let [tie, anchor] = [forces[0].tension, forces[1].tension];
            let scale = 1e-9 * (1.0 + tie.abs());
            assert!((2.0 * accelerations[1] - 3.0 + tie).abs() < scale, "{k}, {d}, {step}: {tie}");
            assert!((accelerations[0] - tie + anchor).abs() < scale, "{k}, {d}, {step}: {anchor}");
            let force = simulation.passive_force();
            assert!((force - vector![tie - anchor, -tie]).amax() < scale, "{force}");
        }
        // A step without result has no forces to report.
        assert!(simulation.step(&vector![f64::NAN]).is_err());
        assert!(simulation.spring_forces().is_empty());
    }
    Ok(())
}
