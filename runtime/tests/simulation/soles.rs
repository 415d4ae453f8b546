//! Feet with several contacts each, solved for the velocities of the feet, against the same robots with dense matrices.

use jourdain::contact::{
    AnitescuPotra, Formulation, Normal, Softness, Solver, Transition, residual,
};
use jourdain::prelude::*;
use jourdain::space::Storage;

use crate::every_formulation;
use crate::numbers::Numbers;

const STATES: usize = 300;
const H: f64 = 1e-2;
/// Of the lowest corner, m.
const PENETRATION: f64 = 1e-4;
/// By how much velocities differ at most that are the same, m/s and rad/s: solvers stop at residuals of 1e-10, which legs
/// that are nearly straight turn into more; and motion under Coulomb's law is not always unique.
const SAME: f64 = 1e-7;
/// What is asked for: every formulation, then Coulomb's law where a contact gives way, and where it demands a velocity.
const SOFT: usize = 8;
const KINDS: usize = SOFT + 2;

/// A robot, and the same beside a weight on a rail whose declared constraint makes all matrices dense.
macro_rules! pair {
    ($name:ident, $dense:ident, $($robot:tt)*) => {
        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(gravity = [0, 0, -9.81], $($robot)*)]
        pub(crate) struct $name;

        #[derive(Robot, Clone, Copy, Debug)]
        #[robot(
            gravity = [0, 0, -9.81],
            $($robot)*,
            link(weight, mass = 1),
            joint(rail, prismatic(world -> weight), axis = [1, 0, 0]),
            constraint(stop, h = rail),
        )]
        struct $dense;
    };
}

// Two legs with knees, each of six coordinates; a foot of four points, and one of five.
pair!(
    Biped, DenseBiped,
    link(trunk, mass = 20, com = [0.01, 0.02, 0.2], inertia = [0.8, 0.7, 0.3]),
    joint(base, floating(world -> trunk)),
    link(left_hip, mass = 1, com = [0, 0, -0.02], inertia = [4e-3, 5e-3, 6e-3]),
    joint(left_ball, spherical(trunk -> left_hip), at = [0, 0.1, 0]),
    link(left_shank, mass = 2, com = [0, 0, -0.2], inertia = [3e-2, 3e-2, 4e-3]),
    joint(left_knee, revolute(left_hip -> left_shank), at = [0, 0, -0.4], axis = [0, 1, 0]),
    link(left_ankle, mass = 0.3, com = [0, 0, 0], inertia = [1e-3, 1e-3, 1e-3]),
    joint(left_pitch, revolute(left_shank -> left_ankle), at = [0, 0, -0.4], axis = [0, 1, 0]),
    link(left_foot, mass = 0.8, com = [0.03, 0, -0.05], inertia = [2e-3, 4e-3, 4e-3]),
    joint(left_roll, revolute(left_ankle -> left_foot), axis = [1, 0, 0]),
    link(right_hip, mass = 1.1, com = [0, 0, -0.02], inertia = [4e-3, 5e-3, 6e-3]),
    joint(right_ball, spherical(trunk -> right_hip), at = [0, -0.1, 0]),
    link(right_shank, mass = 2, com = [0, 0, -0.2], inertia = [3e-2, 3e-2, 4e-3]),
    joint(right_knee, revolute(right_hip -> right_shank), at = [0, 0, -0.4], axis = [0, 1, 0]),
    link(right_ankle, mass = 0.3, com = [0, 0, 0], inertia = [1e-3, 1e-3, 1e-3]),
    joint(right_pitch, revolute(right_shank -> right_ankle), at = [0, 0, -0.4], axis = [0, 1, 0]),
    link(right_foot, mass = 0.8, com = [0.03, 0, -0.05], inertia = [2e-3, 4e-3, 4e-3]),
    joint(right_roll, revolute(right_ankle -> right_foot), axis = [1, 0, 0]),
    contact(left_heel_out, on = left_foot, at = [-0.08, 0.05, -0.08], friction = 0.6),
    contact(left_heel_in, on = left_foot, at = [-0.08, -0.05, -0.08], friction = 0.6),
    contact(left_toe_out, on = left_foot, at = [0.14, 0.05, -0.08], friction = 0.5),
    contact(left_toe_in, on = left_foot, at = [0.14, -0.05, -0.08], friction = 0.5),
    contact(right_heel_out, on = right_foot, at = [-0.08, 0.05, -0.08], friction = 0.6),
    contact(right_heel_in, on = right_foot, at = [-0.08, -0.05, -0.08], friction = 0.6),
    contact(right_toe_out, on = right_foot, at = [0.14, 0.05, -0.08], friction = 0.7),
    contact(right_toe_in, on = right_foot, at = [0.14, -0.05, -0.08], friction = 0.7),
    contact(right_tip, on = right_foot, at = [0.16, 0, -0.08], friction = 0.4)
);

// Three and four legs with hip and knee, on feet that are boxes: none can turn a foot by itself as it likes.
pair!(
    Tripod, DenseTripod,
    link(trunk, mass = 9, com = [0.01, 0.02, 0], inertia = [0.1, 0.2, 0.25]),
    joint(base, floating(world -> trunk)),
    link(a, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(a_hip, universal(trunk -> a), at = [0.3, 0.1, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    contact(a_sole, on = a, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.7),
    link(b, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(b_hip, universal(trunk -> b), at = [-0.3, 0.2, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    contact(b_sole, on = b, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.6),
    link(c, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(c_hip, universal(trunk -> c), at = [0, -0.3, 0], axes = [[1, 0, 0], [0, 1, 0]]),
    contact(c_sole, on = c, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.5)
);
pair!(
    Table, DenseTable,
    link(trunk, mass = 9, com = [0.01, 0.02, 0], inertia = [0.1, 0.2, 0.25]),
    joint(base, floating(world -> trunk)),
    link(a, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(a_hip, revolute(trunk -> a), at = [0.3, 0.2, 0], axis = [0, 1, 0]),
    contact(a_sole, on = a, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.7),
    link(b, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(b_hip, revolute(trunk -> b), at = [-0.3, 0.2, 0], axis = [0, 1, 0]),
    contact(b_sole, on = b, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.6),
    link(c, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(c_hip, revolute(trunk -> c), at = [0.3, -0.2, 0], axis = [0, 1, 0]),
    contact(c_sole, on = c, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.5),
    link(d, mass = 1, com = [0, 0, -0.1], inertia = [5e-3, 5e-3, 1e-3]),
    joint(d_hip, revolute(trunk -> d), at = [-0.3, -0.2, 0], axis = [0, 1, 0]),
    contact(d_sole, on = d, at = [0, 0, -0.3], box = [0.08, 0.06, 0.02], friction = 0.5)
);

/// Standing nearly upright, at times with straight legs, with a motion in which some corners stick, others slide or part.
pub(crate) fn state<M: Model>(model: &M, numbers: &mut Numbers) -> (M::Q, M::V) {
    let mut q = model.neutral();
    let askew = [0.0, 0.003][numbers.below(2)];
    let turn = M::V::zeros().as_slice().iter().map(|_| askew * numbers.next()).collect::<Vec<_>>();
    let mut by = M::V::zeros();
    by.as_mut_slice().copy_from_slice(&turn);
    q = model.integrate(&q, &by);
    let mut gaps = vec![0.0; M::CONTACTS.len()];
    model.gap_into(&q, &mut gaps);
    q[2] -= PENETRATION + gaps.into_iter().fold(f64::INFINITY, f64::min);
    let speed = [0.3, 0.02][numbers.below(2)];
    let mut v = M::V::zeros();
    v.as_mut_slice().iter_mut().for_each(|v| *v = speed * numbers.next());
    v[2] -= speed;
    (q, v)
}

/// A simulation from a state, by one of several laws.
fn simulation<M: Model + Clone>(model: &M, (q, v): (M::Q, M::V), kind: usize) -> Simulation<M> {
    let formulation = match every_formulation().get(kind) {
        Some(formulation) => *formulation,
        None if kind == SOFT => Formulation::coulomb(),
        None => Formulation::Coulomb(Normal::Velocity(AnitescuPotra::default())),
    };
    let simulation = Simulation::new(model.clone()).unwrap().formulation(formulation);
    let mut simulation = simulation.step_size(H).unwrap().recovery(1.0).unwrap();
    if kind == SOFT {
        let softness = Softness::new(0.3, 1e-4).unwrap();
        simulation.soften_contact(M::CONTACTS[1].name, Some(softness)).unwrap();
    }
    simulation.state(q, v).unwrap()
}

/// The residual by the definition of the law.
fn audit<M: Model + Clone>(simulation: &Simulation<M>, (q, v): (&M::Q, &M::V)) -> f64 {
    let step = Transition {
        conditions: simulation.conditions(),
        time: 0.0,
        step_size: H,
        q,
        v,
        force: &M::V::zeros(),
        v_next: &simulation.current().v,
        impulse: simulation.impulse(),
    };
    residual(simulation.model(), &step).max()
}

/// Steps of a robot on so many feet, audited, and beside those by dense matrices.
fn compare<M: Model + Clone, D: Model + Clone>(model: &M, dense: &D, bodies: usize) {
    assert_eq!(M::HUBS.iter().max().map(|most| most + 1), Some(bodies), "{}", M::NAME);
    let numbers = &mut Numbers(7);
    let (mut worst, mut same, mut several, mut by_feet_alone) = (0.0_f64, 0, 0, [0; KINDS]);
    for k in 0..STATES {
        let ((q, v), kind) = (state(model, numbers), k % KINDS);
        let mut both = (D::Q::zeros(), D::V::zeros());
        both.0.as_mut_slice()[..M::NQ].copy_from_slice(q.as_slice());
        both.1.as_mut_slice()[..M::NV].copy_from_slice(v.as_slice());
        let mut by_feet = simulation(model, (q.clone(), v.clone()), kind);
        let solver = by_feet.step(&M::U::zeros()).unwrap().outcome.solver;
        by_feet_alone[kind] += usize::from(solver == Solver::SideBySide);
        let residual = audit(&by_feet, (&q, &v));
        assert!(residual <= 1e-9, "{} {kind}: {residual:e}", M::NAME);
        worst = worst.max(residual);
        let mut densely = simulation(dense, both, kind);
        densely.step(&D::U::zeros()).unwrap();
        let pairs = by_feet.current().v.as_slice().iter().zip(densely.current().v.as_slice());
        let error = pairs.fold(0.0, |most: f64, (x, y)| most.max((x - y).abs()));
        same += usize::from(error <= SAME);
        let pressed = by_feet.impulse().normal.iter().filter(|normal| **normal > 0.0);
        several += usize::from(pressed.count() > 3);
    }
    println!("{}: residual {worst:.1e}, {same} the same, {several} on several", M::NAME);
    assert!(same > STATES * 9 / 10 && several > STATES / 3, "{}: {same} {several}", M::NAME);
    let enough = by_feet_alone.iter().all(|count| *count > STATES / KINDS / 6);
    assert!(enough, "{}: {by_feet_alone:?}", M::NAME);
}

#[test]
fn feet_move_as_by_dense_matrices() {
    compare(&Biped, &DenseBiped, 2);
    compare(&Tripod, &DenseTripod, 3);
    compare(&Table, &DenseTable, 4);
}
