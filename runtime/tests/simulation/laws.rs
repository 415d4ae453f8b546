//! Laws of contact over random states.

use jourdain::contact::{
    self, AnitescuPotra, Conditions, Formulation, Normal, Restitution, Stepper, Transition,
    residual,
};
use jourdain::nalgebra::SMatrix;
use jourdain::prelude::*;
use nalgebra::SVector;
use proptest::prelude::*;

use super::every_formulation;
use super::robots::{Anything, Cube};

pub(super) fn formulations() -> impl Strategy<Value = Formulation> {
    prop_oneof![
        prop::sample::select(every_formulation().to_vec()),
        (0.0..=1.0, 0.0..0.1f64).prop_map(|(gamma, margin)| {
            Formulation::AnitescuPotra(AnitescuPotra::new(gamma, margin).unwrap())
        }),
    ]
}

/// Those whose steps can have two phases, but for infinite friction, which may jam.
fn by_phases() -> impl Strategy<Value = Formulation> {
    prop::sample::select(vec![
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
        Formulation::Coulomb(Normal::default()),
        Formulation::Frictionless(Normal::default()),
    ])
}

/// Any mechanism with contacts, friction, dry friction and limits that touch at random.
pub(super) fn anything() -> impl Strategy<Value = (Anything, [f64; 6], [f64; 6])> {
    let numbers = prop::collection::vec(-1.0..1.0f64, 36 + 72 + 12);
    let gaps = prop::array::uniform4(prop_oneof![Just(0.0), 0.0..1e-3f64]);
    let coefficients = (0.0..1.5f64, 0.0..=1.0f64, 0.0..2.0f64, any::<bool>());
    (numbers, gaps, coefficients).prop_map(|(x, gap, (friction, restitution, dry, double))| {
        let mut jacobian = std::array::from_fn(|k| x[36 + k]);
        if double {
            // Two contacts at the same place.
            (0..6).for_each(|j| jacobian.copy_within(12 * j..12 * j + 3, 12 * j + 3));
        }
        let root = std::array::from_fn(|k| x[k]);
        let dry_friction = (dry - 1.0).max(0.0);
        let any = Anything { root, jacobian, gap, friction, restitution, range: 0.9, dry_friction };
        (any, std::array::from_fn(|k| 0.9 * x[108 + k]), std::array::from_fn(|k| x[114 + k]))
    })
}

/// A cube in any attitude whose lowest corner is at the height `z`.
fn state(z: f64, turn: &[f64], v: &[f64]) -> ([f64; 7], [f64; 6]) {
    let cube = Cube { mass: 1.0, half_edge: 0.1, friction: 0.0, restitution: 0.0, gravity: 0.0 };
    let turn = SMatrix::from([0.0, 0.0, 0.0, turn[0], turn[1], turn[2]]);
    let mut q = cube.integrate(&cube.neutral(), &turn);
    let mut gaps = [0.0; 8];
    cube.gap_into(&q, &mut gaps);
    q[2] = z - gaps.iter().copied().fold(f64::INFINITY, f64::min);
    (q.into(), std::array::from_fn(|k| v[k]))
}

proptest! {
    /// A single step from any state near the ground is solved to 1e-9, with friction and
    /// restitution, in every formulation.
    #[test]
    fn any_step_is_solved(
        formulation in formulations(), z in -1e-3..1e-2f64,
        turn in prop::collection::vec(-3.0..3.0f64, 3), v in prop::collection::vec(-3.0..3.0f64, 6),
        friction in 0.0..2.0f64, restitution in 0.0..=1.0f64, flat in any::<bool>(),
        recovery in prop_oneof![Just(1.0), 0.0..=1.0f64],
    ) {
        let turn = if flat { vec![0.0; 3] } else { turn };
        let (q, v) = state(z, &turn, &v);
        let cube = Cube { mass: 3.0, half_edge: 0.1, friction, restitution, gravity: 9.81 };
        let simulation = Simulation::new(cube).unwrap().recovery(recovery).unwrap();
        let mut simulation =
            simulation.formulation(formulation).state(q.into(), v.into()).unwrap();
        let report = simulation.step(&SMatrix::zeros());
        prop_assert!(report.is_ok(), "{report:?}");
    }

    /// The same for any mechanism, inelastic: there all have a step, but for infinite friction, which may jam.
    #[test]
    fn any_mechanism_is_solved(formulation in formulations(), (any, q, v) in anything()) {
        let any = Anything { restitution: 0.0, ..any };
        let simulation = Simulation::new(any).unwrap().formulation(formulation);
        let mut simulation = simulation.state(q.into(), v.into()).unwrap();
        let report = simulation.step(&SMatrix::zeros());
        let jams = matches!(
            report,
            Err(SimulationError::Contact { error: contact::Error::Jammed { .. }, .. })
        );
        let may_jam = matches!(formulation, Formulation::Sticking(_));
        prop_assert!(report.is_ok() || (jams && may_jam), "{report:?}");
    }

    /// With restitution and friction there may be no step, and then that is what is said.
    #[test]
    fn any_mechanism_has_a_step_or_a_reason(formulation in formulations(), (any, q, v) in anything()) {
        let simulation = Simulation::new(any).unwrap().formulation(formulation);
        let mut simulation = simulation.state(q.into(), v.into()).unwrap();
        let before = simulation.current().clone();
        match simulation.step(&SMatrix::zeros()) {
            Ok(report) => prop_assert!(report.residual.max() <= 1e-9),
            Err(SimulationError::Contact { .. }) => prop_assert_eq!(simulation.current(), &before),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    /// By Poisson's law any mechanism has a step, and an audit finds that both its phases are what they should be.
    #[test]
    fn any_mechanism_springs_back_by_poissons_law(
        formulation in by_phases(), (any, q, v) in anything(),
    ) {
        let restitution = Restitution::Poisson;
        let (h, conditions) = (0.05, &Conditions { restitution, ..Conditions::of(formulation) });
        let (q, v, force) = (&q.into(), &v.into(), &SMatrix::zeros());
        let mut stepper = Stepper::new(&any).unwrap();
        let outcome = stepper.step(&any, (q, v), force, (0.0, h), conditions);
        prop_assert!(outcome.is_ok(), "{outcome:?}");
        let own = stepper.residual(h, conditions).max();
        let (v_next, impulse) = (stepper.velocity(), stepper.impulse());
        let step = Transition { conditions, time: 0.0, step_size: h, q, v, force, v_next, impulse };
        let audit = residual(&any, &step);
        prop_assert!(own <= 1e-9 && audit.max() <= 1e-9, "{own:e} {audit:?}");
    }

    /// Without friction, forces and spin before the impact, contacts with one e give no energy.
    #[test]
    fn frictionless_impacts_give_no_energy(
        restitution in 0.0..=1.0f64, z in 0.0..1e-3f64,
        turn in prop::collection::vec(-3.0..3.0f64, 3), u in prop::collection::vec(-3.0..3.0f64, 3),
        flat in any::<bool>(), poisson in any::<bool>(),
    ) {
        let turn = if flat { vec![0.0; 3] } else { turn };
        let law = if poisson { Restitution::Poisson } else { Restitution::Newton };
        let (q, v) = state(z, &turn, &[u[0], u[1], u[2], 0.0, 0.0, 0.0]);
        let cube = Cube { mass: 3.0, half_edge: 0.1, friction: 0.0, restitution, gravity: 0.0 };
        let before = cube.kinetic_energy(&q.into(), &v.into());
        let simulation = Simulation::new(cube).unwrap().restitution(law);
        let mut simulation = simulation.state(q.into(), v.into()).unwrap();
        simulation.step(&SMatrix::zeros()).unwrap();
        let state = simulation.current();
        let after = simulation.model().kinetic_energy(&state.q, &state.v);
        prop_assert!(after <= before * (1.0 + 1e-12), "{before} {after}");
    }

    /// Friction stays inside the cone and takes energy from what slides.
    #[test]
    fn friction_stays_in_its_cone(
        friction in 0.0..2.0f64, turn in prop::collection::vec(-3.0..3.0f64, 3),
        v in prop::collection::vec(-3.0..3.0f64, 6),
    ) {
        let (q, v) = state(0.0, &turn, &v);
        let cube = Cube { mass: 3.0, half_edge: 0.1, friction, restitution: 0.0, gravity: 9.81 };
        let mut simulation = Simulation::new(cube).unwrap().state(q.into(), v.into()).unwrap();
        simulation.step(&SMatrix::zeros()).unwrap();
        let impulse = simulation.impulse();
        for (normal, [x, y]) in impulse.normal.iter().zip(&impulse.friction) {
            prop_assert!(*normal >= 0.0 && x.hypot(*y) <= friction * normal + 1e-10);
        }
    }
}

/// Cubes of any weight that fall, tumble and come to rest.
#[test]
fn tumbling_cubes_are_solved_throughout() {
    let masses = [1e-3, 3.0, 1e5];
    for (k, friction) in [0.0, 0.3, 0.8, 1.5].into_iter().enumerate() {
        for (mass, formulation) in masses.into_iter().flat_map(|mass| {
            let velocity_level = Formulation::AnitescuPotra(AnitescuPotra::default());
            [(mass, Formulation::StewartTrinkle), (mass, velocity_level)]
        }) {
            let turn = [0.3 * k as f64, 1.0, -0.5];
            let (q, v) = state(0.05, &turn, &[1.0, 0.5, 0.0, 4.0, -3.0, 2.0]);
            let cube = Cube { mass, half_edge: 0.1, friction, restitution: 0.4, gravity: 9.81 };
            let simulation = Simulation::new(cube).unwrap().formulation(formulation);
            let mut simulation = simulation.state(q.into(), v.into()).unwrap();
            let report = simulation.run(1.0, |_: &State<Cube>| SMatrix::zeros());
            assert!(report.is_ok(), "{mass} {friction} {formulation:?}: {report:?}");
        }
    }
}

/// A bar in a plane that is askew to the world's axes, on a slope of 0.2 along it.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [1.6, 1.2, -10],
    link(first, massless), joint(along, prismatic(world -> first), axis = [0.8, 0.6, 0]),
    link(second, massless), joint(up, prismatic(first -> second), axis = [0, 0, 1]),
    link(bar, mass = 2, inertia = [0.1, 0.1, 0.1]),
    joint(turn, revolute(second -> bar), axis = [-0.6, 0.8, 0]),
    contact(left, on = bar, at = [-0.16, -0.12, 0], friction = 0.5),
    contact(right, on = bar, at = [0.16, 0.12, 0], friction = 0.5, directions = 6),
)]
struct Bar;

/// Across a plane that it cannot leave, a robot has no friction that is more than the polygon's corners ask for.
#[test]
fn undetermined_friction_is_small() -> Result<(), SimulationError> {
    let laws =
        [Formulation::stewart_trinkle(), Formulation::anitescu_potra(), Formulation::anitescu()];
    let mut small = 0;
    for (law, speed) in laws.into_iter().flat_map(|law| [0.0, 1.0].map(|speed| (law, speed))) {
        let mut simulation = Simulation::new(Bar)?.formulation(law);
        simulation = simulation.state([0.0; 3].into(), [speed, 0.0, 0.0].into())?;
        for _ in 0..50 {
            let q = simulation.current().q;
            let report = simulation.step(&SVector::zeros())?;
            assert!(report.residual.max() < 1e-12, "{law:?}: {:?}", report.residual);
            let jacobian = simulation.model().contact_jacobian(&q);
            for contact in 0..2 {
                let [normal, x, y] = simulation.impulse().local(contact).into();
                let [c, s] = [1, 2].map(|k| jacobian[(3 * contact + k, 0)]);
                let (along, across) = ((c * x + s * y).abs(), (c * y - s * x).abs());
                // A square has room for any direction up to 1/√2 of its corners' radius.
                if along < 0.7 * 0.5 * normal {
                    assert!(across < 1e-15, "{law:?} {contact}: {across:e} of {normal:e}");
                    small += 1;
                }
            }
        }
    }
    assert!(small > 150, "{small}");
    Ok(())
}

/// Two joints that run against their ends at once.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(upper, mass = 1, com = [0, 0, -1]),
    joint(shoulder, revolute(world -> upper), axis = [0, 1, 0], limits = [-1, 1]),
    link(lower, mass = 1, com = [0, 0.1, -1]),
    joint(elbow, revolute(upper -> lower), at = [0, 0, -1], axis = [0, 1, 0], limits = [-1, 1]),
    link(rotor, mass = 1, inertia = [0.1, 0.1, 0.1]),
    joint(spin, revolute(lower -> rotor), axis = [0.6, 0.8, 0]),
)]
struct Stopped;

/// What is brought to rest from v is at rest to rounding of v: limits' residuals are relative, as those of contacts are.
#[test]
fn limits_hold_relative_to_what_they_stop() -> Result<(), SimulationError> {
    for speed in [1.0, 1e4, 1e8] {
        let mut simulation = Simulation::new(Stopped)?.step_size(1e-3 / speed)?;
        simulation.reset([1.0, 1.0, 0.0].into(), [speed, 0.7 * speed, 0.3 * speed].into())?;
        for _ in 0..20 {
            let report = simulation.step(&SVector::zeros())?;
            assert!(report.residual.limits < 1e-12, "{speed:e}: {:?}", report.residual);
        }
        assert!(simulation.current().v[0] <= 1e-12 * speed, "{}", simulation.current().v);
    }
    Ok(())
}
