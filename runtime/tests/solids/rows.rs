//! What a step says of points against what happens to them, and what a recording has of them.

use fastrand::Rng;
use jourdain::contact::PairImpulse;
use jourdain::prelude::*;
use nalgebra::{Quaternion, SVector, UnitQuaternion, Vector3};

use crate::run;

/// A hull that flies past a cylinder on a joint.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(a, mass = 1, inertia = [0.1, 0.2, 0.25]), joint(fly, floating(world -> a)),
    link(arm, mass = 1, inertia = [0.1, 0.1, 0.1]), joint(turn, revolute(world -> arm), axis = [0, 1, 0]),
    shape(stone, on = a, hull = [[0.1, 0, 0], [-0.1, 0.1, 0], [-0.1, -0.1, 0], [0, 0, 0.2], [0, 0.1, -0.1]]),
    shape(block, on = arm, at = [0.2, 0, 0], rpy = [0.3, 0, 0], box = [0.3, 0.2, 0.2]),
    pair(stone, block),
)]
struct Passing;

/// n · (ẋ₁ − ẋ₂) of a point of the first link and of the second, in the axes of their velocities.
fn rate(q: &SVector<f64, 8>, v: &SVector<f64, 7>, point: &PairImpulse) -> f64 {
    let rotation = UnitQuaternion::from_quaternion(Quaternion::new(q[6], q[3], q[4], q[5]));
    let [u, w] = [0, 3].map(|k| rotation * v.fixed_rows::<3>(k));
    let first = u + w.cross(&(point.point - q.fixed_rows::<3>(0)));
    let second = Vector3::new(0.0, v[6], 0.0).cross(&point.point);
    point.axes[0].dot(&(first - second))
}

/// As long as the same features are the nearest, their gap changes by its rate.
#[test]
fn gaps_change_by_their_rates() -> Result<(), SimulationError> {
    let (rng, h) = (&mut Rng::with_seed(3), 1e-5);
    let mut number = || 2.0 * rng.f64() - 1.0;
    let (mut count, mut worst) = (0, 0.0_f64);
    for _ in 0..200 {
        let mut v = SVector::<f64, 7>::zeros();
        v.iter_mut().for_each(|v| *v = number());
        let mut turn = SVector::<f64, 7>::zeros();
        turn.iter_mut().for_each(|v| *v = 3.0 * number());
        let mut q = Passing.integrate(&Passing.neutral(), &turn);
        q.fixed_rows_mut::<3>(0).copy_from(&Vector3::new(
            0.2 + 0.1 * number(),
            0.3,
            0.1 * number(),
        ));
        let mut passing = Simulation::new(Passing)?.step_size(h)?.margin(1.0)?.state(q, v)?;
        if passing.step(&SVector::zeros()).is_err() {
            continue;
        }
        let before = passing.impulse().pairs.clone();
        let end = passing.current().v;
        passing.step(&SVector::zeros())?;
        let least =
            |points: &[PairImpulse]| points.iter().copied().min_by(|a, b| a.gap.total_cmp(&b.gap));
        let Some((point, later)) = least(&before).zip(least(&passing.impulse().pairs)) else {
            continue;
        };
        if point.identity() == later.identity() {
            let change = (later.gap - point.gap) / h;
            worst = worst.max((change - rate(&q, &end, &point)).abs());
            count += 1;
        }
    }
    assert!(count > 50 && worst < 1e-3, "{count} {worst:e}");
    Ok(())
}

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(table, mass = 3, box(size = [1, 1, 0.2])), joint(lift, prismatic(world -> table), axis = [0, 0, 1]),
    contact(base, on = table, at = [0, 0, -0.1]),
    link(cup, mass = 1, cylinder(radius = 0.1, length = 0.2)), joint(free, floating(world -> cup)),
    shape(top, on = table, box = [1, 1, 0.2], friction = 0.5),
    shape(wall, on = cup, cylinder = [0.1, 0.2], friction = 0.5),
    pair(wall, top),
)]
struct Table;

#[test]
fn forces_of_pairs_are_recorded_and_drawn() -> Result<(), SimulationError> {
    let mut q = Table.neutral();
    (q[0], q[3]) = (0.1, 0.3);
    let mut table = Simulation::new(Table)?.state(q, SVector::zeros())?;
    assert!(run(&mut table, 10)? < 1e-9);
    let mut recording = Recording::new(100.0)?;
    table.run_recorded(0.1, |_: &State<Table>| SVector::zeros(), &mut recording)?;
    for sample in recording.samples() {
        let weight: Vector3<f64> = sample.pairs.iter().map(|pair| pair.force).sum();
        assert!((weight - Vector3::z() * 9.81).norm() < 1e-6, "{weight}");
        assert!(sample.pairs.iter().all(|pair| (pair.point.z - 0.2).abs() < 1e-9));
    }
    let scene = Scene::film(&Table, &recording);
    assert_eq!(scene.frames[0].forces.len(), 1 + recording.samples()[0].pairs.len());
    Ok(())
}
