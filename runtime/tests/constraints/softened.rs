//! Declared constraints that give way, and errors that are put right.

use jourdain::contact::{
    Anitescu, AnitescuPotra, Conditions, Impulse, Normal, Softness, Stepper, Todorov, Transition,
    residual,
};
use jourdain::prelude::*;
use nalgebra::{SVector, Vector1, Vector2, vector};

const G: f64 = 9.81;

/// A weight that hangs at a depth.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(weight, mass = 2),
    joint(z, prismatic(world -> weight), axis = [0, 0, 1]),
    constraint(cord, h = z + 1),
)]
struct Hanging;

/// A weight that hangs on a rod, whose error is (x² − l²)/(2 l).
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(weight, mass = 2),
    joint(z, prismatic(world -> weight), axis = [0, 0, 1]),
    rod(cord, a = world @ [0, 0, 0], b = weight @ [0, 0, 0], length = 1),
)]
struct OnRod;

/// A door on a hinge and a pivot, which is a closure, that is not where the hinge has it; no gravity.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(frame, mass = 1, com = [0.3, 0.1, 0], inertia = [0.1, 0.2, 0.3]),
    joint(hinge, revolute(world -> frame), axis = [0, 0, 1]),
    link(door, mass = 3, com = [0.5, 0, 0], inertia = [0.2, 0.5, 0.7]),
    joint(free, planar(world -> door), axis = [0, 0, 1]),
    closure(pivot, a = frame @ [0.8, 0, 0], b = door, axes = [x, y]),
    closure(stop, a = frame @ [0, 0.4, 0], b = door @ [-0.8, 0.4, 0], axes = [y]),
)]
struct Door;

/// A ball on a rail that a rod pushes, and that hits the floor.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(rail, massless), joint(x, prismatic(world -> rail), axis = [1, 0, 0]),
    link(ball, mass = 1), joint(z, prismatic(rail -> ball), axis = [0, 0, 1]),
    link(cart, mass = 2), joint(drive, prismatic(world -> cart), axis = [1, 0, 0]),
    rod(tie, a = cart @ [0, 0, 1], b = ball @ [0, 0, 0], length = 1.25),
    contact(sole, on = ball, friction = 0.4, restitution = 0.7),
)]
struct Pushed;

fn every() -> [Formulation; 7] {
    [
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::Anitescu(Anitescu::default()),
        Formulation::Todorov(Todorov::default()),
        Formulation::default(),
        Formulation::Frictionless(Normal::Gap),
        Formulation::Sticking(Normal::Gap),
    ]
}

fn near(found: f64, expected: f64, error: f64) {
    assert!((found - expected).abs() < error, "{found} instead of {expected}");
}

/// A spring k and a damper d at the end of the step, m (v⁺ − v) = h (m g − k (x + h v⁺) − d v⁺), in every step; at last
/// it is longer by m g/k.
#[test]
fn a_soft_constraint_is_a_spring_with_a_damper() -> Result<(), SimulationError> {
    let (m, k, d, h) = (2.0, 800.0, 12.0, 1e-3);
    let soft = Softness::spring(k, d, h).expect("in range");
    for formulation in every() {
        let mut hanging = Simulation::new(Hanging)?.formulation(formulation).step_size(h)?;
        hanging.reset(Vector1::new(-1.0), Vector1::new(0.0))?;
        hanging.soften_constraint("cord", Some(soft))?;
        let (mut x, mut v) = (0.0, 0.0);
        for _ in 0..300 {
            hanging.step(&SVector::zeros())?;
            v = (m * v + h * (m * G - k * x)) / (m + h * d + h * h * k);
            x += h * v;
            near(-1.0 - hanging.current().q[0], x, 1e-12);
            let tension = k * x + d * v;
            near(hanging.impulse().constraints[0].abs(), h * tension.abs(), 1e-9);
        }
        hanging.run(5.0, |_: &State<Hanging>| SVector::zeros())?;
        near(-1.0 - hanging.current().q[0], m * G / k, 1e-6);
        near(hanging.current().v[0], 0.0, 1e-5);
    }
    Ok(())
}

/// At a length 1 + x a rod has the error x + x²/2, and pulls with k (x + x²/2)(1 + x): m g/k for what is stiff.
#[test]
fn a_soft_rod_settles_where_it_carries_the_weight() -> Result<(), SimulationError> {
    for k in [800.0, 1e6] {
        let mut hanging = Simulation::new(OnRod)?;
        hanging.reset(Vector1::new(-1.0), Vector1::new(0.0))?;
        hanging.soften_constraint("cord", Softness::spring(k, 80.0, 1e-3).ok())?;
        hanging.run(5.0, |_: &State<OnRod>| SVector::zeros())?;
        let x = -1.0 - hanging.current().q[0];
        near(k * (x + 0.5 * x * x) * (1.0 + x), 2.0 * G, 1e-6);
        near(x, 2.0 * G / k, 2.0 * (2.0 * G / k).powi(2));
        near(hanging.current().v[0], 0.0, 1e-9);
    }
    Ok(())
}

/// Without slip, a step leaves the share 1 − γ of an error of either sign.
#[test]
fn a_share_of_an_error_is_put_right() -> Result<(), SimulationError> {
    for start in [-0.995, -1.005] {
        let mut hanging = Simulation::new(Hanging)?;
        hanging.reset(Vector1::new(start), Vector1::new(0.0))?;
        hanging.soften_constraint("cord", Some(Softness::new(0.2, 0.0).expect("in range")))?;
        let mut error = start + 1.0;
        for _ in 0..50 {
            hanging.step(&SVector::zeros())?;
            error *= 0.8;
            near(hanging.current().q[0], -1.0 + error, 1e-12);
        }
    }
    assert!(Simulation::new(Hanging)?.soften_constraint("cable", None).is_err());
    Ok(())
}

/// A soft constraint beside rigid ones, with impacts of both laws: both the step and its audit are satisfied.
#[test]
fn an_audit_sees_what_gives_way() {
    let (h, q) = (1e-3, vector![0.75, -1e-4, 0.0]);
    let v = vector![0.5, -1.0, 0.5];
    for restitution in [Restitution::Newton, Restitution::Poisson] {
        for mixing in [0.0, 1e-4] {
            let softness = Softness::new(0.3, mixing).unwrap();
            let soft_constraints = vec![(0, softness)];
            let conditions = &Conditions { restitution, soft_constraints, ..Conditions::default() };
            let (mut stepper, force) = (Stepper::new(&Pushed).unwrap(), SVector::zeros());
            stepper.step(&Pushed, (&q, &v), &force, (0.0, h), conditions).unwrap();
            let own = stepper.residual(h, conditions);
            let audit = |impulse: &Impulse| {
                let (q, v, v_next, force) = (&q, &v, stepper.velocity(), &force);
                let step = Transition {
                    conditions,
                    time: 0.0,
                    step_size: h,
                    q,
                    v,
                    force,
                    v_next,
                    impulse,
                };
                residual(&Pushed, &step)
            };
            let mut impulse = stepper.impulse().clone();
            assert!(own.max() < 1e-10 && audit(&impulse).max() < 1e-10, "{own:?}");
            assert!(impulse.normal[0] > 1.0);
            impulse.constraints[0] += 1e-3;
            assert!(audit(&impulse).momentum > 1e-4);
        }
    }
}

/// A stiff one is nearly as rigid as a rigid one.
#[test]
fn a_stiff_constraint_is_nearly_rigid() -> Result<(), SimulationError> {
    let swing = |soft: bool| -> Result<SVector<f64, 4>, SimulationError> {
        let mut door = Simulation::new(Door)?;
        let (q, v) = (vector![0.0, 0.8, 0.0, 0.0], vector![1.0, 0.0, 0.8, 1.0]);
        door.reset(q, v)?;
        if soft {
            let stiff = Softness::spring(1e8, 1e5, 1e-3).expect("in range");
            door.soften_constraint("pivot", Some(stiff))?;
        }
        let report = door.run(0.5, |_: &State<Door>| SVector::zeros())?;
        assert!(report.residual.max() < 1e-9, "{report:?}");
        Ok(door.current().q)
    };
    let apart = (swing(true)? - swing(false)?).amax();
    assert!(apart > 0.0 && apart < 1e-6, "{apart:e}");
    Ok(())
}

/// A joint that is off by 1 cm ends aligned, at rest and with the velocity that it had: none is added.
#[test]
fn what_is_misaligned_and_at_rest_ends_aligned_and_at_rest() -> Result<(), SimulationError> {
    let apart = vector![0.0, 0.8 + 0.006, 0.008, 0.0];
    let mut door = Simulation::new(Door)?.state(apart, SVector::zeros())?;
    near(Vector2::new(0.006, 0.008).norm(), 0.01, 1e-15);
    door.align()?;
    assert!(Door.constraint(&door.current().q, 0.0).amax() < 1e-12);
    assert_eq!(door.current().v, SVector::<f64, 4>::zeros());
    assert!((door.current().q - apart).amax() < 0.011);
    let aligned = door.current().q;
    door.run(0.5, |_: &State<Door>| SVector::zeros())?;
    assert!(door.current().v.amax() < 1e-9 && (door.current().q - aligned).amax() < 1e-9);
    // What a step does without it: the error by the step, and some of it stays.
    door.reset(apart, SVector::zeros())?;
    door.step(&SVector::zeros())?;
    assert!(door.current().v.amax() > 1.0);
    assert!(Simulation::new(Door)?.state(2.0 * apart, SVector::zeros())?.align().is_err());
    Ok(())
}
