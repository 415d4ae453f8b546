//! Control at the end of a step, and what control at its beginning does where it is too stiff.

use jourdain::contact::{Transition, residual};
use jourdain::nalgebra::{SMatrix, SVector, vector};
use jourdain::prelude::*;

use super::every_formulation;

type Run = Result<(), Box<dyn std::error::Error>>;

/// An arm of light links on motors, whose hand may stand on the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(a, mass = 0.2, com = [0, 0, 0.1], inertia = [1e-3, 1e-3, 2e-4]),
    joint(one, revolute(world -> a), axis = [0, 0, 1], effort = most, actuated),
    link(b, mass = 0.1, com = [0, 0, 0.1], inertia = [5e-4, 5e-4, 1e-4]),
    joint(two, revolute(a -> b), at = [0, 0, 0.2], axis = [0, 1, 0], effort = most, actuated),
    link(c, mass = 0.05, com = [0, 0, 0.1], inertia = [2e-4, 2e-4, 5e-5]),
    joint(three, revolute(b -> c), at = [0, 0, 0.2], axis = [0, 1, 0], effort = most, friction = 1e-3),
    actuator(motor, joint = three, gear = 2),
    link(e, mass = 0.01, com = [0.01, 0, 0.05], inertia = [2e-5, 2e-5, 5e-6]),
    joint(four, revolute(c -> e), at = [0, 0, 0.2], axis = [0, 0, 1], damping = 1e-4, passive),
    contact(tip, on = e, at = [0, 0, 0.1], friction = 0.5),
    ground(offset = level),
)]
struct Arm {
    most: f64,
    level: f64,
}

const FREE: Arm = Arm { most: 1.0, level: -1.0 };

/// Without limits of effort.
fn free(pd: Pd<Arm>) -> Pd<Arm> {
    pd.effort(SVector::repeat(f64::INFINITY))
}

/// Moves by so many steps, each audited.
fn audited<M: Model + Clone>(
    simulation: &mut Simulation<M>,
    controller: &mut impl Controller<M>,
    steps: usize,
) -> Run {
    let (model, h) = (simulation.model().clone(), simulation.time_step());
    for _ in 0..steps {
        let State { time, q, v } = simulation.current().clone();
        assert!(controller.servos(simulation.current()).is_some());
        simulation.step_with(controller)?;
        let (conditions, v_next) = (simulation.conditions(), &simulation.current().v);
        let force = &model.passive_force(&q, &v);
        let impulse = simulation.impulse();
        let step =
            Transition { conditions, time, step_size: h, q: &q, v: &v, force, v_next, impulse };
        let found = residual(&model, &step);
        assert!(found.max() <= 1e-9, "{found:?} at {time}");
    }
    Ok(())
}

#[test]
fn stiff_gains_hold_an_arm_at_any_step() -> Run {
    let target = vector![0.3, 0.5, -0.4, 0.0];
    for formulation in every_formulation() {
        for h in [1e-2, 1e-3, 1e-4] {
            for most in [f64::INFINITY, 5.0] {
                let arm = Arm { most: 5.0, ..FREE };
                let pd = Pd::new(&arm, target, 1e6, 1e3);
                let mut hold = if most.is_finite() { pd } else { free(pd) }.implicit();
                let start =
                    (target + vector![0.05, -0.05, 0.05, 0.0], vector![1.0, -2.0, 3.0, 1.0]);
                let mut simulation = Simulation::new(arm)?
                    .step_size(h)?
                    .formulation(formulation)
                    .state(start.0, start.1)?;
                audited(&mut simulation, &mut hold, 200)?;
                // What they start with takes longer to be stopped by 5 N m.
                simulation.run(0.5, &hold)?;
                let State { q, v, .. } = simulation.current();
                let error = (q - target).fixed_rows::<3>(0).amax();
                let speed = v.fixed_rows::<3>(0).amax();
                assert!(
                    error < 1e-5 && speed < 1e-4,
                    "{formulation:?}, {h}, {most}: {error:e} {speed:e}"
                );
            }
        }
    }
    Ok(())
}

#[test]
fn a_hand_presses_on_the_ground_with_what_its_motors_have() -> Run {
    // The target is 1 cm below the ground.
    for formulation in every_formulation() {
        for h in [1e-2, 1e-3] {
            let arm = Arm { most: 3.0, level: 0.3 };
            let target = vector![0.2, 1.5, 0.39, 0.0];
            let mut hold = Pd::new(&arm, target, 1e6, 1e3).implicit();
            let start = vector![0.2, 1.0, 0.4, 0.0];
            let mut simulation = Simulation::new(arm)?
                .step_size(h)?
                .formulation(formulation)
                .state(start, SVector::zeros())?;
            audited(&mut simulation, &mut hold, 300)?;
            let force = simulation.motor_force();
            assert!(force.amax() <= 3.0 * (1.0 + 1e-9), "{formulation:?}: {force}");
            assert!(simulation.contact_forces().len() == 1, "{formulation:?}");
        }
    }
    Ok(())
}

/// Where h² K and h D are small by M, both are the same but for the order of h.
#[test]
fn soft_gains_act_as_explicit_ones_do_to_first_order() -> Run {
    let (target, start) = (vector![0.3, 0.5, -0.4, 0.0], vector![0.2, 0.1, 0.3, -0.1]);
    let pd = || free(Pd::new(&FREE, target, 0.5, 0.02));
    let distance = |h: f64| -> Result<f64, SimulationError> {
        let new = || Simulation::new(FREE)?.step_size(h)?.state(start, SVector::zeros());
        let (mut explicit, mut implicit) = (new()?, new()?);
        explicit.run(0.3, pd())?;
        implicit.run(0.3, pd().implicit())?;
        Ok((explicit.current().q - implicit.current().q).norm())
    };
    let (coarse, fine) = (distance(2e-4)?, distance(1e-4)?);
    assert!(coarse < 1e-2 && (coarse / fine - 2.0).abs() < 0.1, "{coarse} {fine}");
    Ok(())
}

#[test]
fn what_is_held_against_gravity_rests_where_explicit_control_leaves_it() -> Run {
    let target = vector![0.3, 0.5, -0.4, 0.0];
    let pd = || free(Pd::new(&FREE, target, 3.0, 0.05));
    let mut ends = Vec::new();
    for h in [1e-3, 1e-2] {
        let mut simulation = Simulation::new(FREE)?.step_size(h)?;
        simulation.run(20.0, pd().implicit())?;
        ends.push(simulation.current().q);
        let State { q, v, .. } = simulation.current();
        let (force, weight) = (simulation.motor_force(), FREE.gravity_force(q));
        assert!((force + weight).fixed_rows::<2>(0).amax() < 1e-6, "{force} {weight}");
        assert!((force[0] - 3.0 * (target[0] - q[0]) + 0.05 * v[0]).abs() < 1e-9);
    }
    let mut simulation = Simulation::new(FREE)?.step_size(1e-4)?;
    simulation.run(20.0, pd())?;
    ends.push(simulation.current().q);
    for k in 0..2 {
        // Dry friction holds the third joint somewhere near.
        let apart = (ends[k] - ends[2]).fixed_rows::<3>(0).amax();
        assert!(apart < 2e-3, "{apart}");
    }
    Ok(())
}

#[test]
fn torques_are_reported_as_motors_and_as_inputs() -> Run {
    let (target, h) = (vector![0.3, 0.5, -0.4, 0.0], 1e-3);
    let arm = Arm { most: 2.0, ..FREE };
    let held = arm.gravity_force(&target);
    // With what holds the weight, nothing is left to be missed; the motor of the third joint has a gear.
    let weight = vector![-held[0], -held[1], -held[2] / 2.0];
    let mut hold = Pd::new(&arm, target, 1e3, 10.0).implicit().feed_forward(&weight);
    hold.set_velocity(SVector::zeros());
    let mut simulation = Simulation::new(arm)?.step_size(h)?.state(target, SVector::zeros())?;
    let mut recording = Recording::new(f64::INFINITY)?;
    assert_eq!(simulation.motor_force(), SVector::<f64, 4>::zeros());
    simulation.run_recorded(0.5, &hold, &mut recording)?;
    assert!((simulation.current().q - target).fixed_rows::<3>(0).amax() < 1e-5);
    for sample in recording.samples() {
        assert_eq!(sample.u, SVector::<f64, 3>::zeros());
        let torques = sample.motors;
        assert!((torques - arm.input_matrix() * weight).amax() < 1e-2, "{torques}");
    }
    let last = recording.samples().last().map(|sample| sample.motors);
    assert_eq!(last, Some(simulation.motor_force()));
    // Far away, the effort is all there is.
    hold.set_target(vector![2.0, -1.0, 1.0, 0.0]);
    simulation.step_with(&mut hold)?;
    assert_eq!(simulation.motor_force(), vector![2.0, -2.0, 2.0, 0.0]);
    // Elsewhere it is the law at the state.
    let mut smooth = SmoothSimulation::new(FREE)?.state(target, SVector::zeros())?;
    let hold = free(Pd::new(&FREE, target, 1e2, 1.0)).implicit().feed_forward(&weight);
    smooth.run(0.5, &hold)?;
    assert!((smooth.current().q - target).fixed_rows::<3>(0).amax() < 1e-3);
    Ok(())
}

/// An effort that none can have is refused by every simulation, as a motor refuses it.
#[test]
fn impossible_efforts_are_refused() -> Run {
    for effort in [-1.0, f64::NAN] {
        let law = Pd::new(&FREE, vector![0.3, 0.5, -0.4, 0.0], 1e2, 1.0);
        let law = law.effort(SVector::repeat(effort));
        assert!(Simulation::new(FREE)?.run(0.1, law.clone()).is_err());
        assert!(SmoothSimulation::new(FREE)?.run(0.1, law.clone()).is_err());
        assert!(Simulation::new(FREE)?.run(0.1, law.implicit()).is_err());
    }
    Ok(())
}

/// Inputs beside the servos of some joints, and motors that come back after them.
#[test]
fn joints_without_gains_have_their_feed_forward_and_motors_return() -> Run {
    let gains = (vector![0.0, 100.0, 0.0, 0.0], vector![0.0, 1.0, 0.0, 0.0]);
    let arm = Arm { most: 2.0, ..FREE };
    let hold = Pd::new(&arm, SVector::zeros(), 0.0, 0.0).gains(gains.0, gains.1).implicit();
    let mut hold = hold.feed_forward(&vector![0.25, 0.0, 10.0]);
    let mut simulation = Simulation::new(arm)?;
    let motor = Motor::Velocity { velocity: 1.0, force: 0.5 };
    simulation.set_motor("two", Some(motor))?;
    simulation.set_motor("four", Some(motor))?;
    let mut recording = Recording::new(f64::INFINITY)?;
    simulation.run_recorded(1e-3, &hold, &mut recording)?;
    let u = recording.samples()[0].u;
    // 2 N m by a gear of 2.
    assert!(u == vector![0.25, 0.0, 1.0], "{u}");
    assert_eq!(simulation.conditions().motors.len(), 2);
    assert!(simulation.motor_force()[3] != 0.0);
    // Servos that are refused are not among the motors that the step before had.
    let (motors, force) = (simulation.conditions().motors.clone(), simulation.motor_force());
    let mut wrong = Pd::new(&arm, SVector::zeros(), f64::NAN, 1.0).implicit();
    assert!(simulation.step_with(&mut wrong).is_err());
    assert_eq!((&simulation.conditions().motors, simulation.motor_force()), (&motors, force));
    simulation.step(&SVector::zeros())?;
    assert_eq!(simulation.conditions().motors, [(1, motor), (3, motor)]);
    simulation.step_with(&mut hold)?;
    simulation.set_motor("two", None)?;
    assert_eq!(simulation.conditions().motors, [(3, motor)]);
    Ok(())
}

/// A head on a ball joint that motors turn.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(head, mass = 1, com = [0.02, 0, 0.1], inertia = [1e-2, 2e-2, 1.5e-2]),
    joint(neck, spherical(world -> head), actuated),
)]
struct Head;

#[test]
fn a_ball_joint_is_held_too() -> Run {
    let target = Head.integrate(&Head.neutral(), &vector![0.5, -0.4, 0.3]);
    let start = Head.integrate(&Head.neutral(), &vector![-0.3, 0.4, 0.8]);
    for h in [1e-2, 1e-3] {
        for effort in [f64::INFINITY, 5.0] {
            let pd = Pd::new(&Head, target, 1e5, 1e4).effort(SVector::repeat(effort));
            let mut hold = pd.implicit();
            let mut simulation =
                Simulation::new(Head)?.step_size(h)?.state(start, vector![1.0, 2.0, -3.0])?;
            audited(&mut simulation, &mut hold, 100)?;
            simulation.run(3.0, &hold)?;
            let away = Head.difference(&simulation.current().q, &target);
            assert!(away.norm() < 1e-4, "{h}, {effort}: {away}");
            let held = simulation.motor_force() + Head.gravity_force(&target);
            assert!(held.norm() < 1e-3, "{h}, {effort}: {held}");
        }
    }
    Ok(())
}

#[test]
fn what_no_servo_can_be_is_refused() -> Run {
    let mut simulation = Simulation::new(FREE)?;
    for (stiffness, damping, what) in [
        (f64::NAN, 1.0, "stiffness is NaN"),
        (-1.0, 1.0, "stiffness is -1"),
        (1.0, f64::INFINITY, "damping is inf"),
    ] {
        let wrong = Pd::new(&FREE, SVector::zeros(), stiffness, damping).implicit();
        let error = simulation.run(0.1, &wrong).unwrap_err();
        assert!(matches!(error, SimulationError::Motor { joint: "one", .. }), "{error}");
        assert!(error.to_string().contains(what), "{error}");
    }
    assert!(simulation.conditions().motors.is_empty() && simulation.current().time == 0.0);
    Ok(())
}

/// A heavy body that a motor holds above its light foot.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(foot, mass = 0.01), joint(lift, prismatic(world -> foot), axis = [0, 0, 1], passive),
    link(body, mass = 10), joint(leg, prismatic(foot -> body), axis = [0, 0, 1], actuated),
    contact(sole, on = foot, friction = 0.5),
)]
struct Hopper;

/// In the air the motor's damper is too stiff for the foot by five; on the ground it is not.
#[test]
fn gains_too_stiff_for_what_moves_are_refused_and_contacts_count() -> Run {
    let pd = || Pd::new(&Hopper, vector![0.0, 0.5], 1e4, 100.0);
    let mut standing = Simulation::new(Hopper)?.state(vector![0.0, 0.5], SVector::zeros())?;
    standing.run(2.0, pd())?;
    assert!(standing.current().v.amax() < 1e-3);
    let mut flying = Simulation::new(Hopper)?.state(vector![10.0, 0.5], vector![0.0, 1e-6])?;
    let error = flying.run(1.0, pd()).unwrap_err();
    let SimulationError::Unstable { joint: "leg", growth, stable, .. } = error else {
        panic!("{error}");
    };
    // The reduced mass is that of the foot; z² − (2 − a − b) z + 1 − b = 0.
    let mass = 0.01 * 10.0 / 10.01_f64;
    let (a, b): (f64, f64) = (1e-6 * 1e4 / mass, 1e-3 * 100.0 / mass);
    let half = 0.5 * (2.0 - a - b);
    let expected = -(half - (half * half - 1.0 + b).sqrt());
    assert!((growth / expected - 1.0).abs() < 1e-3, "{growth} {expected}");
    assert!((stable - 2e-3 / (1.0 + growth)).abs() < 1e-15);
    let text = error.to_string();
    assert!(
        text.contains("joint `leg` alternates and grows") && text.contains("`Pd::implicit`"),
        "{text}"
    );
    // A step of what is said to be stable is, and servos are at any.
    flying.reset(vector![10.0, 0.5], vector![0.0, 1e-6])?;
    let mut finer = Simulation::new(Hopper)?.step_size(0.99 * stable)?;
    finer.reset(vector![10.0, 0.5], vector![0.0, 1e-6])?;
    finer.run(1.0, pd())?;
    flying.run(1.0, pd().implicit())?;
    let apart = flying.current().q - finer.current().q;
    assert!(apart.amax() < 1e-2, "{apart}");
    Ok(())
}

/// Weights in a row that control holds.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(a, mass = ma), joint(ja, prismatic(world -> a), axis = [1, 0, 0], actuated),
    link(b, mass = mb), joint(jb, prismatic(a -> b), axis = [1, 0, 0], actuated),
    link(c, mass = mc), joint(jc, prismatic(b -> c), axis = [1, 0, 0], actuated),
)]
struct Chain {
    ma: f64,
    mb: f64,
    mc: f64,
}

/// Three numbers.
type Three = SVector<f64, 3>;

impl Chain {
    /// The power of explicit steps with gains, by which what starts anywhere grows in the end in each step.
    fn growth(&self, h: f64, [k, d]: [Three; 2]) -> f64 {
        let mass = self.mass_matrix(&SVector::zeros());
        let inverse = mass.try_inverse().unwrap();
        let [stiffness, damping] = [k, d].map(|of| inverse * SMatrix::from_diagonal(&of));
        let mut step = SMatrix::<f64, 6, 6>::identity();
        let velocity = -h * stiffness;
        let slowed = SMatrix::<f64, 3, 3>::identity() - h * damping;
        step.fixed_view_mut::<3, 3>(3, 0).copy_from(&velocity);
        step.fixed_view_mut::<3, 3>(3, 3).copy_from(&slowed);
        let moved = SMatrix::<f64, 3, 3>::identity() + h * velocity;
        step.fixed_view_mut::<3, 3>(0, 0).copy_from(&moved);
        step.fixed_view_mut::<3, 3>(0, 3).copy_from(&(h * slowed));
        step.complex_eigenvalues().iter().fold(0.0, |most, root| f64::max(most, root.norm()))
    }
}

fn pd(chain: &Chain, [k, d]: [Three; 2]) -> Pd<Chain> {
    Pd::new(chain, SVector::zeros(), 0.0, 0.0).gains(k, d)
}

/// Of random weights and gains, those with roots outside of the unit circle are refused, with a step that is stable, and no
/// others, wherever they start.
#[test]
fn random_gains_are_refused_where_they_grow_and_nowhere_else() -> Run {
    let mut random = fastrand::Rng::with_seed(7);
    let (h, mut refused, mut near) = (1e-3, 0, 0);
    for case in 0..200 {
        let mut power = |low: f64, high: f64| 10.0_f64.powf(low + (high - low) * random.f64());
        let chain = Chain { ma: power(-2.0, 1.0), mb: power(-2.0, 1.0), mc: power(-2.0, 1.0) };
        let mut gains = [0.0, 3.0].map(|least| Three::from_fn(|_, _| power(-least, 3.0 - least)));
        // As many that grow as that do not, most of them slowly.
        let (mut low, mut high) = (0.0, 1e9);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            let grows = chain.growth(h, gains.map(|of| middle * of)) > 1.0;
            (low, high) = if grows { (low, middle) } else { (middle, high) };
        }
        let share = 1.0 + power(-3.0, 0.0) * if case % 2 == 0 { 1.0 } else { -0.9 };
        gains = gains.map(|of| share * low * of);
        let growth = chain.growth(h, gains);
        let sparse = |x: f64| if x < 0.3 { 0.0 } else { 1e-3 * (x - 0.5) };
        let start = [0.1, 1.0].map(|size| Three::from_fn(|_, _| size * sparse(random.f64())));
        let new = |h: f64| Simulation::new(chain)?.step_size(h)?.state(start[0], start[1]);
        let outcome = new(h)?.run(3.0, pd(&chain, gains));
        if growth < 1.0 {
            assert!(outcome.is_ok(), "{case}: {growth}: {outcome:?}");
            continue;
        }
        // What grows by less than a thousand in all may be left.
        if growth.powi(3000) < 1e10 || start[1] == Three::zeros() {
            near += 1;
            continue;
        }
        refused += 1;
        let Err(SimulationError::Unstable { growth: found, stable, .. }) = outcome else {
            panic!("{case}: {growth}: {outcome:?}");
        };
        assert!(((found - 1.0) / (growth - 1.0) - 1.0).abs() < 0.2, "{case}: {found} {growth}");
        let bound = chain.growth(0.99 * stable, gains);
        assert!(bound < 1.0, "{case}: {bound}");
        // No gain of velocities alone would let it be much longer, and one of places by √r.
        assert!(chain.growth(1.01 * growth.sqrt() * stable, gains) > 1.0, "{case}");
    }
    assert!(refused > 70 && near < 20, "{refused} {near}");
    Ok(())
}

/// A cart with a tool that strikes stops, on a motor that is as strong as stated.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(cart, mass = 1), joint(rail, prismatic(world -> cart), axis = [1, 0, 0], effort = 2, limits = [-1, 1], actuated),
    link(wheel, mass = 0.1, inertia = [1e-4, 2e-4, 1e-4]),
    joint(axle, revolute(cart -> wheel), axis = [0, 1, 0], friction = 1e-3, actuated),
    link(ball, mass = 0.1), joint(hop, prismatic(cart -> ball), axis = [0, 0, 1], effort = 1, actuated),
    contact(sole, on = ball, restitution = 0.9, friction = 0.3),
)]
struct Workshop;

/// What alternates without growing, is driven into stops, bounces, or is fast.
#[test]
fn no_controller_is_refused_that_does_not_grow() -> Run {
    let start = (vector![0.0, 0.0, 0.2], vector![0.3, 1e3, 0.0]);
    let new = || Simulation::new(Workshop)?.state(start.0, start.1);
    // Against each velocity with all there is: it chatters.
    let mut bang = |state: &State<Workshop>| {
        vector![-2.0 * state.v[0].signum(), -1e-2 * state.v[1].signum(), -state.v[2].signum()]
    };
    let mut chattering = new()?;
    chattering.run(3.0, bang)?;
    let signs: Vec<bool> = (0..10)
        .map(|_| chattering.step_with(&mut bang).map(|_| chattering.current().v[0] > 0.0))
        .collect::<Result<_, _>>()?;
    assert!(signs.windows(2).all(|pair| pair[0] != pair[1]), "{signs:?}");
    // With all there is into one stop and into the other, by turns.
    new()?.run(3.0, |state: &State<Workshop>| {
        let way = if ((state.time * 250.0) as u64).is_multiple_of(2) { 1.0 } else { -1.0 };
        vector![50.0 * way, 5e-2 * way, 3.0 * way]
    })?;
    // Gains far too high for the step, whose force is at its limit from the beginning.
    let gains = (vector![3e3, 0.0, 300.0], vector![3e3, 0.0, 300.0]);
    let strong = Pd::new(&Workshop, vector![0.9, 0.0, 0.05], 0.0, 0.0).gains(gains.0, gains.1);
    new()?.run(3.0, &strong)?;
    // The same from a start so slow that it grows a millionfold before, and chatters then.
    let mut chattering = Simulation::new(Workshop)?;
    chattering.reset(vector![0.9 - 1e-10, 0.0, 0.05], vector![1e-9, 0.0, 0.0])?;
    chattering.run(3.0, &strong)?;
    assert!(chattering.current().v[0].abs() > 1e-4, "{}", chattering.current().v);
    // Without its limits it is refused.
    let endless = strong.effort(SVector::repeat(f64::INFINITY));
    let error = chattering.run(3.0, endless).unwrap_err();
    assert!(matches!(error, SimulationError::Unstable { .. }), "{error}");
    // A wheel at 1000 rad/s, and one whose controller just does not make it alternate for ever.
    let fast = Pd::new(&Workshop, vector![0.5, 0.0, 0.1], 0.0, 0.0);
    let damping = 1.99 * 2e-4 / 1e-3;
    let fast = fast.gains(vector![50.0, 0.0, 5.0], vector![5.0, damping, 0.5]);
    new()?.run(3.0, fast)?;
    Ok(())
}

/// A winch with two motors on its drum.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(drum, mass = 1, inertia = [0.1, 0.1, 0.1]),
    joint(axle, revolute(world -> drum), axis = [0, 0, 1], effort = 6, actuated),
    actuator(second, joint = axle, gear = 2),
)]
struct Winch;

/// Whoever keeps to limits of effort keeps to those of the joint, whatever inputs share it.
#[test]
fn efforts_are_those_of_joints() -> Run {
    let b = Winch.input_matrix();
    let force = |u: SVector<f64, 2>| (b * u)[0];
    let at = |q: f64| State::<Winch> { time: 0.0, q: vector![q], v: vector![0.0] };
    let mut pd = Pd::new(&Winch, vector![0.0], 10.0, 1.0);
    assert!((force(pd.input(&at(0.2))) + 2.0).abs() < 1e-15);
    assert!((force(pd.input(&at(2.0))) + 6.0).abs() < 1e-15);
    let mut servos = pd.clone().implicit();
    assert!((force(servos.input(&at(-2.0))) - 6.0).abs() < 1e-15);
    let mut simulation = Simulation::new(Winch)?.state(vector![-2.0], vector![0.0])?;
    simulation.step_with(&mut servos)?;
    assert!((simulation.current().v[0] - 0.06).abs() < 1e-12);
    for (wanted, expected) in [
        (vector![1.0, 2.0], vector![1.0, 2.0]),
        (vector![3.0, 6.0], vector![1.2, 2.4]),
        (vector![-30.0, 0.0], vector![-6.0, 0.0]),
        (vector![20.0, -10.0], vector![20.0, -10.0]),
    ] {
        let mut limited = Limited::new(&Winch, |_: &State<Winch>| wanted);
        assert!((limited.input(&at(0.0)) - expected).amax() < 1e-15, "{wanted}");
    }
    // What is no number is told by the step, and what is stronger than stated acts without it.
    let wrong = Limited::new(&Winch, |_: &State<Winch>| vector![f64::INFINITY, 0.0]);
    let error = simulation.run(0.1, wrong).unwrap_err();
    assert!(matches!(error, SimulationError::Model(ModelError::Control { .. })), "{error}");
    simulation.reset(vector![0.0], vector![0.0])?;
    simulation.run(1.0, |_: &State<Winch>| vector![12.0, 0.0])?;
    assert!((simulation.current().v[0] - 120.0).abs() < 1e-9);
    simulation.reset(vector![0.0], vector![0.0])?;
    simulation.run(1.0, Limited::new(&Winch, |_: &State<Winch>| vector![12.0, 0.0]))?;
    assert!((simulation.current().v[0] - 60.0).abs() < 1e-9);
    Ok(())
}

/// What alternates is the sum of all inputs at a joint, whatever they are alone.
#[test]
fn inputs_of_one_joint_are_judged_by_their_sum() -> Run {
    let new = || Simulation::new(Winch)?.step_size(0.1)?.state(vector![0.0], vector![1e-6]);
    // Too stiff, but together within the effort of the joint: chatter.
    let within = |state: &State<Winch>| {
        let force = (-4.0 * state.v[0]).clamp(-6.0, 6.0);
        vector![5.0 * force, -2.0 * force]
    };
    new()?.run(20.0, within)?;
    // Beyond it, while each of the two pulls one way all the time.
    let beyond = |state: &State<Winch>| vector![100.0 - 4.0 * state.v[0], -50.0];
    let mut simulation = new()?;
    let error = simulation.run(20.0, beyond).unwrap_err();
    assert!(matches!(error, SimulationError::Unstable { joint: "axle", .. }), "{error}");
    assert!(simulation.current().v[0].abs() < 10.0, "{}", simulation.current().v[0]);
    Ok(())
}

/// A motor or servo without force does nothing.
#[test]
fn what_has_no_force_does_nothing() -> Run {
    let idle = SVector::<f64, 2>::zeros();
    let motors = [
        Motor::Velocity { velocity: 3.0, force: 0.0 },
        Motor::Position { position: 1.0, reduction: 0.5, force: 0.0 },
        Motor::Servo { position: 1.0, velocity: 0.0, stiffness: 10.0, damping: 1.0, force: 0.0 },
    ];
    for formulation in every_formulation() {
        for motor in motors {
            let start = Simulation::new(Winch)?.formulation(formulation);
            let mut simulation = start.state(vector![0.0], vector![0.5])?;
            simulation.set_motor("axle", Some(motor))?;
            simulation.step(&idle)?;
            assert_eq!(simulation.current().v[0], 0.5);
            assert_eq!(simulation.motor_force()[0], 0.0);
        }
        let servos = Pd::new(&Winch, vector![1.0], 10.0, 1.0).effort(vector![0.0]).implicit();
        let start = Simulation::new(Winch)?.formulation(formulation);
        let mut simulation = start.state(vector![0.0], vector![0.5])?;
        audited(&mut simulation, &mut &servos, 10)?;
        assert_eq!(simulation.current().v[0], 0.5);
    }
    Ok(())
}
