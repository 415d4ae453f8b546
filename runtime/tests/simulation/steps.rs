//! Single steps with an answer in closed form.

use jourdain::contact::{
    self, AnitescuPotra, Conditions, Formulation, Motor, Normal, Solver, Stepper, Todorov,
    Transition, residual,
};
use jourdain::lcp;
use jourdain::nalgebra::{Matrix3, SMatrix, SVector, Vector3, vector};
use jourdain::prelude::*;

use super::every_formulation;
use super::robots::{Ball, Cube, Point, Slider, Wall};

const H: f64 = 0.1;

fn wall(mass: f64, restitution: f64, x: f64, v: f64) -> Simulation<Wall> {
    let simulation = Simulation::new(Wall { mass, restitution }).unwrap();
    simulation.step_size(H).unwrap().state(vector![x], vector![v]).unwrap()
}

fn point(friction: f64, restitution: f64, gravity: [f64; 3]) -> Point {
    let [gx, gy, gz] = gravity;
    Point { mass: 2.0, friction, restitution, gx, gy, gz }
}

/// The textbook's brick against a wall: q⁺ = max(0, q + h v + h² u/m), and the impulse is what
/// that takes.
#[test]
fn brick_against_a_wall() {
    for x in [0.0, 0.01, 0.2, 3.0] {
        for v in [-5.0, -0.1, 0.0, 1.0] {
            for u in [-20.0, 0.0, 4.0] {
                let mass = 1.5;
                let mut simulation = wall(mass, 0.0, x, v);
                let report = simulation.step(&vector![u]).unwrap();
                let free = v + H * u / mass;
                let next = (x + H * free).max(0.0);
                let state = simulation.current();
                assert!((state.q[0] - next).abs() < 1e-12, "{x} {v} {u}: {}", state.q[0]);
                let impulse = mass * ((next - x) / H - free);
                assert!((simulation.impulse().normal[0] - impulse).abs() < 1e-12);
                assert!(report.residual.max() < 1e-12);
                assert_eq!(state.time, H);
            }
        }
    }
}

/// The textbook's brick with friction: with the bound b = h μ m g on the impulse, the brick stops
/// where b suffices and loses b/m otherwise.
#[test]
fn brick_with_friction() {
    let (mass, mu, g) = (1.5, 0.4, 9.81);
    for v in [-3.0, -0.2, 0.0, 0.1, 2.0] {
        for u in [-20.0, -2.0, 0.0, 5.0, 5.9] {
            let slider = Slider {
                mass,
                lower: f64::NEG_INFINITY,
                upper: f64::INFINITY,
                friction: mu * mass * g,
                damping: 0.0,
            };
            let simulation = Simulation::new(slider).unwrap().step_size(H).unwrap();
            let mut simulation = simulation.state(vector![0.0], vector![v]).unwrap();
            let report = simulation.step(&vector![u / 2.0]).unwrap();
            let (free, most) = (v + H * u / mass, H * mu * g);
            let next = if free.abs() <= most { 0.0 } else { free - most.copysign(free) };
            assert!((simulation.current().v[0] - next).abs() < 1e-12, "{v} {u}");
            let impulse = simulation.impulse().dry_friction[0];
            assert!((impulse - mass * (next - free)).abs() < 1e-12);
            assert!(report.residual.max() < 1e-12);
        }
    }
}

/// The same brick as a point on a plane, its normal impulse m g h.
#[test]
fn point_with_friction_on_a_plane() {
    let (mu, g) = (0.4, 9.81);
    for angle in [0.0, 0.3, 0.75, 2.0, 3.0] {
        for speed in [0.0, 0.1, 0.39, 0.4, 3.0] {
            let simulation = Simulation::new(point(mu, 0.0, [0.0, 0.0, -g])).unwrap();
            let v = vector![speed * f64::cos(angle), speed * f64::sin(angle), 0.0];
            let mut simulation =
                simulation.step_size(H).unwrap().state(vector![1.0, 2.0, 0.0], v).unwrap();
            simulation.step(&vector![0.0]).unwrap();
            let end = simulation.current().v.norm();
            // Between two of the eight directions friction is weaker by cos(π/8) at worst.
            let (most, least) = (H * mu * g, H * mu * g * f64::cos(std::f64::consts::PI / 8.0));
            assert!(
                end <= (speed - least).max(0.0) + 1e-12 && end >= (speed - most).max(0.0) - 1e-12
            );
            assert!((simulation.impulse().normal[0] - 2.0 * H * g).abs() < 1e-12);
        }
    }
}

/// Started along one of the directions, friction is exactly μ m g.
#[test]
fn friction_along_a_direction_is_exact() {
    let simulation = Simulation::new(point(0.4, 0.0, [0.0, 0.0, -10.0])).unwrap();
    let mut simulation = simulation
        .step_size(H)
        .unwrap()
        .state(vector![0.0, 0.0, 0.0], vector![0.0, -3.0, 0.0])
        .unwrap();
    simulation.step(&vector![0.0]).unwrap();
    assert!((simulation.current().v - vector![0.0, -2.6, 0.0]).norm() < 1e-13);
    let world = simulation.impulse().world(0, &simulation.contacts()[0]);
    assert!((world - vector![0.0, 0.8, 2.0]).norm() < 1e-13);
}

/// Forces are those of the step that led here, whatever is set after it, and none after one that led nowhere.
#[test]
fn forces_are_of_the_step_that_led_here() {
    let simulation = Simulation::new(point(0.4, 0.0, [0.0, 0.0, -10.0])).unwrap();
    let mut simulation = simulation.step_size(H).unwrap();
    simulation.step(&vector![0.0]).unwrap();
    let forces = simulation.contact_forces();
    assert!((forces[0].force.z - 20.0).abs() < 1e-9, "{forces:?}");
    let mut simulation = simulation.step_size(2.0 * H).unwrap();
    assert_eq!(simulation.contact_forces(), forces);
    let least = simulation.least_norm_forces().unwrap();
    assert!((least[0].force - forces[0].force).norm() < 1e-6, "{least:?}");
    assert!(simulation.step(&vector![f64::NAN]).is_err());
    assert!(simulation.contact_forces().is_empty());
}

/// Impulses of least norm are found by every formulation, also where no contact presses.
#[test]
fn what_does_not_press_leaves_nothing_open() {
    for formulation in every_formulation() {
        let simulation = Simulation::new(point(0.4, 0.0, [0.0, 0.0, -10.0])).unwrap();
        let simulation = simulation.step_size(1e-3).unwrap().formulation(formulation);
        let mut simulation =
            simulation.state(vector![0.0, 0.0, 0.05], vector![1.0, 0.5, -1.0]).unwrap();
        for _ in 0..300 {
            simulation.step(&vector![0.0]).unwrap();
            let found = simulation.least_norm_impulse();
            assert!(found.is_ok(), "{formulation:?}: {found:?}");
        }
    }
}

/// A sticking hollow ball that bounces: e belongs to the normal row only.
#[test]
fn hollow_ball() {
    let (r, e) = (0.3, 0.7);
    let ball = Ball { mass: 2.5, radius: r, friction: 50.0, restitution: e };
    let expected = Matrix3::new(0.6, 0.0, -0.4 * r, 0.0, -e, 0.0, -0.6 / r, 0.0, 0.4);
    for formulation in
        [Formulation::StewartTrinkle, Formulation::AnitescuPotra(AnitescuPotra::default())]
    {
        for v in [vector![1.0, -2.0, 0.5], vector![-3.0, -0.5, 4.0], vector![0.0, -1.0, 0.0]] {
            let simulation = Simulation::new(ball.clone()).unwrap().formulation(formulation);
            let mut simulation = simulation.state(vector![0.0, r, 0.0], v).unwrap();
            simulation.step(&vector![0.0]).unwrap();
            assert!((simulation.current().v - expected * v).norm() < 1e-12);
        }
    }
}

#[test]
fn limits_stop_within_the_step() {
    let slider = Slider { mass: 1.0, lower: -1.0, upper: 2.0, friction: 0.0, damping: 0.0 };
    for (q, v, end, side) in [(1.9, 5.0, 2.0, 1), (-0.9, -5.0, -1.0, 0), (2.5, 0.0, 2.0, 1)] {
        let simulation = Simulation::new(slider.clone()).unwrap().step_size(H).unwrap();
        let simulation = simulation.recovery(1.0).unwrap();
        let mut simulation = simulation.state(vector![q], vector![v]).unwrap();
        simulation.step(&vector![0.0]).unwrap();
        assert!((simulation.current().q[0] - end).abs() < 1e-14);
        let impulse = simulation.impulse().limits[0];
        assert!(impulse[1 - side] == 0.0);
        // What is beyond at rest is put right without a velocity.
        let is_beyond = q > 2.0;
        assert!((impulse[side] > 0.0) != is_beyond);
        assert!(!is_beyond || simulation.current().v[0] == 0.0);
    }
}

/// Within the margin of a velocity-level law a limit demands more than not to be passed.
#[test]
fn a_share_of_a_gap_is_demanded_of_limits_too() {
    let law = Normal::Velocity(AnitescuPotra::new(0.5, 0.1).unwrap());
    for formulation in [Formulation::Coulomb(law), Formulation::Frictionless(law)] {
        let slider = Slider { mass: 1.0, lower: -1.0, upper: 2.0, friction: 0.0, damping: 0.0 };
        let simulation = Simulation::new(slider).unwrap().step_size(H).unwrap();
        let mut simulation =
            simulation.formulation(formulation).state(vector![1.95], vector![0.4]).unwrap();
        simulation.step(&vector![0.0]).unwrap();
        assert!((simulation.current().v[0] - 0.25).abs() < 1e-12, "{formulation:?}");
    }
}

#[test]
fn velocity_level_contact_closes_exactly_and_puts_a_share_right() {
    let law = Formulation::AnitescuPotra(AnitescuPotra::default());
    let step = |x: f64, v: f64| {
        let mut simulation = wall(1.0, 0.0, x, v).formulation(law).recovery(1.0).unwrap();
        simulation.step(&vector![0.0]).unwrap();
        (simulation.current().q[0], simulation.current().v[0])
    };
    let (x, v) = step(0.05, -1.0);
    assert!(x.abs() < 1e-15 && (v + 0.5).abs() < 1e-15);
    assert_eq!(step(0.0, -1.0), (0.0, 0.0));
    let (x, v) = step(-0.05, -1.0);
    assert!(x.abs() < 1e-15 && (v - 0.5).abs() < 1e-15);
    let half = Formulation::AnitescuPotra(AnitescuPotra::new(0.5, 0.0).unwrap());
    let mut simulation = wall(1.0, 0.0, -0.05, 0.0).formulation(half);
    simulation.step(&vector![0.0]).unwrap();
    assert!((simulation.current().q[0] + 0.025).abs() < 1e-15);
}

/// The residual sees every kind of wrong answer.
#[test]
fn residual_tells_wrong_answers() {
    let model = point(0.4, 0.0, [0.0, 0.0, -9.81]);
    let (q, v, force) = (vector![0.0, 0.0, 0.0], vector![1.0, 0.5, 0.0], vector![0.0, 0.0, 0.0]);
    let mut stepper = Stepper::new(&model).unwrap();
    let conditions = &Conditions::of(Formulation::StewartTrinkle);
    stepper.step(&model, (&q, &v), &force, (0.0, H), conditions).unwrap();
    let judge = |v_next: &Vector3<f64>, impulse: &contact::Impulse| {
        let (q, v, force) = (&q, &v, &force);
        residual(
            &model,
            &Transition { conditions, time: 0.0, step_size: H, q, v, force, v_next, impulse },
        )
    };
    let (v_next, impulse) = (*stepper.velocity(), stepper.impulse().clone());
    assert!(judge(&v_next, &impulse).max() < 1e-14);

    let found = judge(&(v_next + vector![0.0, 0.0, 1e-6]), &impulse);
    assert!(found.momentum > 1e-6 && found.normal > 9e-7);
    let mut wrong = impulse.clone();
    wrong.normal[0] += 1e-6;
    assert!(judge(&v_next, &wrong).momentum > 4e-7);
    for change in [-1e-6, 1e-6] {
        let mut wrong = impulse.clone();
        wrong.friction[0] = wrong.friction[0].map(|p| p + change * p.signum());
        assert!(judge(&v_next, &wrong).friction > 1e-7);
    }
    let mut wrong = impulse.clone();
    wrong.friction[0].reverse();
    assert!(judge(&v_next, &wrong).friction > 1e-3);
    let mut wrong = impulse;
    wrong.limits[0] = [1e-6, 0.0];
    wrong.dry_friction[1] = 1e-6;
    let found = judge(&v_next, &wrong);
    assert!(found.momentum > 4e-7 && found.dry_friction > 9e-7);
    assert!(judge(&vector![f64::NAN, 0.0, 0.0], &wrong).max().is_nan());
    assert!(judge(&v_next, &contact::Impulse::zeros::<Wall>()).max().is_nan());
}

/// A motor of a coordinate that there is not does nothing, and is no reason to panic.
#[test]
fn a_motor_of_nothing_is_no_residual() {
    let model = point(0.4, 0.0, [0.0, 0.0, -9.81]);
    let (q, v, force) = (&vector![0.0, 0.0, 1.0], &vector![1.0, 0.5, 0.0], &vector![0.0, 0.0, 0.0]);
    let motor = (7, Motor::Velocity { velocity: 1.0, force: 2.0 });
    let conditions = &Conditions { motors: vec![motor], ..Conditions::default() };
    let mut stepper = Stepper::new(&model).unwrap();
    stepper.step(&model, (q, v), force, (0.0, H), conditions).unwrap();
    let (v_next, impulse) = (stepper.velocity(), stepper.impulse());
    let step = Transition { conditions, time: 0.0, step_size: H, q, v, force, v_next, impulse };
    assert!(residual(&model, &step).max() < 1e-14);
}

/// Eight corners of which four touch: redundant, and still solved.
#[test]
fn cube_lands_flat() {
    let cube = Cube { mass: 3.0, half_edge: 0.1, friction: 0.5, restitution: 0.0, gravity: 9.81 };
    let q = SMatrix::from([0.0, 0.0, 0.101, 0.0, 0.0, 0.0, 1.0]);
    let v = SMatrix::from([0.2, 0.1, -3.0, 0.0, 0.0, 0.0]);
    let simulation = Simulation::new(cube).unwrap();
    let mut simulation = simulation.state(q, v).unwrap();
    let report = simulation.step(&SMatrix::zeros()).unwrap();
    assert!(report.residual.max() < 1e-12, "{report:?}");
    assert!(simulation.gaps().iter().all(|gap| *gap > -1e-15));
    let total: f64 = simulation.impulse().normal.iter().sum();
    assert!((total - 3.0 * (3.0 - 1.0 + 9.81e-3)).abs() < 1e-12);
}

/// A cube on the ground is solved by what its formulation is given to, and one in flight by nothing.
#[test]
fn a_step_says_what_solved_it() {
    let cube = Cube { mass: 1.0, half_edge: 0.1, friction: 0.5, restitution: 0.0, gravity: 9.81 };
    let solver = |formulation: Formulation, height: f64| {
        let mut q = cube.neutral();
        q[2] = height;
        let simulation = Simulation::new(cube.clone()).unwrap().formulation(formulation);
        let mut simulation = simulation.state(q, SMatrix::zeros()).unwrap();
        simulation.step(&SMatrix::zeros()).unwrap().outcome.solver
    };
    for formulation in every_formulation() {
        assert_eq!(solver(formulation, 0.5), Solver::None, "{formulation:?}");
        let solver = solver(formulation, 0.1);
        let is_expected = match formulation {
            Formulation::StewartTrinkle | Formulation::AnitescuPotra(_) => {
                solver == Solver::Complementarity(lcp::Method::Lemke)
            }
            Formulation::Coulomb(_) | Formulation::Sticking(_) => matches!(solver, Solver::Cone(_)),
            Formulation::Todorov(law) if law == Todorov::default() => {
                matches!(solver, Solver::Cone(_))
            }
            _ => solver == Solver::Complementarity(lcp::Method::Dantzig),
        };
        assert!(is_expected, "{formulation:?}: {solver:?}");
    }
}

/// A trunk with two legs that are alike, and a field.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(trunk, mass = 8, inertia = [0.06, 0.16, 0.2]),
    joint(base, floating(world -> trunk)),
    link(left, mass = 0.8, com = [0, 0, -0.1], inertia = [0.003, 0.003, 0.001]),
    joint(one, revolute(trunk -> left), at = [0.2, 0.05, 0], axis = [0, 1, 0]),
    link(right, mass = 0.8, com = [0, 0, -0.1], inertia = [0.003, 0.003, 0.001]),
    joint(two, revolute(trunk -> right), at = [0.2, -0.05, 0], axis = [0, 1, 0]),
    contact(foot, on = right, at = [0, 0, -0.23], sphere = 0.03, friction = mu),
)]
struct Walker {
    mu: f64,
}

/// What is computed from numbers of a step's beginning alone needs no fields.
#[test]
fn limbs_that_are_alike_fall_with_any_fields() {
    let walker = Walker { mu: 0.5 };
    let mut q = walker.neutral();
    q[2] = 0.5;
    let mut v = SVector::<f64, 8>::zeros();
    (v[4], v[6], v[7]) = (0.3, 1.0, -2.0);
    let simulation = Simulation::new(walker).unwrap().step_size(1e-3).unwrap();
    let mut simulation = simulation.state(q, v).unwrap();
    for _ in 0..600 {
        let report = simulation.step(&SVector::zeros()).unwrap();
        let residual = report.residual;
        assert!(residual.momentum < 1e-12 && residual.max() < 1e-9, "{report:?}");
    }
}
