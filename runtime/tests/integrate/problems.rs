//! Problems with known solutions.

use jourdain::description::{Chart, Joint};
use jourdain::integrate::{Adaptive, At, Error, Method, Phase, Space, System, Tolerance};
use jourdain::nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// q̈ = −q from (1, 0), so q = cos t.
pub(crate) fn oscillator() -> (Space, Phase, impl System + Clone) {
    let space = Space::flat(1, 0);
    let phase = Phase { q: vec![1.0], ..Phase::neutral(&space) };
    (space, phase, |at: At<'_>, v_dot: &mut [f64], _: &mut [f64]| v_dot[0] = -at.q[0])
}

/// Where the oscillator is.
pub(crate) fn swung(t: f64) -> Phase {
    Phase { time: t, q: vec![t.cos()], v: vec![-t.sin()], z: vec![] }
}

/// The pendulum of the IFToMM collection (m = L = 1, g = 9.81), released level at (−1, 0): q is the angle from the
/// vertical that hangs, towards x.
pub(crate) fn pendulum() -> (Space, Phase, impl System + Clone) {
    let space = Space::flat(1, 0);
    let phase = Phase { q: vec![-std::f64::consts::FRAC_PI_2], ..Phase::neutral(&space) };
    (space, phase, |at: At<'_>, v_dot: &mut [f64], _: &mut [f64]| v_dot[0] = -9.81 * at.q[0].sin())
}

/// The joint of a body that turns about its centre of mass, or moves freely.
pub(crate) fn body(chart: Chart) -> Space {
    let (nq, nv) = if chart == Chart::Pose { (7, 6) } else { (4, 3) };
    Space::new(&[Joint { name: "body", family: "", q: 0, nq, v: 0, nv, chart }], 0)
}

/// Principal moments of inertia of an axisymmetric body.
pub(crate) const INERTIA: [f64; 3] = [1.0, 1.0, 0.4];
pub(crate) const OMEGA: [f64; 3] = [0.7, -0.3, 1.1];
const VELOCITY: [f64; 3] = [0.4, -0.2, 0.9];

/// Euler's equations for the axisymmetric body, in free flight without gravity if it moves freely.
pub(crate) fn free_body(chart: Chart) -> (Space, Phase, impl System + Clone) {
    let space = body(chart);
    let mut phase = Phase::neutral(&space);
    if chart == Chart::Pose {
        phase.v[..3].copy_from_slice(&VELOCITY);
    }
    let turn = phase.v.len() - 3;
    phase.v[turn..].copy_from_slice(&OMEGA);
    let start = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -1.2, 0.5));
    let angle = phase.q.len() - 4;
    phase.q[angle..].copy_from_slice(start.coords.as_slice());
    let system = move |at: At<'_>, v_dot: &mut [f64], _: &mut [f64]| {
        let omega = Vector3::from_column_slice(&at.v[turn..]);
        let [a, b, c] = INERTIA;
        let momentum = Vector3::new(a * omega.x, b * omega.y, c * omega.z);
        let moment = momentum.cross(&omega);
        v_dot[turn..].copy_from_slice(&[moment.x / a, moment.y / b, moment.z / c]);
        if turn > 0 {
            let u = Vector3::from_column_slice(&at.v[..3]);
            v_dot[..3].copy_from_slice((-omega.cross(&u)).as_slice());
        }
    };
    (space, phase, system)
}

/// Where the axisymmetric body is after `t` seconds: in the body's frame ω precesses about the axis of symmetry by
/// (1 − C/A) ω₃, and in space the body turns about its angular momentum L with |L|/A while it turns about its own axis
/// by what is left (Landau, Lifshitz: Mechanics, § 33 and § 35).
pub(crate) fn free_body_exact(start: &Phase, t: f64) -> Phase {
    let (turn, angle) = (start.v.len() - 3, start.q.len() - 4);
    let [a, _, c] = INERTIA;
    let r0 = rotation(&start.q[angle..]);
    let omega = Vector3::from_column_slice(&start.v[turn..]);
    let momentum = Vector3::new(a * omega.x, a * omega.y, c * omega.z);
    let own = (1.0 - c / a) * omega.z;
    let spin = UnitQuaternion::from_scaled_axis(Vector3::z() * own * t);
    let r = r0 * UnitQuaternion::from_scaled_axis(momentum / a * t) * spin;
    let mut phase = start.clone();
    phase.time += t;
    phase.q[angle..].copy_from_slice(r.coords.as_slice());
    phase.v[turn..].copy_from_slice((spin.inverse() * omega).as_slice());
    if turn > 0 {
        let velocity = r0 * Vector3::from_column_slice(&start.v[..3]);
        let place = Vector3::from_column_slice(&start.q[..3]) + velocity * t;
        phase.q[..3].copy_from_slice(place.as_slice());
        phase.v[..3].copy_from_slice((r.inverse() * velocity).as_slice());
    }
    phase
}

fn rotation(q: &[f64]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(Quaternion::new(q[3], q[0], q[1], q[2]))
}

/// The largest difference of two phases' numbers, q and −q being the same rotation.
pub(crate) fn distance(a: &Phase, b: &Phase) -> f64 {
    let largest =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let flipped: Vec<f64> = match b.q.len() {
        4 => b.q.iter().map(|x| -x).collect(),
        7 => b.q[..3].iter().copied().chain(b.q[3..].iter().map(|x| -x)).collect(),
        _ => b.q.clone(),
    };
    let q = largest(&a.q, &b.q).min(largest(&a.q, &flipped));
    q.max(largest(&a.v, &b.v)).max(largest(&a.z, &b.z))
}

/// The exponent p of errors c hᵖ, fitted to pairs of h and the error.
pub(crate) fn order(errors: &[(f64, f64)]) -> f64 {
    let points: Vec<(f64, f64)> = errors.iter().map(|(h, error)| (h.ln(), error.ln())).collect();
    let count = points.len() as f64;
    let (x, y): (f64, f64) = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0, sum.1 + p.1));
    let (x, y) = (x / count, y / count);
    let slope =
        |f: fn(f64, f64) -> f64| -> f64 { points.iter().map(|p| f(p.0 - x, p.1 - y)).sum() };
    slope(|x, y| x * y) / slope(|x, _| x * x)
}

/// The end of so many steps of equal lengths, which no tolerance shortens, and the largest error of dense output.
pub(crate) fn in_steps<M: Method, S: System>(
    (space, start, mut system): (Space, Phase, S),
    steps: u32,
    end: f64,
    exact: impl Fn(f64) -> Phase,
) -> Result<(f64, f64), Error> {
    let (h, loose) = (end / f64::from(steps), Tolerance::new(1e6, 1e6)?);
    let mut motion = Adaptive::<M>::with_method(&space, start, loose)?;
    let mut dense_error = 0f64;
    for k in 1..=steps {
        motion.restart(&motion.phase().clone(), Some(2.0 * h))?;
        motion.step(&mut system, h * f64::from(k))?;
        let middle = h * (f64::from(k) - 0.4);
        let found = motion.dense().unwrap().at(middle);
        dense_error = dense_error.max(distance(&found, &exact(middle)));
    }
    Ok((distance(motion.phase(), &exact(end)), dense_error))
}
