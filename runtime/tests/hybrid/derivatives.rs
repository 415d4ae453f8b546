//! Derivatives through events against closed forms and differences of simulated motion.

use jourdain::description::{Chart, Joint};
use jourdain::hybrid::{Closures, Hybrid, LinearError, ReturnMap, Saltation};
use jourdain::integrate::{At, Phase, Space, Tolerance};
use jourdain::manifold;
use jourdain::nalgebra::{DMatrix, DVector, Quaternion, UnitQuaternion, Vector3, dmatrix};

use crate::automata::{G, Point, bouncing, thrown};

type Done = Result<(), Box<dyn std::error::Error>>;

/// Of (x, z, ẋ, ż), right before the impact.
#[test]
fn bouncing_point_in_closed_form() -> Done {
    let (e, v) = (0.9, 3.0);
    let (space, before) = thrown(0.0, [2.0, -v]);
    let (saltation, mode, after) =
        Saltation::of(&mut bouncing(e), &space, &Point::Flying, 0, &before)?;
    assert_eq!((mode, &after.v[..]), (Point::Flying, &[2.0, e * v][..]));
    let expected = dmatrix![
        1.0, 0.0, 0.0, 0.0;
        0.0, -e, 0.0, 0.0;
        0.0, 0.0, 1.0, 0.0;
        0.0, G * (1.0 + e) / v, 0.0, -e
    ];
    assert!((&saltation.matrix - expected).amax() < 1e-11, "{}", saltation.matrix);
    let time = dmatrix![0.0, 1.0 / v, 0.0, 0.0];
    assert!((&saltation.time - time).amax() < 1e-11, "{}", saltation.time);
    Ok(())
}

#[test]
fn grazing_has_no_derivative() {
    let (space, before) = thrown(0.0, [2.0, 0.0]);
    let error = Saltation::of(&mut bouncing(0.9), &space, &Point::Flying, 0, &before);
    let Err(LinearError::Grazing { guard, .. }) = &error else { panic!("{error:?}") };
    assert_eq!(guard, "impact");
}

/// Where a motion is after its guard has fired so many times.
fn simulated(
    body: Closures<()>,
    space: &Space,
    start: Phase,
    firings: usize,
) -> Result<Phase, Box<dyn std::error::Error>> {
    let mut motion = Hybrid::new(body, space, (), start, Tolerance::new(1e-13, 1e-13)?)?;
    for _ in 0..firings {
        motion.advance(100.0)?;
    }
    Ok(motion.phase().clone())
}

/// The derivatives of a return against differences of the simulated one, of the sixth order with steps of 2⁻¹⁰.
fn check(make: fn() -> Closures<()>, space: &Space, start: &Phase, firings: usize) -> Done {
    let tolerance = Tolerance::new(1e-13, 1e-13)?;
    let found =
        ReturnMap::new(make(), space, (), 0, tolerance).firings(firings)?.linearise(start)?;
    let nv = space.dimensions().1;
    let mut expected = DMatrix::zeros(2 * nv + 1, 2 * nv);
    for (k, mut column) in expected.column_iter_mut().enumerate() {
        let h = 1.0 / 1024.0;
        for (steps, weight) in
            [(1.0, 45.0), (-1.0, -45.0), (2.0, -9.0), (-2.0, 9.0), (3.0, 1.0), (-3.0, -1.0)]
        {
            let end = simulated(make(), space, moved(space, start, k, steps * h), firings)?;
            let mut change = vec![0.0; nv];
            manifold::difference(joints(space), &found.phase.q, &end.q, &mut change);
            change.extend(end.v.iter().zip(&found.phase.v).map(|(v, before)| v - before));
            change.push(end.time - start.time - found.duration);
            column += weight / (60.0 * h) * DVector::from_vec(change);
        }
    }
    let error = (expected.rows(0, 2 * nv) - &found.derivative).amax();
    let of_time = (expected.row(2 * nv) - &found.duration_derivative).amax();
    assert!(error < 1e-8 && of_time < 1e-8, "{error:e} {of_time:e}\n{expected:.9}{found:.9?}");
    Ok(())
}

const POSE: [Joint; 1] =
    [Joint { name: "", family: "", q: 0, nq: 7, v: 0, nv: 6, chart: Chart::Pose }];

/// Those of a pose, where the space is of one.
fn joints(space: &Space) -> &'static [Joint] {
    const LINES: [Joint; 1] =
        [Joint { name: "", family: "", q: 0, nq: 2, v: 0, nv: 2, chart: Chart::Vector }];
    if space.dimensions().0 == 7 { &POSE } else { &LINES }
}

fn moved(space: &Space, phase: &Phase, coordinate: usize, by: f64) -> Phase {
    let mut moved = phase.clone();
    let nv = phase.v.len();
    let mut change = vec![0.0; 2 * nv];
    change[coordinate] = by;
    manifold::integrate(joints(space), &change[..nv], 1.0, &mut moved.q);
    moved.v.iter_mut().zip(&change[nv..]).for_each(|(v, by)| *v += by);
    moved
}

/// On a table that moves up and down.
fn on_a_table() -> Closures<()> {
    let (e, a, omega) = (0.8, 0.05, 7.0);
    let table = move |t: f64| a * (omega * t).sin();
    let speed = move |t: f64| a * omega * (omega * t).cos();
    Closures::new()
        .mode((), |at, v_dot, _| v_dot.copy_from_slice(&[-0.1 * at.v[0] * at.q[1], -G]))
        .guard(
            (),
            "impact",
            move |at| at.q[1] - table(at.time),
            move |phase| {
                let up = speed(phase.time);
                phase.v[1] = up - e * (phase.v[1] - up);
            },
        )
}

#[test]
fn bouncing_on_a_table() -> Done {
    let (space, start) = thrown(0.7, [1.0, 0.3]);
    check(on_a_table, &space, &start, 5)
}

const INERTIA: Vector3<f64> = Vector3::new(0.3, 0.5, 0.7);
const CORNER: Vector3<f64> = Vector3::new(0.1, -0.2, 0.3);

fn turn(q: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_unchecked(Quaternion::new(q[6], q[3], q[4], q[5]))
}

fn twist(v: &[f64]) -> (Vector3<f64>, Vector3<f64>) {
    (Vector3::from_column_slice(&v[..3]), Vector3::from_column_slice(&v[3..]))
}

/// A body of 1 kg that tumbles and bounces on one of its corners, with a spring to its place.
fn tumbling() -> Closures<()> {
    let rates = |at: At<'_>, v_dot: &mut [f64], _: &mut [f64]| {
        let (u, w) = twist(at.v);
        let pull = Vector3::new(-at.q[0], -at.q[1], -G);
        let u_dot = turn(at.q).inverse_transform_vector(&pull) - w.cross(&u);
        let w_dot = -w.cross(&INERTIA.component_mul(&w)).component_div(&INERTIA);
        v_dot[..3].copy_from_slice(u_dot.as_slice());
        v_dot[3..].copy_from_slice(w_dot.as_slice());
    };
    let height = |at: At<'_>| at.q[2] + turn(at.q).transform_vector(&CORNER).z;
    let bounce = |phase: &mut Phase| {
        let (u, w) = twist(&phase.v);
        let up = turn(&phase.q).inverse_transform_vector(&Vector3::z());
        let arm = CORNER.cross(&up);
        let lever = arm.component_div(&INERTIA);
        let impulse = -1.6 * (up.dot(&u) + arm.dot(&w)) / (1.0 + lever.dot(&arm));
        phase.v[..3].copy_from_slice((u + impulse * up).as_slice());
        phase.v[3..].copy_from_slice((w + impulse * lever).as_slice());
    };
    Closures::new().mode((), rates).guard((), "impact", height, bounce)
}

#[test]
fn tumbling_body() -> Done {
    let space = Space::new(&POSE, 0);
    let start = Phase {
        q: vec![0.3, -0.2, 0.9, 0.0, 0.6, 0.0, 0.8],
        v: vec![0.1, 0.2, -0.3, 1.0, -0.7, 0.4],
        ..Phase::neutral(&space)
    };
    check(tumbling, &space, &start, 2)
}
