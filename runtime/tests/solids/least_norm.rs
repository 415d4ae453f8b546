//! Forces that motion does not determine: those of least norm, whatever was before.

use jourdain::contact::{self, Formulation, Impulse, Motor, Transition, least_norm, residual};
use jourdain::prelude::*;
use jourdain::simulate::ContactForce;
use nalgebra::{DMatrix, DVector, SVector, Vector3};

use super::rest::{Grasp, laws};

/// A top of 2 kg whose centre of mass is not in the middle of its legs, five at once.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(top, mass = 2, com = [0.06, -0.05, 0.0], inertia = [0.03, 0.05, 0.07]),
    joint(fly, floating(world -> top)),
    contact(a, on = top, at = [0.3, 0.2, -0.2], friction = 0.5),
    contact(b, on = top, at = [-0.3, 0.2, -0.2], friction = 0.5),
    contact(c, on = top, at = [-0.3, -0.2, -0.2], friction = 0.5),
    contact(d, on = top, at = [0.3, -0.2, -0.2], friction = 0.5),
    contact(e, on = top, at = [0.1, 0.0, -0.2], friction = 0.5),
)]
struct Table;

/// A link on the ground, held by a joint with dry friction, a stop and a motor, and by a redundant loop.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(left, mass = 1, com = [0, 0, 0.5], inertia = [0.1, 0.1, 0.01]),
    joint(at_left, revolute(world -> left), axis = [0, 1, 0], friction = 0.5, limits = [0, 1]),
    link(top, mass = 1, com = [0.5, 0, 0], inertia = [0.01, 0.1, 0.1]),
    joint(on_left, revolute(left -> top), at = [0, 0, 1], axis = [0, 1, 0], actuated),
    link(right, mass = 1, com = [0, 0, 0.5], inertia = [0.1, 0.1, 0.01]),
    joint(at_right, revolute(world -> right), at = [1, 0, 0], axis = [0, 1, 0], actuated),
    closure(on_right, a = top @ [1, 0, 0], b = right @ [0, 0, 1], axes = [x, z]),
    closure(again, a = top @ [1, 0, 0], b = right @ [0, 0, 1], axes = [x, z]),
    contact(bump, on = top, at = [0.5, 0, -1], friction = 0.4),
)]
struct Frame;

/// The normal forces of five legs by Σ f = m g and their moments: the least are linear in x and y.
fn expected() -> DVector<f64> {
    let legs = [[0.3, 0.2], [-0.3, 0.2], [-0.3, -0.2], [0.3, -0.2], [0.1, 0.0]];
    let equations = DMatrix::from_fn(3, 5, |i, k| [1.0, legs[k][0], legs[k][1]][i]);
    let weight = 2.0 * 9.81;
    let right = DVector::from([weight, 0.06 * weight, -0.05 * weight].to_vec());
    equations.pseudo_inverse(1e-12).unwrap() * right
}

#[test]
fn a_table_bears_by_where_its_weight_is() -> Result<(), SimulationError> {
    let expected = expected();
    for law in laws().into_iter().chain([Formulation::frictionless()]) {
        let mut q = Table.neutral();
        q[2] = 0.2;
        for lift in [0.0, 0.05] {
            q[2] = 0.2 + lift;
            let v = SVector::from([0.0, 0.0, 0.0, 1.0, 0.5, 0.0]) * lift;
            let mut table = Simulation::new(Table)?.formulation(law).state(q, v)?;
            table.run(0.7, |_: &State<Table>| SVector::zeros())?;
            let forces = table.least_norm_forces()?;
            assert_eq!(forces.len(), 5, "{law:?}");
            for (force, expected) in forces.iter().zip(&expected) {
                let error = (force.force - Vector3::z() * *expected).norm();
                assert!(error < 1e-6, "{law:?}, from {lift}: {force:?}, {expected}");
            }
        }
    }
    Ok(())
}

/// A tile of a gram on a block of a ton.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(block, mass = 1000, box(size = [1, 1, 0.2])),
    joint(fly, floating(world -> block)),
    contact(foot, on = block, box = [1, 1, 0.2], friction = 0.5),
    link(tile, mass = 0.001, box(size = [0.1, 0.1, 0.01])),
    joint(lie, floating(world -> tile)),
    shape(top, on = block, box = [1, 1, 0.2], friction = 0.5),
    shape(under, on = tile, box = [0.1, 0.1, 0.01], friction = 0.5),
    pair(under, top, friction = 0.5),
)]
struct Tile;

#[test]
fn masses_may_be_apart() -> Result<(), SimulationError> {
    let mut q = Tile.neutral();
    (q[2], q[9]) = (0.1, 0.205);
    let mut tile = Simulation::new(Tile)?.state(q, SVector::zeros())?;
    tile.run(0.1, |_: &State<Tile>| SVector::zeros())?;
    for force in tile.least_norm_forces()? {
        let expected =
            if force.name == "under_top" { 0.001 * 9.81 / 4.0 } else { 1000.001 * 9.81 / 4.0 };
        // Four of the block's eight corners are on the ground.
        let error = (force.force.z - expected).abs() / expected;
        assert!(error < 1e-5, "{force:?}, {expected}");
    }
    Ok(())
}

/// Two lines press with 12 N each, and hold the weight between them: all four points alike.
#[test]
fn a_grasp_is_even() -> Result<(), SimulationError> {
    let mut q = Grasp.neutral();
    (q[0], q[1]) = (-0.009, -0.009);
    for law in laws() {
        let mut grasp = Simulation::new(Grasp)?.formulation(law).state(q, SVector::zeros())?;
        let u = SVector::from([12.0, 12.0]);
        for _ in 0..50 {
            grasp.step(&u)?;
        }
        let forces = grasp.least_norm_forces()?;
        assert_eq!(forces.len(), 4, "{law:?}: {forces:?}");
        for force in &forces {
            let [along, up] = [force.force.dot(&force.normal), force.force.z];
            let errors = [along - 6.0, up - 0.045 * 9.81 / 4.0, force.force.x];
            assert!(errors.iter().all(|error| error.abs() < 1e-6), "{law:?}: {force:?}");
        }
    }
    Ok(())
}

/// A block that slides has the friction of its slip, and its front bears more.
#[test]
fn what_slides_is_braked_against_its_slip() -> Result<(), SimulationError> {
    let (mut q, mut v) = (Table.neutral(), SVector::zeros());
    (q[2], v[0], v[1]) = (0.2, 1.2, 0.9);
    let mut table = Simulation::new(Table)?.state(q, v)?;
    table.run(0.05, |_: &State<Table>| SVector::zeros())?;
    let (forces, found) = (table.least_norm_forces()?, table.contact_forces());
    let sum = |of: &[ContactForce]| of.iter().map(|force| force.force).sum::<Vector3<f64>>();
    assert!((sum(&forces) - sum(&found)).norm() < 1e-6);
    for force in &forces {
        let friction = force.force - force.normal * force.force.dot(&force.normal);
        let ratio = friction.norm() / force.force.dot(&force.normal);
        assert!((ratio - 0.5).abs() < 1e-6, "{force:?}");
        assert!(friction.normalize().dot(&Vector3::new(-0.8, -0.6, 0.0)) > 0.99, "{force:?}");
    }
    Ok(())
}

/// The rows of the frame, (9, 3): contact, end, dry friction, motor and constraints.
fn rows(q: &SVector<f64, 3>) -> DMatrix<f64> {
    let (contact, constraint) =
        (Frame.contact_jacobian(q), Frame.constraint_jacobian(q, &SVector::zeros(), 0.0));
    DMatrix::from_fn(9, 3, |i, j| match i {
        0 => contact[(0, j)],
        // The tangent along x; nothing moves along y.
        1 => contact[(1, j)],
        2 | 3 => f64::from(u8::from(j == 0)),
        4 => f64::from(u8::from(j == 1)),
        _ => constraint[(i - 5, j)],
    })
}

fn flat(impulse: &Impulse) -> DVector<f64> {
    let mut all = vec![impulse.normal[0], impulse.friction[0][0]];
    all.extend([impulse.limits[0][0], impulse.dry_friction[0], impulse.motors[1]]);
    all.extend(&impulse.constraints);
    DVector::from(all)
}

/// The frame stands against its stop, pressed by motors: whatever was before, the impulses are the same, they satisfy the
/// equations of the step, and no others do with less.
#[test]
fn of_all_that_hold_a_frame_these_are_the_least() -> Result<(), SimulationError> {
    let (h, u) = (1e-3, SVector::from([0.3, -2.0]));
    let mut known: Option<DVector<f64>> = None;
    for history in 0..6_i32 {
        let mut frame = Simulation::new(Frame)?.state(SVector::zeros(), SVector::zeros())?;
        let motor = Motor::Velocity { velocity: 0.0, force: 3.0 };
        frame.set_motor("on_left", Some(motor))?;
        for k in 0..history {
            frame.step(&SVector::from([f64::from(k - 2), -5.0 + f64::from(k)]))?;
        }
        let before = frame.current().clone();
        frame.step(&u)?;
        let least = frame.least_norm_impulse()?;
        let step = Transition {
            conditions: frame.conditions(),
            time: before.time,
            step_size: h,
            q: &before.q,
            v: &before.v,
            force: &(Frame.passive_force(&before.q, &before.v) + Frame.input_matrix() * u),
            v_next: &frame.current().v,
            impulse: &least,
        };
        let left = residual(&Frame, &step).max();
        assert!(left < 1e-8, "{left:e}");
        let again = least_norm(&Frame, &Transition { impulse: frame.impulse(), ..step }).unwrap();
        let (again, least) = (flat(&again), flat(&least));
        assert!((&again - &least).amax() < 1e-12);
        let known = known.get_or_insert_with(|| least.clone());
        assert!((&*known - &least).amax() < 1e-8, "{known} {least}");
        is_least(&before.q, &least);
    }
    Ok(())
}

/// Whether nothing that does the same and is allowed is smaller in the metric.
fn is_least(q: &SVector<f64, 3>, least: &DVector<f64>) {
    let (rows, mass) = (rows(q), Frame.mass_matrix(q));
    let inverse = DMatrix::from_column_slice(3, 3, mass.try_inverse().unwrap().as_slice());
    let a = &rows * inverse * rows.transpose();
    // Nothing moves along the contact's third row.
    let mean = (a[(0, 0)] + a[(1, 1)]) / 3.0;
    let weight = |i: usize| if i < 2 { mean } else { a[(i, i)] };
    let gradient = DVector::from_fn(9, |i, _| weight(i) * least[i]);
    let svd = rows.transpose().svd(false, true);
    let basis = svd.v_t.unwrap();
    let rank = svd.singular_values.iter().filter(|s| **s > 1e-9).count();
    // Rows of V beyond the rank are not among those of a thin one: the null space is what projecting leaves.
    let onto = basis.rows(0, rank).clone_owned();
    let allowed = |x: &DVector<f64>| {
        x[0] >= 0.0
            && x[1].abs() <= 0.4 * x[0]
            && x[2] >= 0.0
            && x[3].abs() <= 0.5e-3
            && x[4].abs() <= 3e-3
    };
    let mut random = fastrand::Rng::with_seed(3);
    let mut tried = 0;
    for _ in 0..20_000 {
        let any = DVector::from_fn(9, |_, _| random.f64() - 0.5);
        let along = &any - onto.transpose() * (&onto * &any);
        let step = least.amax() * 1e-3 * &along / along.norm();
        if allowed(&(least + &step)) {
            tried += 1;
            let gain = gradient.dot(&step) / (gradient.norm() * step.norm());
            assert!(gain > -1e-5, "{gain:e} along {step}");
        }
    }
    assert!(tried > 50, "{tried}");
}

/// A bar that leans on the ground, on a ball joint that rubs.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(bar, mass = 1, com = [0.5, 0, 0], inertia = [0.01, 0.1, 0.1]),
    joint(ball, spherical(world -> bar), friction = 4),
    contact(tip, on = bar, at = [1, 0, 0], friction = 0.4),
)]
struct Bar;

/// The weight is borne by the ground and by what the joint rubs, as the metric shares it: F ā = τ a/1 m with F 1 m + τ = m g/2.
#[test]
fn ground_and_a_joint_share_a_weight() -> Result<(), SimulationError> {
    for law in [Formulation::coulomb(), Formulation::stewart_trinkle()] {
        let mut bar = Simulation::new(Bar)?.formulation(law);
        for _ in 0..10 {
            bar.step(&SVector::zeros())?;
        }
        let before = bar.current().clone();
        bar.step(&SVector::zeros())?;
        let least = bar.least_norm_impulse()?;
        let step = Transition {
            conditions: bar.conditions(),
            time: before.time,
            step_size: 1e-3,
            q: &before.q,
            v: &before.v,
            force: &SVector::zeros(),
            v_next: &bar.current().v,
            impulse: &least,
        };
        let left = residual(&Bar, &step).max();
        assert!(left < 1e-8, "{law:?}: {left:e}");
        // About the joint the bar has 0.01 along itself, and 0.1 + 0.25 across.
        let (across, along) = (1.0 / 0.35, 1.0 / 0.01);
        let (contact, joint) = (2.0 * across / 3.0, (2.0 * across + along) / 3.0);
        let weight = 0.5 * 9.81e-3;
        let expected = [weight * joint / (contact + joint), -weight * contact / (contact + joint)];
        let found = [least.normal[0], least.dry_friction[1]];
        let error = found.iter().zip(expected).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(error < 1e-9, "{law:?}: {found:?}, {expected:?}");
    }
    Ok(())
}

#[test]
fn nothing_acted_before_the_first_step() -> Result<(), SimulationError> {
    let mut q = Table.neutral();
    q[2] = 0.2;
    let mut table = Simulation::new(Table)?.state(q, SVector::zeros())?;
    assert_eq!(table.least_norm_impulse()?, Impulse::zeros::<Table>());
    assert!(table.least_norm_forces()?.is_empty());
    table.step(&SVector::zeros())?;
    assert_eq!(table.least_norm_forces()?.len(), 5);
    let step = Transition {
        conditions: table.conditions(),
        time: 0.0,
        step_size: 1e-3,
        q: &q,
        v: &SVector::zeros(),
        force: &SVector::zeros(),
        v_next: &table.current().v,
        impulse: &Impulse::zeros::<Tile>(),
    };
    assert_eq!(least_norm(&Table, &step), Err(contact::Error::Impulse));
    Ok(())
}

type Change<'a> = &'a dyn Fn(&mut Simulation<Frame>) -> Result<(), SimulationError>;

/// Forces are those of the step that led here, whatever is set after it.
#[test]
fn what_is_set_after_a_step_changes_no_force_of_it() -> Result<(), SimulationError> {
    let start = || -> Result<Simulation<Frame>, SimulationError> {
        let mut frame = Simulation::new(Frame)?;
        frame.set_motor("on_left", Some(Motor::Velocity { velocity: 0.0, force: 3.0 }))?;
        for _ in 0..3 {
            frame.step(&SVector::from([0.3, -2.0]))?;
        }
        Ok(frame)
    };
    let expected = start()?.least_norm_impulse()?;
    assert!(expected.motors[1].abs() > 1e-6 && expected.normal[0] > 1e-6, "{expected:?}");
    let soft = Softness::spring(1e4, 1e2, 1e-3).unwrap();
    let changes: [Change<'_>; 6] = [
        &|frame| frame.set_motor("on_left", None),
        &|frame| frame.set_formulation(Formulation::frictionless()),
        &|frame| frame.set_formulation(Formulation::todorov()),
        &|frame| frame.soften_contact("bump", Some(soft)),
        &|frame| frame.soften_limits("at_left", Some(soft)),
        &|frame| frame.soften_constraint("again", Some(soft)),
    ];
    for (k, change) in changes.into_iter().enumerate() {
        let mut frame = start()?;
        change(&mut frame)?;
        assert_eq!(frame.least_norm_impulse()?, expected, "{k}");
        frame.set_motor("on_left", None)?;
        assert_eq!(frame.least_norm_impulse()?, expected, "{k}");
        // A step after that has what is set now.
        frame.step(&SVector::from([0.3, -2.0]))?;
        assert_eq!(frame.least_norm_impulse()?.motors[1], 0.0, "{k}");
    }
    Ok(())
}

/// A box of 45 g between two pads.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(left, mass = 0.2),
    joint(close_left, prismatic(world -> left), axis = [0, 1, 0], actuated),
    link(right, mass = 0.2),
    joint(close_right, prismatic(world -> right), axis = [0, -1, 0], actuated),
    link(carton, mass = 0.045, box(size = [0.02, 0.02, 0.02])),
    joint(fly, floating(world -> carton)),
    shape(left_pad, on = left, box = [0.06, 0.01, 0.06], friction = 0.7),
    shape(right_pad, on = right, box = [0.06, 0.01, 0.06], friction = 0.7),
    shape(carton, on = carton, box = [0.02, 0.02, 0.02], friction = 0.7),
    pair(carton, left_pad, friction = 0.7), pair(carton, right_pad, friction = 0.7),
)]
struct Grip;

/// Eight corners press alike, and each bears an eighth of the weight.
#[test]
fn a_grip_is_even() -> Result<(), SimulationError> {
    let mut q = Grip.neutral();
    (q[0], q[1]) = (-0.015, -0.015);
    for law in laws() {
        for push in [0.3154, 0.3155, 0.317, 0.33, 0.4, 3.0, 12.0, 100.0] {
            let mut grip = Simulation::new(Grip)?.formulation(law).state(q, SVector::zeros())?;
            for _ in 0..50 {
                grip.step(&SVector::from([push, push]))?;
            }
            let forces = grip.least_norm_forces()?;
            assert_eq!(forces.len(), 8, "{law:?}: {forces:?}");
            for force in &forces {
                let [along, up] = [force.force.dot(&force.normal), force.force.z];
                let errors = [along - push / 4.0, up - 0.045 * 9.81 / 8.0, force.force.x];
                assert!(errors.iter().all(|error| error.abs() < 1e-8), "{law:?}: {force:?}");
            }
        }
    }
    Ok(())
}

/// Impulses that break a law, where v⁺ leaves no choice, are refused: those of a contact that gives way.
#[test]
fn what_breaks_a_law_is_refused() -> Result<(), SimulationError> {
    let mut frame = Simulation::new(Frame)?;
    frame.soften_contact("bump", Some(Softness::spring(1e4, 1e2, 1e-3).unwrap()))?;
    let mut before = frame.current().clone();
    for _ in 0..20 {
        before = frame.current().clone();
        frame.step(&SVector::from([0.3, -2.0]))?;
    }
    let least = frame.least_norm_impulse()?;
    let of = |impulse: &Impulse| {
        let step = Transition {
            conditions: frame.conditions(),
            time: before.time,
            step_size: 1e-3,
            q: &before.q,
            v: &before.v,
            force: &SVector::zeros(),
            v_next: &frame.current().v,
            impulse,
        };
        least_norm(&Frame, &step)
    };
    assert_eq!(of(frame.impulse()), Ok(least));
    let mut wrong = frame.impulse().clone();
    wrong.normal[0] += 1.0;
    let error = of(&wrong).unwrap_err();
    assert!(matches!(error, contact::Error::Cone(_)), "{error}");
    Ok(())
}
