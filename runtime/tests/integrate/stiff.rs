//! The linearly implicit method on stiff problems.

use jourdain::description::Chart;
use jourdain::integrate::{
    Adaptive, At, Dop853, Effort, Error, Method, Phase, Rodas5P, Space, System, Tolerance,
};

use jourdain::nalgebra::{Matrix3, Quaternion, SMatrix, UnitQuaternion, Vector3, Vector4};

use super::problems::{INERTIA, distance, free_body, free_body_exact, in_steps, order};

/// ż = −λ (z − cos t) − sin t, whose solution from z = 1 is cos t.
struct ProtheroRobinson(f64);

impl System for ProtheroRobinson {
    fn rates(&mut self, at: At<'_>, _: &mut [f64], z_dot: &mut [f64]) {
        z_dot[0] = -self.0 * (at.z[0] - at.time.cos()) - at.time.sin();
    }

    fn derivatives(&mut self, at: At<'_>, derivatives: &mut [f64]) -> bool {
        derivatives.copy_from_slice(&[-self.0, -self.0 * at.time.sin() - at.time.cos()]);
        true
    }
}

fn prothero_robinson(lambda: f64) -> (Space, Phase, impl System) {
    let space = Space::flat(0, 1);
    let start = Phase { z: vec![1.0], ..Phase::neutral(&space) };
    (space, start, ProtheroRobinson(lambda))
}

fn cosine(t: f64) -> Phase {
    Phase { time: t, q: vec![], v: vec![], z: vec![t.cos()] }
}

/// Orders 5 of steps and 4 of dense output, which is 5 where the equation is linear; and of the worst of all λ, stiff or
/// not, no less than the 4 that the method has for this problem.
#[test]
fn orders() -> Result<(), Error> {
    let errors =
        |lambda: f64, steps| in_steps::<Rodas5P, _>(prothero_robinson(lambda), steps, 2.0, cosine);
    let mut fits = [vec![], vec![], vec![], vec![]];
    for steps in [8, 16, 32, 64] {
        let h = 2.0 / f64::from(steps);
        let (end, dense) = errors(1.0, steps)?;
        let mut worst = (0f64, 0f64);
        for exponent in 0..40 {
            let (end, dense) = errors(10f64.powf(0.2 * f64::from(exponent)), steps)?;
            worst = (worst.0.max(end), worst.1.max(dense));
        }
        let found = [end, dense, worst.0, worst.1];
        fits.iter_mut().zip(found).for_each(|(fit, error)| fit.push((h, error)));
    }
    let found = fits.map(|fit| order(&fit));
    assert!((found[0] - 5.0).abs() < 0.1 && found[1] > 3.9, "{found:?}");
    assert!(found[2] > 3.8 && found[3] > 3.8, "{found:?}");
    Ok(())
}

/// Order 5 on the manifold, with derivatives by differences.
#[test]
fn order_on_the_manifold() -> Result<(), Error> {
    for chart in [Chart::Quaternion, Chart::Pose] {
        let mut errors = vec![];
        for steps in [8, 16, 32, 64] {
            let (_, start, _) = free_body(chart);
            let exact = |t| free_body_exact(&start, t);
            let (end, _) = in_steps::<Rodas5P, _>(free_body(chart), steps, 2.0, exact)?;
            errors.push((2.0 / f64::from(steps), end));
        }
        let found = order(&errors);
        assert!((found - 5.0).abs() < 0.3, "{chart:?}: {found} {errors:?}");
    }
    Ok(())
}

/// A body on three springs of different stiffness to the world's origin, with or without its derivatives.
#[derive(Clone, Copy)]
struct Sprung {
    is_exact: bool,
}

impl Sprung {
    const STIFFNESS: [f64; 3] = [1.0, 20.0, 300.0];

    /// Rᵀ and the force in the body's axes.
    fn force(at: At<'_>) -> (Matrix3<f64>, Vector3<f64>) {
        let r = Quaternion::from_vector(Vector4::from_column_slice(&at.q[3..]));
        let turn = UnitQuaternion::new_unchecked(r).to_rotation_matrix().transpose().into_inner();
        let force = Vector3::from_fn(|i, _| -Self::STIFFNESS[i] * at.q[i]);
        (turn, turn * force)
    }
}

impl System for Sprung {
    fn rates(&mut self, at: At<'_>, v_dot: &mut [f64], z_dot: &mut [f64]) {
        free_body(Chart::Pose).2.rates(at, v_dot, z_dot);
        let (_, force) = Self::force(at);
        v_dot.iter_mut().zip(force.iter()).for_each(|(v_dot, f)| *v_dot += f);
    }

    fn derivatives(&mut self, at: At<'_>, derivatives: &mut [f64]) -> bool {
        let mut all = SMatrix::<f64, 6, 13>::zeros();
        let (turn, force) = Self::force(at);
        let stiffness = Matrix3::from_diagonal(&Vector3::from(Self::STIFFNESS));
        let (u, w) = (Vector3::from_column_slice(at.v), Vector3::from_column_slice(&at.v[3..]));
        let [a, _, c] = INERTIA;
        let spin = (a - c) / a;
        all.fixed_view_mut::<3, 3>(0, 0).copy_from(&(-turn * stiffness * turn.transpose()));
        all.fixed_view_mut::<3, 3>(0, 3).copy_from(&force.cross_matrix());
        all.fixed_view_mut::<3, 3>(0, 6).copy_from(&-w.cross_matrix());
        all.fixed_view_mut::<3, 3>(0, 9).copy_from(&u.cross_matrix());
        let gyroscopic =
            Matrix3::new(0.0, spin * w.z, spin * w.y, -spin * w.z, 0.0, -spin * w.x, 0.0, 0.0, 0.0);
        all.fixed_view_mut::<3, 3>(3, 9).copy_from(&gyroscopic);
        derivatives.copy_from_slice(all.as_slice());
        self.is_exact
    }
}

/// Steps with derivatives are those with differences, where forces depend on places and turns.
#[test]
fn derivatives_are_those_of_differences() -> Result<(), Error> {
    let (space, mut start, _) = free_body(Chart::Pose);
    start.q[..3].copy_from_slice(&[0.4, -0.3, 0.2]);
    let ends = [true, false].map(|is_exact| -> Result<Phase, Error> {
        let mut motion = Adaptive::stiff(&space, start.clone(), Tolerance::new(1e6, 1e6)?)?;
        motion.restart(&start, Some(1.0))?;
        motion.step(&mut Sprung { is_exact }, 0.2)?;
        Ok(motion.phase().clone())
    });
    let [exact, differences] = ends;
    let error = distance(&exact?, &differences?);
    assert!(error < 1e-7, "{error:e}");
    Ok(())
}

/// One step of a hundred million time constants damps what it should: R(∞) = 0.
#[test]
fn l_stability() -> Result<(), Error> {
    let space = Space::flat(0, 1);
    let start = || Phase { z: vec![1.0], ..Phase::neutral(&space) };
    let fast = |at: At<'_>, _: &mut [f64], z_dot: &mut [f64]| z_dot[0] = -1e8 * at.z[0];
    let nothing = |t| Phase { time: t, z: vec![0.0], ..start() };
    let (end, _) = in_steps::<Rodas5P, _>((space.clone(), start(), fast), 1, 1.0, nothing)?;
    assert!(end < 1e-6, "{end:e}");
    Ok(())
}

/// Amplification of an oscillation at the limit of A-stability, ω h from 10⁻³ to 10⁶.
#[test]
fn a_stability_on_the_imaginary_axis() -> Result<(), Error> {
    let space = Space::flat(1, 0);
    for exponent in -12..24 {
        let omega = 10f64.powf(0.25 * f64::from(exponent));
        let start = Phase { q: vec![1.0], ..Phase::neutral(&space) };
        let swing =
            |at: At<'_>, v_dot: &mut [f64], _: &mut [f64]| v_dot[0] = -omega * omega * at.q[0];
        let loose = Tolerance::new(1e12, 1e12)?;
        let mut motion = Adaptive::stiff(&space, start.clone(), loose)?;
        motion.restart(&start, Some(2.0))?;
        motion.step(&mut { swing }, 1.0)?;
        let amplitude = motion.phase().q[0].hypot(motion.phase().v[0] / omega);
        assert!(amplitude < 1.0 + 1e-6, "{omega} {amplitude}");
    }
    Ok(())
}

/// Van der Pol's equation, μ = 10⁻⁶: Mazzia, Magherini: Test Set for Initial Value Problem Solvers (2008), VDPOL, t = 2.
#[test]
fn van_der_pol() -> Result<(), Error> {
    let space = Space::flat(0, 2);
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let start = Phase { z: vec![2.0, 0.0], ..Phase::neutral(&space) };
        let mut system = |at: At<'_>, _: &mut [f64], z_dot: &mut [f64]| {
            let (x, y) = (at.z[0], at.z[1]);
            (z_dot[0], z_dot[1]) = (y, ((1.0 - x * x) * y - x) / 1e-6);
        };
        let mut motion = Adaptive::stiff(&space, start, Tolerance::new(tolerance, tolerance)?)?;
        motion.run_to(&mut system, 2.0, 10_000)?;
        let z = &motion.phase().z;
        let error =
            (z[0] - 1.706_167_732_170_483).abs().max((z[1] + 0.892_809_701_024_797_5).abs());
        assert!(error < tolerance, "{tolerance:e}: {error:e} {:?}", motion.effort());
    }
    Ok(())
}

/// A point of 1 kg on a spring of 1 m and 10⁸ N/m, released level with the spring at rest.
fn spring_pendulum() -> (Space, Phase, impl System) {
    let space = Space::flat(2, 0);
    let start = Phase { q: vec![-1.0, 0.0], ..Phase::neutral(&space) };
    let system = |at: At<'_>, v_dot: &mut [f64], _: &mut [f64]| {
        let length = at.q[0].hypot(at.q[1]);
        let pull = -1e8 * (length - 1.0) / length;
        (v_dot[0], v_dot[1]) = (pull * at.q[0], pull * at.q[1] - 9.81);
    };
    (space, start, system)
}

fn swing<M: Method>(tolerance: f64) -> Result<(Phase, Effort), Error> {
    let (space, start, mut system) = spring_pendulum();
    let mut motion =
        Adaptive::<M>::with_method(&space, start, Tolerance::new(tolerance, tolerance)?)?;
    motion.run_to(&mut system, 1.0, 100_000)?;
    Ok((motion.phase().clone(), motion.effort()))
}

/// Where oscillations are of no account, the explicit method must follow them all the same.
#[test]
fn stiff_pendulum_on_a_spring() -> Result<(), Error> {
    let (implicit, effort) = swing::<Rodas5P>(1e-5)?;
    let (explicit, more) = swing::<Dop853>(1e-9)?;
    let error = implicit.q.iter().zip(&explicit.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error < 1e-4, "{error:e}");
    assert!(4 * effort.evaluations < more.evaluations, "{effort:?} {more:?}");
    Ok(())
}
