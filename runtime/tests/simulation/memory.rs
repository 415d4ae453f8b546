//! What steps keep from the one before: the impulses that they start from, or nothing.

use jourdain::contact::{Formulation, Motor, Restitution};
use jourdain::prelude::*;
use jourdain::space::Storage;

const STEPS: usize = 120;
const H: f64 = 2e-3;

macro_rules! robot {
    ($name:ident, $($robot:tt)*) => {
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(gravity = [0, 0, -9.81], $($robot)*)]
        pub(crate) struct $name;
    };
}

// A body on four points, one on eight that spring back, bodies on limbs of which one has dry friction, and one on feet: steps
// solve them in as many ways, and in others where a limit acts.
robot!(
    Slab,
    link(slab, mass = 2, com = [0.02, 0.01, 0.05], inertia = [0.03, 0.04, 0.05]),
    joint(base, floating(world -> slab)),
    contact(
        corner, on = slab, friction = 0.4,
        hull = [[0.3, 0.2, 0], [0.3, -0.2, 0], [-0.3, 0.2, 0], [-0.3, -0.2, 0]]
    )
);
robot!(
    Brick,
    link(brick, mass = 1, com = [0.01, 0, 0], inertia = [0.01, 0.02, 0.025]),
    joint(base, floating(world -> brick)),
    contact(vertex, on = brick, box = [0.3, 0.2, 0.1], friction = 0.4, restitution = 0.3)
);
robot!(
    Trestle,
    link(trunk, mass = 5, com = [0.03, -0.02, 0.05], inertia = [0.05, 0.11, 0.14]),
    joint(base, floating(world -> trunk)),
    link(left, mass = 0.4, com = [0, 0, -0.1], inertia = [2e-3, 2e-3, 1e-4]),
    joint(left_hip, revolute(trunk -> left), at = [0.2, 0.1, 0], axis = [0, 1, 0], limits = [-0.1, 0.1], friction = 0.2),
    contact(left_foot, on = left, at = [0, 0.01, -0.3], friction = 0.5),
    link(right, mass = 0.6, com = [0, 0, -0.12], inertia = [3e-3, 3e-3, 1e-4]),
    joint(right_hip, revolute(trunk -> right), at = [0.2, -0.15, 0], axis = [1, 0, 0], stiffness = 30, damping = 1),
    contact(right_foot, on = right, at = [0.02, 0, -0.3], friction = 0.3),
    contact(belly, on = trunk, at = [-0.2, 0, -0.25], friction = 0.8, restitution = 0.5)
);
robot!(
    Stool,
    link(seat, mass = 4, com = [0.03, -0.02, 0.05], inertia = [0.05, 0.11, 0.14]),
    joint(base, floating(world -> seat)),
    link(left, mass = 0.4, com = [0, 0, -0.1], inertia = [2e-3, 2e-3, 1e-4]),
    joint(left_hip, revolute(seat -> left), at = [0.2, 0.1, 0], axis = [0, 1, 0], limits = [-0.1, 0.1], actuated),
    contact(left_foot, on = left, at = [0, 0.01, -0.3], friction = 0.5),
    link(right, mass = 0.6, com = [0, 0, -0.12], inertia = [3e-3, 3e-3, 1e-4]),
    joint(right_hip, revolute(seat -> right), at = [0.2, -0.15, 0], axis = [1, 0, 0], limits = [-0.1, 0.1]),
    contact(right_foot, on = right, at = [0.02, 0, -0.3], friction = 0.3),
    contact(edge, on = seat, at = [-0.2, 0, -0.25], friction = 0.8)
);
robot!(
    Tripod,
    link(trunk, mass = 9, com = [0.01, 0.02, 0], inertia = [0.1, 0.2, 0.25]),
    joint(base, floating(world -> trunk)),
    link(a, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(a_hip, universal(trunk -> a), at = [0.3, 0.1, 0], axes = [[1, 0, 0], [0, 1, 0]], stiffness = 40, damping = 1),
    contact(a_sole, on = a, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.7),
    link(b, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(b_hip, universal(trunk -> b), at = [-0.3, 0.2, 0], axes = [[1, 0, 0], [0, 1, 0]], stiffness = 40, damping = 1),
    contact(b_sole, on = b, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.6),
    link(c, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(c_hip, universal(trunk -> c), at = [0, -0.3, 0], axes = [[1, 0, 0], [0, 1, 0]], stiffness = 40, damping = 1),
    contact(c_sole, on = c, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.5)
);

/// What contact is, how it springs back, and the share of a penetration that is put right.
type Laws = (Formulation, Restitution, f64);

/// A robot that is dropped askew from where its lowest contact is above ground.
fn dropped<M: Model + Clone>(robot: &M, laws: Laws) -> Result<Simulation<M>, SimulationError> {
    let mut v = M::V::zeros();
    v.as_mut_slice()[..6].copy_from_slice(&[0.4, -0.2, 0.0, 0.5, 0.3, -0.2]);
    let mut q = robot.integrate(&robot.neutral(), &v.clone());
    let mut gaps = vec![0.0; M::CONTACTS.len()];
    robot.gap_into(&q, &mut gaps);
    q.as_mut_slice()[2] += 1e-3 - gaps.iter().copied().fold(f64::INFINITY, f64::min);
    let simulation = Simulation::new(robot.clone())?.step_size(H)?.formulation(laws.0);
    simulation.restitution(laws.1).recovery(laws.2)?.state(q, v)
}

/// How many iterations steps take that start from impulses, and from none, of which each is bit for bit that of a simulation
/// that has done no other, `None` if a law is not offered.
fn iterations<M: Model + Clone>(robot: &M, laws: Laws) -> Option<[usize; 2]> {
    let input = M::U::zeros();
    let mut warm = match dropped(robot, laws) {
        Err(SimulationError::Setup(_)) => return None,
        offered => offered.unwrap(),
    };
    let mut cold = warm.clone().warm_start(false);
    let mut total = [0; 2];
    for _ in 0..STEPS {
        let State { q, v, .. } = cold.current().clone();
        let mut alone = dropped(robot, laws).unwrap().state(q, v).unwrap();
        let report = cold.step(&input).unwrap();
        assert_eq!(report, alone.step(&input).unwrap(), "{laws:?}");
        assert_eq!(cold.impulse(), alone.impulse(), "{laws:?}");
        let [of_cold, of_alone] = [&cold, &alone].map(Simulation::current);
        assert_eq!(of_cold.q.as_slice(), of_alone.q.as_slice(), "{laws:?}");
        assert_eq!(of_cold.v.as_slice(), of_alone.v.as_slice(), "{laws:?}");
        total[0] += warm.step(&input).unwrap().outcome.pivots;
        total[1] += report.outcome.pivots;
    }
    Some(total)
}

#[test]
fn steps_without_a_start_know_their_state_alone() {
    let (mut compared, mut faster, mut totals) = (0, 0, [0; 2]);
    for formulation in super::every_formulation() {
        for (restitution, share) in
            [(Restitution::Newton, 1.0), (Restitution::Newton, 0.8), (Restitution::Poisson, 1.0)]
        {
            let laws = (formulation, restitution, share);
            let bodies = [iterations(&Slab, laws), iterations(&Brick, laws)];
            let legged =
                [iterations(&Trestle, laws), iterations(&Stool, laws), iterations(&Tripod, laws)];
            for [warm, cold] in bodies.into_iter().chain(legged).flatten() {
                compared += 1;
                faster += usize::from(warm <= cold);
                totals = [totals[0] + warm, totals[1] + cold];
            }
        }
    }
    // Newton's method takes few iterations from nothing, too.
    assert!(10 * faster > 9 * compared, "{faster}");
    let [warm, cold] = totals;
    // Cold steps took 52 058 iterations before redundant contacts that slide were solved from nothing.
    assert!(warm < 37_000 && cold < 48_000 && 5 * warm < 4 * cold, "{warm} {cold}");
    // Convex forms have no restitution by Poisson's law.
    assert_eq!(compared, 5 * (3 * 8 - 3));
}

/// Neither demands nor softness stay when the law is another one.
#[test]
fn a_change_of_law_leaves_nothing_behind() {
    change_laws(&Slab);
    change_laws(&Brick);
    change_laws(&Stool);
    change_laws(&Tripod);
}

fn change_laws<M: Model + Clone>(robot: &M) {
    let laws = [Formulation::todorov(), Formulation::coulomb(), Formulation::stewart_trinkle()];
    let start = |law| dropped(robot, (law, Restitution::Newton, 1.0)).unwrap();
    let mut simulation = start(laws[0]).warm_start(false);
    for k in 0..STEPS {
        let law = laws[k / 7 % laws.len()];
        simulation.set_formulation(law).unwrap();
        let State { q, v, .. } = simulation.current().clone();
        let mut alone = start(law).state(q, v).unwrap();
        let reports = [&mut simulation, &mut alone].map(|of| of.step(&M::U::zeros()).unwrap());
        assert_eq!(reports[0], reports[1], "{k}");
        let [v, expected] = [simulation.current(), alone.current()].map(|state| state.v.as_slice());
        assert_eq!(v, expected, "{k}");
    }
}

/// A servo without bound is part of the motion without impulses; its impulse goes when it does.
#[test]
fn a_motor_that_is_gone_leaves_no_impulse() {
    for is_warm in [true, false] {
        let laws = (Formulation::coulomb(), Restitution::Newton, 1.0);
        let mut simulation = dropped(&Stool, laws).unwrap().warm_start(is_warm);
        let motor = Motor::Servo {
            position: 0.05,
            velocity: 0.0,
            stiffness: 1e3,
            damping: 10.0,
            force: f64::INFINITY,
        };
        for k in 0..STEPS {
            simulation.set_motor("left_hip", (k % 3 == 0).then_some(motor)).unwrap();
            simulation.step(&[0.0].into()).unwrap();
            let is_driven = simulation.impulse().motors.iter().any(|impulse| *impulse != 0.0);
            assert_eq!(is_driven, k % 3 == 0, "{k}");
        }
    }
}

/// What slips goes on at first, wherever joints would drive a foot that nothing holds.
#[test]
fn steps_without_a_start_expect_the_slip_to_go_on() {
    robot!(
        Stand,
        link(seat, mass = 4, com = [0.03, -0.02, 0.05], inertia = [0.05, 0.11, 0.14]),
        joint(base, floating(world -> seat)),
        link(left, mass = 0.4, com = [0, 0, -0.1], inertia = [2e-3, 2e-3, 1e-4]),
        joint(left_hip, revolute(seat -> left), at = [0.2, 0.1, 0], axis = [0, 1, 0], stiffness = 400, damping = 4),
        contact(left_foot, on = left, at = [0, 0, -0.3], friction = 0.5),
        link(right, mass = 0.6, com = [0, 0, -0.12], inertia = [3e-3, 3e-3, 1e-4]),
        joint(right_hip, revolute(seat -> right), at = [0.2, -0.15, 0], axis = [1, 0, 0], stiffness = 400, damping = 4),
        contact(right_foot, on = right, at = [0, 0, -0.3], friction = 0.3),
        link(back, mass = 0.4, com = [0, 0, -0.1], inertia = [2e-3, 2e-3, 1e-4]),
        joint(back_hip, revolute(seat -> back), at = [-0.2, 0, 0], axis = [0, 1, 0], stiffness = 400, damping = 4),
        contact(back_foot, on = back, at = [0, 0, -0.3], friction = 0.4)
    );
    let mut q = Stand.neutral();
    q[2] = 0.3;
    let mut v = <Stand as Model>::V::zeros();
    v.as_mut_slice()[..2].copy_from_slice(&[0.8, 0.6]);
    let simulation = Simulation::new(Stand).unwrap().step_size(H).unwrap();
    let mut simulation = simulation.state(q, v).unwrap().warm_start(false);
    let mut iterations = 0;
    for _ in 0..STEPS {
        iterations += simulation.step(&[].into()).unwrap().outcome.pivots;
    }
    // From sticking it would be more than seven a step.
    assert!(iterations < 5 * STEPS, "{iterations}");
}
