//! Rolling resistance.

use jourdain::Model;
use jourdain::contact::{self, Ground, Normal, Todorov};
use jourdain::impact::{Among, Impacts, Law};
use jourdain::prelude::*;
use nalgebra::{Quaternion, SVector, UnitQuaternion, Vector3};

use crate::{Vector0, run};

const G: f64 = 9.81;
const R: f64 = 0.1;
const M: f64 = 2.0;
/// Of a full ball.
const I: f64 = 0.4 * M * R * R;

/// A ball on a slope along x.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [9.81 * sin(slope), 0, -9.81 * cos(slope)],
    link(ball, mass = 2, sphere(radius = 0.1)),
    joint(free, floating(world -> ball)),
    contact(foot, on = ball, sphere = 0.1, friction = mu, restitution = e, rolling = rho, torsion = nu),
)]
struct Ball {
    slope: f64,
    mu: f64,
    e: f64,
    rho: f64,
    nu: f64,
}

impl Default for Ball {
    fn default() -> Self {
        Self { slope: 0.0, mu: 0.5, e: 0.0, rho: 0.003, nu: 0.0 }
    }
}

fn near(found: f64, expected: f64, error: f64) {
    assert!((found - expected).abs() < error, "{found} instead of {expected}");
}

/// Linear and angular velocity in the world.
fn world<B>(ball: &Simulation<B>) -> [Vector3<f64>; 2]
where
    B: Model<Q = SVector<f64, 7>, V = SVector<f64, 6>>,
{
    let State { q, v, .. } = ball.current();
    let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[6], q[3], q[4], q[5]));
    [0, 3].map(|k| turn * Vector3::new(v[k], v[k + 1], v[k + 2]))
}

/// On the ground, rolling with this velocity along x and y.
fn rolling(ball: Ball, [x, y]: [f64; 2]) -> Result<Simulation<Ball>, SimulationError> {
    let mut q = ball.neutral();
    q[2] = R;
    Simulation::new(ball)?.state(q, SVector::from([x, y, 0.0, -y / R, x / R, 0.0]))
}

/// v falls by 5/7 ϱ g/R a second, whatever the step and the direction, and is zero from then on.
#[test]
fn a_rolling_ball_slows_down_and_stops() -> Result<(), SimulationError> {
    let ball = Ball::default();
    let rate = 5.0 / 7.0 * ball.rho * G / R;
    for (h, [x, y]) in [(1e-3, [0.06, 0.08]), (1e-2, [0.06, 0.08]), (1e-3, [-0.1, 0.0])] {
        let mut rolling = rolling(ball, [x, y])?.step_size(h)?;
        let steps = (0.3 / h) as usize;
        for k in 1..=steps {
            assert!(run(&mut rolling, 1)? < 1e-9);
            let left = 0.1 - h * k as f64 * rate;
            let [v, _] = world(&rolling);
            assert!((v - Vector3::new(x, y, 0.0) * (left / 0.1)).norm() < 1e-9, "{v}");
            let moment =
                rolling.impulse().rolling_moment(0, &rolling.model().contact_parameters()[0]);
            let along = Vector3::new(-y, x, 0.0) / 0.1;
            near((moment + h * ball.rho * M * G * along).norm(), 0.0, 1e-12);
        }
        rolling.run(0.1 / rate, |_: &State<Ball>| Vector0::zeros())?;
        assert!(rolling.current().v.norm() < 1e-9);
        let q = rolling.current().q;
        rolling.run(1.0, |_: &State<Ball>| Vector0::zeros())?;
        assert!((rolling.current().q - q).norm() < 1e-9);
    }
    Ok(())
}

/// On a slope of tan θ < ϱ/R it stands still; on a steeper one it rolls down, with what is left of its weight.
#[test]
fn a_ball_stands_on_a_slope_that_is_not_too_steep() -> Result<(), SimulationError> {
    let limit = (0.003_f64 / R).atan();
    for (slope, rate) in [
        (0.999 * limit, 0.0),
        (1.001 * limit, 5.0 / 7.0 * G * ((1.001 * limit).sin() - 0.03 * (1.001 * limit).cos())),
        (0.2, 5.0 / 7.0 * G * (0.2_f64.sin() - 0.03 * 0.2_f64.cos())),
    ] {
        let mut ball = rolling(Ball { slope, ..Ball::default() }, [0.0; 2])?;
        assert!(run(&mut ball, 500)? < 1e-9);
        let [v, omega] = world(&ball);
        near(v.x, 0.5 * rate, 1e-8);
        near(omega.y, 0.5 * rate / R, 1e-7);
    }
    Ok(())
}

/// Rolling resistance has a cone of its own: what spins and rolls is braked in both, and what slides slides as without it.
#[test]
fn cones_are_apart() -> Result<(), SimulationError> {
    let spun = Ball { mu: 0.0, nu: 0.002, ..Ball::default() };
    let mut ball = rolling(spun, [0.0; 2])?;
    let State { q, .. } = *ball.current();
    ball.reset(q, SVector::from([1.0, 0.0, 0.0, 0.0, 4.0, 3.0]))?;
    assert!(run(&mut ball, 200)? < 1e-9);
    let [v, omega] = world(&ball);
    near(v.x, 1.0, 1e-12);
    near(omega.y, 4.0 - 0.2 * 0.003 * M * G / I, 1e-9);
    near(omega.z, 3.0 - 0.2 * 0.002 * M * G / I, 1e-9);
    Ok(())
}

/// A hit brakes it too, by ϱ m (1 + e) |v| in all, of Poisson's two phases as of Newton's one, and of an impact.
#[test]
fn an_impact_brakes_rolling() -> Result<(), SimulationError> {
    let (e, speed) = (0.5, 2.0);
    let hit = Ball { mu: 0.0, e, ..Ball::default() };
    let v = SVector::from([0.0, 0.0, -speed, 0.0, 3.0, 0.0]);
    let left = 3.0 - 0.003 * M * (1.0 + e) * speed / I;
    let mut q = hit.neutral();
    q[2] = R;
    for law in [Restitution::Newton, Restitution::Poisson] {
        let mut ball = rolling(hit, [0.0; 2])?.restitution(law).step_size(1e-9)?;
        ball.reset(q, v)?;
        assert!(run(&mut ball, 1)? < 1e-9, "{law:?}");
        near(ball.current().v[2], e * speed, 1e-7);
        near(ball.current().v[4], left, 1e-6);
    }
    let mut impacts = Impacts::new(&hit, Law::default()).unwrap();
    let mut after = v;
    let outcome = impacts.resolve(&hit, 0.0, &q, &v, Among::Within(0.0), &mut after).unwrap();
    near(after[4], left, 1e-9);
    assert!(outcome.residual < 1e-9);
    let stronge = Law { restitution: jourdain::impact::Restitution::Stronge, ..Law::default() };
    let error = Impacts::new(&hit, stronge).unwrap_err();
    assert!(error.to_string().contains("no rolling resistance"), "{error}");
    Ok(())
}

/// Two balls, one on a slab that turns about the axis that it rolls about.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(slab, mass = 1, inertia = [1, 0.05, 1]), joint(pivot, revolute(world -> slab), axis = [0, 1, 0]),
    link(ball, mass = 2, sphere(radius = 0.1)), joint(free, floating(world -> ball)),
    shape(top, on = slab, at = [0, 0, -0.1], box = [1, 1, 0.2], friction = 0),
    shape(skin, on = ball, sphere = 0.1, friction = 0),
    contact(idle, on = ball, at = [0, 0, 0.1]),
    pair(skin, top, rolling = 0.003, torsion = 0.002),
)]
struct Slab;

/// The ball loses what the slab gains.
#[test]
fn a_pair_of_solids_has_it_too() -> Result<(), SimulationError> {
    let mut q = Slab.neutral();
    q[3] = R;
    let mut v = SVector::<f64, 7>::zeros();
    (v[5], v[6]) = (3.0, 2.0);
    let mut slab = Simulation::new(Slab)?.state(q, v)?;
    for k in 1..=20 {
        assert!(run(&mut slab, 1)? < 1e-9);
        let given = 1e-3 * f64::from(k) * 0.003 * M * G;
        let q = slab.current().q;
        let turn = UnitQuaternion::from_quaternion(Quaternion::new(q[7], q[4], q[5], q[6]));
        let omega = turn * slab.current().v.fixed_rows::<3>(4).into_owned();
        near(omega.y, 3.0 - given / I, 1e-4);
        near(omega.z, 2.0 - given / 1.5 / I, 1e-4);
        assert!((slab.current().v[0] - given / 0.05).abs() < 2e-2 * given / 0.05);
    }
    Ok(())
}

/// A ball with a shape, on ground that is laid at run time.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(ball, mass = 2, sphere(radius = 0.1)), joint(free, floating(world -> ball)),
    shape(skin, on = ball, sphere = 0.1, friction = 0.5),
)]
struct Loose;

/// The same with a contact that touches nothing.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(ball, mass = 2, sphere(radius = 0.1)), joint(free, floating(world -> ball)),
    shape(skin, on = ball, sphere = 0.1, friction = 0.5),
    contact(idle, on = ball, height = -1),
)]
struct WithContact;

/// It rolls and spins on ground of both, until it stops.
fn roll_on<B>(ball: &B, ground: &Ground) -> Result<(), SimulationError>
where
    B: Model<Q = SVector<f64, 7>, V = SVector<f64, 6>, U = Vector0> + Clone,
{
    let mut q = ball.neutral();
    q[2] = R;
    let v = SVector::from([0.1, 0.0, 0.0, 0.0, 1.0, 3.0]);
    for law in [Restitution::Newton, Restitution::Poisson] {
        let ball = Simulation::new(ball.clone())?.ground(ground.clone())?.restitution(law);
        let mut ball = ball.state(q, v)?;
        assert!(run(&mut ball, 300)? < 1e-9);
        let [linear, omega] = world(&ball);
        near(linear.x, 0.1 - 0.3 * 5.0 / 7.0 * 0.003 * G / R, 1e-9);
        near(omega.z, 3.0 - 0.3 * 0.002 * M * G / I, 1e-9);
        let force = ball.contact_forces().remove(0);
        near(force.rolling.y, -0.003 * M * G, 1e-9);
        assert!(run(&mut ball, 2000)? < 1e-9);
        assert!(ball.current().v.norm() < 1e-9);
    }
    Ok(())
}

#[test]
fn ground_has_it_too() -> Result<(), SimulationError> {
    let ground = Ground::plane(Vector3::z(), 0.0, 0.5, 0.0).unwrap();
    let ground = ground.rolling(0.003).unwrap().torsion(0.002).unwrap();
    let mut q = Loose.neutral();
    q[2] = R;
    let v = SVector::from([0.1, 0.0, 0.0, 0.0, 1.0, 3.0]);
    roll_on(&Loose, &ground)?;
    roll_on(&WithContact, &ground)?;
    let mut convex = Simulation::new(Loose)?
        .ground(ground)?
        .formulation(Formulation::Todorov(Todorov::default()))
        .state(q, v)?;
    let error = convex.step(&Vector0::zeros()).unwrap_err();
    assert!(error.to_string().contains("no rolling resistance"), "{error}");
    assert!(Ground::plane(Vector3::z(), 0.0, 0.5, 0.0).unwrap().rolling(-0.1).is_err());
    assert!(Ground::plane(Vector3::z(), 0.0, 0.5, 0.0).unwrap().torsion(f64::NAN).is_err());
    Ok(())
}

/// The least impulses of what stands still on a slope are those that it needs.
#[test]
fn least_norms_have_it() -> Result<(), SimulationError> {
    let ball = Ball { slope: 0.01, nu: 0.002, ..Ball::default() };
    let mut still = rolling(ball, [0.0; 2])?;
    run(&mut still, 10)?;
    let impulse = still.least_norm_impulse()?;
    let [first, second] = ball.contact_parameters()[0].tangents;
    let moment = first * impulse.rolling[0][0] + second * impulse.rolling[0][1];
    near(moment.y, -1e-3 * M * G * R * 0.01_f64.sin(), 1e-9);
    near(impulse.torsion[0], 0.0, 1e-12);
    Ok(())
}

/// No friction is none of rolling either; what has no law of it says so.
#[test]
fn formulations_have_it_or_say_so() -> Result<(), SimulationError> {
    let frictionless = Formulation::Frictionless(Normal::Gap);
    let mut free = rolling(Ball::default(), [0.1, 0.0])?.formulation(frictionless);
    run(&mut free, 100)?;
    near(free.current().v[4], 1.0, 1e-12);
    for formulation in [
        Formulation::StewartTrinkle,
        Formulation::Todorov(Todorov::default()),
        Formulation::Sticking(Normal::Gap),
    ] {
        let mut ball = rolling(Ball::default(), [0.1, 0.0])?.formulation(formulation);
        let error = ball.step(&Vector0::zeros()).unwrap_err();
        let SimulationError::Setup(contact::Error::NotOffered { what, by, .. }) = error else {
            panic!("{error}");
        };
        assert_eq!((what, by), ("rolling resistance", Some("foot")));
    }
    assert!(Simulation::new(Ball { rho: -0.1, ..Ball::default() }).is_err());
    Ok(())
}
