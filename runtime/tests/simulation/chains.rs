//! Chains of bodies: energy without trend, momentum to rounding, and steps that balance.

use jourdain::contact::{Conditions, Error, Stepper, Transition, residual};
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

/// Two rods with a stiff spring in their hinge.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(first, mass = 0.1, com = [0.5, 0, 0], inertia = [1e-4, 8.33e-3, 8.33e-3]),
    link(second, mass = 0.1, com = [0.5, 0, 0], inertia = [1e-4, 8.33e-3, 8.33e-3]),
    joint(a, revolute(world -> first), axis = [0, 0, 1]),
    joint(b, revolute(first -> second), at = [1, 0, 0], axis = [0, 0, 1], stiffness = 4e5, rest = 1.2),
    link(third, mass = 0.1, com = [0.5, 0, 0], inertia = [1e-4, 8.33e-3, 8.33e-3]),
    joint(c, revolute(second -> third), at = [1, 0, 0], axis = [0, 0, 1]),
)]
struct Sprung;

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

/// A four-bar linkage in the plane, whose crank goes round.
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

/// What closures tie keeps its energy too: of the second order in h ω, without trend over 16 turns of the crank, where the
/// explicit bias takes 14 % in 20 s at 1 ms.
#[test]
fn linkages_spin_freely() -> Result<(), Failure> {
    let mut before = None;
    for (h, steps) in [(5e-3, 2_000), (2.5e-3, 4_000), (1e-3, 10_000)] {
        let changes = run(FourBar, assembled(0.7, 10.0), (h, steps))?;
        println!("four-bar {h}: {changes:?}");
        let most = 100.0 * h * h;
        assert!(changes.most < most && changes.least > -most, "{changes:?}");
        assert!(changes.trend() < 0.02 * most, "{changes:?}");
        let falls = |(step, last): (f64, f64)| last / changes.most > 0.9 * (step / h) * (step / h);
        assert!(before.is_none_or(falls), "{before:?} {changes:?}");
        before = Some((h, changes.most));
    }
    // 5 % of a radian a step.
    let changes = run(FourBar, assembled(0.7, 10.0), (5e-3, 20_000))?;
    println!("four-bar, 100 s: {changes:?}");
    assert!(changes.trend() < 1e-4 && changes.most < 2.5e-3, "{changes:?}");
    Ok(())
}

/// Two bodies that a ball ties keep energy and momentum.
#[test]
fn tied_bodies_turn_freely() -> Result<(), Failure> {
    let mut q = Tied.neutral();
    q[7] = 0.3;
    let w = [1.0, -2.0, 6.0];
    let v = SVector::from([0.0, 0.0, 0.0, w[0], w[1], w[2], 0.0, 1.8, 0.6, w[0], w[1], w[2]]);
    for (h, steps) in [(5e-3, 1_000), (1e-3, 2_000)] {
        let changes = run(Tied, (q, v), (h, steps))?;
        println!("tied {h}: {changes:?}");
        let most = 6.0 * h * h;
        assert!(changes.most < most && changes.least > -most, "{changes:?}");
        assert!(changes.trend() < 0.1 * most && changes.momentum < 1e-9, "{changes:?}");
    }
    Ok(())
}

/// A step beside constraints is what its state says.
#[test]
fn linkages_balance() -> Result<(), Failure> {
    let conditions = Conditions { symplectic: true, ..Conditions::default() };
    let (q, v) = assembled(0.7, 10.0);
    let mut simulation = Simulation::new(FourBar)?.state(q, v)?;
    for _ in 0..50 {
        let State { time, q, v } = simulation.current().clone();
        simulation.step(&SVector::zeros())?;
        let step = Transition {
            conditions: &conditions,
            time,
            step_size: 1e-3,
            q: &q,
            v: &v,
            force: &SVector::zeros(),
            v_next: &simulation.current().v,
            impulse: simulation.impulse(),
        };
        let audited = residual(&FourBar, &step);
        assert!(audited.max() < 1e-9, "{time}: {audited:?}");
        // Half a kick less is found.
        let mut momenta = [0.0; 6];
        let State { q: q_end, v: v_end, .. } = simulation.current();
        FourBar.generalized_momentum_into(q_end, v_end, &mut momenta);
        let kick = SVector::<f64, 3>::from_column_slice(&momenta[3..]);
        let mass = FourBar.mass_matrix(q_end);
        let lost = 0.5e-3 * mass.try_inverse().ok_or("no inverse")? * kick;
        let audited = residual(&FourBar, &Transition { v_next: &(v_end - lost), ..step });
        assert!(audited.max() > 1e-2 * lost.amax(), "{time}: {audited:?} {lost}");
    }
    Ok(())
}

/// Where a step cannot follow, it says which one would, and that one does.
#[test]
fn a_step_that_is_too_long_says_so() -> Result<(), Failure> {
    let (q, v) = (vector![0.0, 0.0, 0.3, 1.2], vector![0.0, 0.0, 2000.0, -4000.0]);
    let mut simulation = Simulation::new(Rods)?.state(q, v)?;
    let failed = simulation.step(&SVector::zeros());
    println!("{failed:?}");
    let Err(SimulationError::Contact { error: Error::TooLong { step_size, most }, time }) = failed
    else {
        return Err(format!("{failed:?}").into());
    };
    assert!(step_size == 1e-3 && time == 0.0 && most < 1e-3 && most > 1e-5, "{most}");
    assert_eq!((simulation.current().q, simulation.current().v), (q, v));
    let changes = run(Rods, (q, v), (0.5 * most, 1_000))?;
    println!("{changes:?}");
    assert!(changes.most < 1.0 && changes.least > -1.0 && changes.momentum < 1e-8, "{changes:?}");
    // Other solutions of the equations, far away, are none of the motion.
    for rate in [400.0, 1000.0, 1500.0, 4000.0, 1e4] {
        let v = rate * vector![0.0, 0.0, 0.1, -0.2, 0.3, 0.5, 0.2, -0.3, 0.1, 0.5];
        let mut simulation = Simulation::new(Limb)?.state(Limb.neutral(), v)?;
        let failed = simulation.step(&SVector::zeros());
        let is_told =
            matches!(failed, Err(SimulationError::Contact { error: Error::TooLong { .. }, .. }));
        assert!(is_told, "{rate}: {failed:?}");
    }
    Ok(())
}

/// With the crank at an angle, which turns at a rate.
fn assembled(angle: f64, rate: f64) -> (SVector<f64, 3>, SVector<f64, 3>) {
    let joint = vector![0.4 * angle.cos(), 0.4 * angle.sin()];
    let across = vector![1.0, 0.0] - joint;
    let far = across.norm();
    let coupler = ((1.0 + far * far - 0.81) / (2.0 * far)).acos() + across.y.atan2(across.x);
    let rocker = joint + vector![coupler.cos(), coupler.sin()] - vector![1.0, 0.0];
    let q = vector![angle, coupler - angle, rocker.y.atan2(rocker.x)];
    let mut columns = [0.0; 6];
    FourBar.constraint_jacobian_into(&q, &SVector::zeros(), 0.0, &mut columns);
    let [[a, b], [c, d], [e, f]] =
        [[columns[0], columns[1]], [columns[2], columns[3]], [columns[4], columns[5]]];
    let determinant = c * f - e * d;
    let v = vector![1.0, (e * b - a * f) / determinant, (a * d - c * b) / determinant];
    (q, rate * v)
}

/// Where steps are so short that rounding is all that is left of an iteration's change, that is no reason to give up.
#[test]
fn steps_may_be_short() -> Result<(), Failure> {
    for (start, h) in [(0.3, 1e-4), (1.0, 1e-4), (2.0, 2e-5), (1e-5, 1e-4)] {
        let state = (vector![start, 0.3 * start], vector![0.0, 0.0]);
        let mut simulation = Simulation::new(Pendulum)?.step_size(h)?.state(state.0, state.1)?;
        let before = simulation.energy();
        simulation.run(0.2, |_: &State<Pendulum>| SVector::zeros())?;
        let size = start * start;
        assert!((simulation.energy() - before).abs() < 100.0 * h * size, "{start}, {h}");
    }
    Ok(())
}

/// A spring that a step does not resolve leaves nothing of what its force alone would make of velocities: then the Coriolis
/// force is that at the beginning.
#[test]
fn stiff_springs_are_no_motion() -> Result<(), Failure> {
    for stretch in [0.0, 2e-4] {
        let end = |h: f64, is_symplectic: bool| -> Result<_, Failure> {
            let simulation = Simulation::new(Sprung)?.step_size(h)?.symplectic(is_symplectic);
            let begin = (vector![0.0, 1.2 + stretch, 0.5], vector![20.0, 0.0, 0.0]);
            let mut simulation = simulation.state(begin.0, begin.1)?;
            (0..(0.05 / h).round() as usize)
                .try_for_each(|_| simulation.step(&SVector::zeros()).map(drop))?;
            Ok(simulation.current().q)
        };
        let exact = end(1e-5, false)?;
        assert!((end(1e-5, true)? - exact).amax() < 1e-3);
        assert_eq!(end(1e-3, true)?, end(1e-3, false)?);
        for h in [1e-3, 5e-4, 2.5e-4, 1e-4] {
            let off = (end(h, true)? - exact).amax();
            assert!(off < 25.0 * h, "{stretch}, {h}: {off}");
        }
    }
    Ok(())
}

/// A linkage that turns too far in a step says which one would do.
#[test]
fn linkages_say_which_step_would_do() -> Result<(), Failure> {
    let mut refused = 0;
    for rate in [20.0, 50.0, 100.0, 150.0, 200.0, 300.0, 450.0, 600.0, 1000.0, 2000.0] {
        for angle in [0.3, 1.4, 2.5, 4.0] {
            let mut simulation = {
                let (q, v) = assembled(angle, rate);
                Simulation::new(FourBar)?.state(q, v)?
            };
            let mut steps = 0;
            let failed = loop {
                match simulation.step(&SVector::zeros()) {
                    Ok(_) if steps == 300 => break None,
                    Ok(_) => steps += 1,
                    Err(error) => break Some(error),
                }
            };
            let Some(error) = failed else { continue };
            let at = simulation.current().clone();
            let SimulationError::Contact { error: Error::TooLong { most, step_size }, .. } = error
            else {
                return Err(format!("{rate}, {angle} after {steps}: {error}").into());
            };
            assert!(most < step_size && step_size == 1e-3, "{most}");
            let mut shorter = Simulation::new(FourBar)?.step_size(most)?.state(at.q, at.v)?;
            shorter.step(&SVector::zeros())?;
            refused += 1;
        }
    }
    assert!(refused > 0);
    Ok(())
}
