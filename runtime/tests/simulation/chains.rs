//! Chains of bodies: energy without trend, momentum to rounding, and steps that balance.

use jourdain::contact::{Conditions, Stepper, Transition, residual};
use jourdain::nalgebra::{SVector, vector};
use jourdain::prelude::*;

type Failure = Box<dyn std::error::Error>;

/// Two rods with a hinge, free in the plane.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(first, mass = 1, com = [0.5, 0, 0], inertia = [0.01, 0.0833, 0.0833]),
    link(second, mass = 1, com = [0.5, 0, 0], inertia = [0.01, 0.0833, 0.0833]),
    joint(plane, planar(world -> first), axis = [0, 0, 1]),
    joint(hinge, revolute(first -> second), at = [1, 0, 0], axis = [0, 0, 1]),
)]
struct Rods;

/// A floating body with a limb on a ball.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(trunk, mass = 2, com = [0.03, -0.02, 0.05], inertia = [0.05, 0.11, 0.14]),
    joint(base, floating(world -> trunk)),
    link(upper, mass = 1, com = [0.2, 0.01, 0], inertia = [0.002, 0.014, 0.013]),
    joint(ball, spherical(trunk -> upper), at = [0.1, 0.2, 0.1]),
    link(lower, mass = 0.5, com = [0.2, 0, 0.02], inertia = [0.001, 0.007, 0.0068]),
    joint(knee, revolute(upper -> lower), at = [0.4, 0, 0], axis = [0, 1, 0.2], armature = 0.01),
)]
struct Limb;

/// Two slender rods on balls, which turn about themselves with little inertia.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(upper, mass = 1, com = [0.1, 0, -0.5], inertia = [0.0833, 0.0833, 0.001]),
    joint(a, spherical(world -> upper)),
    link(lower, mass = 1, com = [0, 0.1, -0.5], inertia = [0.0833, 0.0833, 0.001]),
    joint(b, spherical(upper -> lower), at = [0, 0, -1]),
)]
struct Slender;

/// A double pendulum under its weight.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(upper, mass = 1, com = [0, 0, -0.5], inertia = [0.0833, 0.0833, 0.001]),
    joint(a, revolute(world -> upper), axis = [0, 1, 0]),
    link(lower, mass = 1, com = [0, 0, -0.5], inertia = [0.0833, 0.0833, 0.001]),
    joint(b, revolute(upper -> lower), at = [0, 0, -1], axis = [0, 1, 0]),
)]
struct Pendulum;

/// A finger whose second joint follows the first, which form no tree of coordinates.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(palm, mass = 0.3, com = [0.01, 0, 0], inertia = [1e-3, 2e-3, 2e-3]),
    joint(wrist, revolute(world -> palm), axis = [0, 0, 1]),
    link(near, mass = 0.1, com = [0.05, 0, 0], inertia = [1e-4, 2e-4, 2e-4]),
    joint(knuckle, revolute(palm -> near), at = [0.1, 0, 0], axis = [0, 1, 0]),
    link(far, mass = 0.1, com = [0.05, 0, 0], inertia = [1e-4, 2e-4, 2e-4]),
    joint(tip, revolute(near -> far), at = [0.1, 0, 0], axis = [0, 1, 0], mimic(knuckle, multiplier = 0.8)),
)]
struct Finger;

/// A four-bar linkage that spins freely in the plane, on a floating base too.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(crank, mass = 1, com = [0.2, 0, 0], inertia = [0.001, 0.02, 0.02]),
    joint(a, revolute(world -> crank), axis = [0, 0, 1]),
    link(coupler, mass = 1.5, com = [0.5, 0.05, 0], inertia = [0.001, 0.08, 0.08]),
    joint(b, revolute(crank -> coupler), at = [0.4, 0, 0], axis = [0, 0, 1]),
    link(rocker, mass = 1.2, com = [0.45, 0, 0], inertia = [0.001, 0.07, 0.07]),
    joint(c, revolute(world -> rocker), at = [1, 0, 0], axis = [0, 0, 1]),
    closure(tip, a = coupler @ [1, 0, 0], b = rocker @ [0.9, 0, 0], axes = [x, y]),
)]
struct FourBar;

/// Two flat bodies that a rod and a ball tie.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(one, mass = 1, com = [0.05, 0, 0.02], inertia = [0.02, 0.04, 0.055]),
    joint(first, floating(world -> one)),
    link(two, mass = 0.7, com = [0.2, 0, 0], inertia = [0.01, 0.03, 0.035]),
    joint(second, floating(world -> two)),
    closure(ball, a = one @ [0.2, 0, 0], b = two @ [-0.1, 0, 0], axes = [x, y, z]),
)]
struct Tied;

/// What a run does to the energy, by the kinetic energy that there was: the least and the largest change, and the mean changes of
/// its first and its last fifth; and to the momentum, by its largest part.
#[derive(Debug, Default)]
struct Changes {
    least: f64,
    most: f64,
    first: f64,
    last: f64,
    momentum: f64,
}

impl Changes {
    fn trend(&self) -> f64 {
        (self.last - self.first).abs()
    }
}

fn run<R: Model + Copy>(
    robot: R,
    (q, v): (R::Q, R::V),
    (h, steps): (f64, usize),
) -> Result<Changes, Failure>
where
    R::U: Default,
{
    let energy = |q: &R::Q, v: &R::V| robot.kinetic_energy(q, v) + robot.potential_energy(q);
    let (begin, momentum) = (energy(&q, &v), robot.momentum(&q, &v));
    let kinetic = robot.kinetic_energy(&q, &v);
    let mut simulation = Simulation::new(robot)?.step_size(h)?.state(q, v)?;
    let mut changes = Changes::default();
    for step in 0..steps {
        simulation.step(&R::U::default())?;
        let State { q, v, .. } = simulation.current();
        let change = (energy(q, v) - begin) / kinetic;
        changes.least = changes.least.min(change);
        changes.most = changes.most.max(change);
        let fifth = 5.0 * change / steps as f64;
        match 5 * step / steps {
            0 => changes.first += fifth,
            4 => changes.last += fifth,
            _ => {}
        }
        let lost = (robot.momentum(q, v) - momentum).amax() / momentum.amax();
        changes.momentum = changes.momentum.max(lost);
    }
    Ok(changes)
}

/// Energy within h ω/4 of itself without trend, ω being that of the faster rod; also where they fly fast.
#[test]
fn hinged_rods_turn_freely() -> Result<(), Failure> {
    let q = vector![0.0, 0.0, 0.3, 1.2];
    for (rates, fastest) in [([40.0, -20.0], 52.0), ([10.0, 30.0], 49.0), ([25.0, -60.0], 46.0)] {
        for (h, steps) in [(1e-3, 10_000), (2.5e-4, 10_000)] {
            let v: SVector<f64, 4> = vector![3.0, -20.0, rates[0], rates[1]];
            let changes = run(Rods, (q, v), (h, steps))?;
            println!("{rates:?} {h}: {changes:?}");
            let most = 0.25 * h * fastest;
            assert!(changes.most < most && changes.least > -most, "{changes:?}");
            assert!(changes.trend() < 0.1 * most && changes.momentum < 1e-9, "{changes:?}");
        }
    }
    Ok(())
}

#[test]
fn limbs_keep_energy_and_momentum() -> Result<(), Failure> {
    let v = vector![0.3, -0.2, 0.5, 1.0, -2.0, 3.0, 2.0, -3.0, 1.0, 5.0];
    for (h, most) in [(1e-2, 0.025), (1e-3, 2.5e-4)] {
        let changes = run(Limb, (Limb.neutral(), v), (h, 10_000))?;
        println!("limb {h}: {changes:?}");
        assert!(changes.most < most && changes.least > -most, "{changes:?}");
        assert!(changes.trend() < 0.1 * most && changes.momentum < 1e-10, "{changes:?}");
    }
    let v = vector![3.0, -5.0, 3.0, 2.0, 1.0, 6.0];
    let changes = run(Slender, (Slender.neutral(), v), (1e-3, 10_000))?;
    println!("slender: {changes:?}");
    assert!(changes.most < 2e-3 && changes.least > -2e-3 && changes.trend() < 2e-4, "{changes:?}");
    let changes = run(Finger, (vector![0.1, 0.5], vector![4.0, 9.0]), (1e-3, 10_000))?;
    println!("finger: {changes:?}");
    assert!(changes.most < 2e-3 && changes.least > -2e-3 && changes.trend() < 2e-4, "{changes:?}");
    Ok(())
}

/// Energy within a bound of the size of h and without trend, in a motion that is chaotic.
#[test]
fn a_double_pendulum_tumbles() -> Result<(), Failure> {
    for (h, most) in [(4e-3, 0.08), (2e-3, 0.04), (1e-3, 0.02)] {
        let state = (vector![2.0, 1.0], vector![3.0, -5.0]);
        let changes = run(Pendulum, state, (h, (60.0 / h) as usize))?;
        println!("pendulum {h}: {changes:?}");
        assert!(changes.most < most && changes.least > -most, "{changes:?}");
        assert!(changes.trend() < 0.2 * most, "{changes:?}");
    }
    Ok(())
}

/// Of the second order where no forces act: each half of the step leaves a quarter of the error.
#[test]
fn free_chains_converge_by_the_second_order() -> Result<(), Failure> {
    let v = vector![0.3, -0.2, 0.5, 1.0, -2.0, 3.0, 2.0, -3.0, 1.0, 5.0];
    let mut smooth = SmoothSimulation::new(Limb)?.tolerance(1e-12)?.state(Limb.neutral(), v)?;
    smooth.run(0.5, |_: &State<Limb>| SVector::zeros())?;
    let mut errors = Vec::new();
    for steps in [125, 250, 500] {
        let mut simulation =
            Simulation::new(Limb)?.step_size(0.5 / f64::from(steps))?.state(Limb.neutral(), v)?;
        for _ in 0..steps {
            simulation.step(&SVector::zeros())?;
        }
        let (found, exact) = (simulation.current(), smooth.current());
        errors.push((Limb.difference(&exact.q, &found.q).amax(), (found.v - exact.v).amax()));
    }
    println!("{errors:?}");
    let falls = |pair: &[(f64, f64)]| pair[0].0 > 3.6 * pair[1].0 && pair[0].1 > 3.6 * pair[1].1;
    assert!(errors.windows(2).all(falls), "{errors:?}");
    Ok(())
}

/// An arm with a stop, dry friction, a damper and a spring, which is thrown about.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(trunk, mass = 2, com = [0.03, -0.02, 0.05], inertia = [0.05, 0.11, 0.14]),
    joint(base, floating(world -> trunk)),
    contact(foot, on = trunk, at = [0.1, 0, -0.2], friction = 0.6),
    contact(heel, on = trunk, at = [-0.1, 0.05, -0.2], friction = 0.6),
    link(upper, mass = 1, com = [0.2, 0.01, 0], inertia = [0.002, 0.014, 0.013]),
    joint(ball, spherical(trunk -> upper), at = [0.1, 0.2, 0.1]),
    link(lower, mass = 0.5, com = [0.2, 0, 0.02], inertia = [0.001, 0.007, 0.0068]),
    joint(knee, revolute(upper -> lower), at = [0.4, 0, 0], axis = [0, 1, 0.2], limits = [-1, 1], friction = 0.05, damping = 0.1, stiffness = 3),
)]
struct Thrown;

/// What a step says is what its state says, and impulses take energy: with the velocity w that a step solves for,
/// ½ wᵀ M w − ½ ṽᵀ M ṽ is at most the work of what is not an impulse.
#[test]
fn thrown_limbs_balance() -> Result<(), Failure> {
    let conditions = Conditions { symplectic: true, ..Conditions::default() };
    let (mut q, mut v) = (Thrown.neutral(), SVector::<f64, 10>::zeros());
    q[2] = 0.21;
    v.copy_from_slice(&[0.3, -0.2, 0.5, 1.0, -2.0, 3.0, 2.0, -3.0, 1.0, 5.0]);
    let h = 1e-3;
    let mut simulation = Simulation::new(Thrown)?.symplectic(true).state(q, v)?;
    let mut stepper = Stepper::new(&Thrown)?;
    let mut struck = 0;
    for _ in 0..400 {
        let State { time, q, v } = simulation.current().clone();
        let force = Thrown.passive_force(&q, &v);
        stepper.step(&Thrown, (&q, &v), &force, (time, h), &conditions)?;
        let report = simulation.step(&SVector::zeros())?;
        let step = Transition {
            conditions: &conditions,
            time,
            step_size: h,
            q: &q,
            v: &v,
            force: &force,
            v_next: &simulation.current().v,
            impulse: simulation.impulse(),
        };
        let audited = residual(&Thrown, &step);
        assert!(audited.max() < 1e-8, "{time}: {audited:?}, {:?}", report.residual);
        struck += usize::from(simulation.impulse().normal.iter().any(|normal| *normal > 0.0));
    }
    assert!(struck > 20, "{struck}");
    Ok(())
}

/// What is switched off leaves nothing behind.
#[test]
fn a_run_goes_on_without_the_leapfrog() -> Result<(), Failure> {
    let state = (vector![2.0, 1.0], vector![3.0, -5.0]);
    let mut simulation = Simulation::new(Pendulum)?.state(state.0, state.1)?;
    simulation.run(0.1, |_: &State<Pendulum>| SVector::zeros())?;
    let State { q, v, .. } = *simulation.current();
    let mut simulation = simulation.symplectic(false);
    let mut other = Simulation::new(Pendulum)?.symplectic(false).state(q, v)?;
    simulation.step(&SVector::zeros())?;
    other.step(&SVector::zeros())?;
    let (found, expected) = (simulation.current(), other.current());
    assert_eq!((found.q, found.v), (expected.q, expected.v));
    Ok(())
}

/// What closures tie keeps its energy too: within (h ω)² of itself, without trend over 100 s.
#[test]
fn linkages_spin_freely() -> Result<(), Failure> {
    let robot = FourBar;
    for (h, rate) in [(1e-3, 10.0), (5e-3, 10.0), (5e-4, 10.0)] {
        let q = robot.assemble_here()?;
        let v = q.1 * rate;
        for symplectic in [true, false] {
            let changes = run_as(robot, (q.0, v), (h, (20.0 / h) as usize), symplectic);
            println!("four-bar {h} {symplectic}: {changes:?}");
        }
    }
    let mut q = Tied.neutral();
    q[7] = 0.3;
    let v = SVector::<f64, 12>::from_column_slice(&[
        0.0, 0.0, 0.0, 1.0, -2.0, 6.0, 0.0, 0.0, 0.0, 1.0, -2.0, 6.0,
    ]);
    let mut v = v;
    (v[7], v[8]) = (6.0 * 0.3, 2.0 * 0.3);
    for h in [1e-3, 5e-3, 5e-4] {
        for symplectic in [true, false] {
            let changes = run_as(Tied, (q, v), (h, (10.0 / h) as usize), symplectic);
            println!("tied {h} {symplectic}: {changes:?}");
        }
    }
    Ok(())
}

impl FourBar {
    /// Assembled, with a crank that turns at 1 rad/s.
    fn assemble_here(&self) -> Result<(SVector<f64, 3>, SVector<f64, 3>), Failure> {
        // crank up at angle a; coupler and rocker close the triangle.
        let a: f64 = 0.7;
        let (x, y) = (0.4 * a.cos(), 0.4 * a.sin());
        let (dx, dy) = (1.0 - x, -y);
        let d = dx.hypot(dy);
        let angle = ((1.0 + d * d - 0.81) / (2.0 * d)).acos() + dy.atan2(dx);
        let (tx, ty) = (x + angle.cos(), y + angle.sin());
        let c = ty.atan2(tx - 1.0);
        let q: SVector<f64, 3> = vector![a, angle - a, c];
        let mut jacobian = [0.0; 6];
        self.constraint_jacobian_into(&q, &SVector::zeros(), 0.0, &mut jacobian);
        let j = |row: usize, column: usize| jacobian[2 * column + row];
        let det = j(0, 1) * j(1, 2) - j(0, 2) * j(1, 1);
        let b = -(j(0, 0) * j(1, 2) - j(0, 2) * j(1, 0)) / det;
        let rocker = -(j(0, 1) * j(1, 0) - j(0, 0) * j(1, 1)) / det;
        Ok((q, vector![1.0, b, rocker]))
    }
}

fn run_as<R: Model + Copy>(
    robot: R,
    (q, v): (R::Q, R::V),
    (h, steps): (f64, usize),
    symplectic: bool,
) -> Result<(f64, f64, f64, f64, f64), Failure>
where
    R::U: Default,
{
    let begin = robot.kinetic_energy(&q, &v);
    let momentum = robot.momentum(&q, &v);
    let mut simulation = Simulation::new(robot)?.step_size(h)?.symplectic(symplectic).state(q, v)?;
    let mut c = (0.0_f64, 0.0_f64, 0.0, 0.0, 0.0_f64);
    for step in 0..steps {
        simulation.step(&R::U::default())?;
        let State { q, v, .. } = simulation.current();
        let change = robot.kinetic_energy(q, v) / begin - 1.0;
        c.0 = c.0.min(change);
        c.1 = c.1.max(change);
        let fifth = 5.0 * change / steps as f64;
        match 5 * step / steps { 0 => c.2 += fifth, 4 => c.3 += fifth, _ => {} }
        c.4 = c.4.max((robot.momentum(q, v) - momentum).amax());
    }
    Ok(c)
}
