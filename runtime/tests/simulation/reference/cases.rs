//! Random steps: robots, masses, states, forces and conditions.

use jourdain::contact::{
    Anitescu, AnitescuPotra, Conditions, Cone, Formulation, Motor, Normal, Stepper, Todorov,
};
use jourdain::description::Chart;
use jourdain::nalgebra::SVector;
use jourdain::prelude::*;
use jourdain::space::Storage;

use super::Case;
use super::problem::Start;
use super::tally::Tally;
use crate::coordinates::{self, Rows, Rubbing};
use crate::memory::Slab;
use crate::numbers::Numbers;
use crate::robots::Anything;
use crate::soles::{self, Biped};

/// Steps of one robot with the same masses.
const EACH: usize = 8;

// A trunk in a plane, on a leg to its side and one with a knee: six contacts, three joints with ends and dry friction.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(first, massless),
    joint(along, prismatic(world -> first), axis = [1, 0, 0]),
    link(second, massless),
    joint(up, prismatic(first -> second), axis = [0, 0, 1]),
    link(trunk, mass = m, com = [0.02, 0.01, 0.05], inertia = [m * 0.02, m * 0.03, m * 0.04]),
    joint(pitch, revolute(second -> trunk), axis = [0, 1, 0]),
    contact(tail, on = trunk, at = [-0.4, 0, -0.3], friction = mu, restitution = e),
    contact(nose, on = trunk, at = [0.5, 0.1, -0.3], friction = mu * 0.7, directions = 8),
    link(side, mass = l, com = [0, 0, -0.1], inertia = [l * 0.02, l * 0.02, l * 0.01]),
    joint(side_hip, revolute(trunk -> side), at = [0.2, 0.15, 0], axis = [1, 0, 0],
        friction = dry, limits = [-0.02, 0.02]),
    contact(side_heel, on = side, at = [-0.05, 0, -0.3], friction = mu, directions = 6),
    contact(side_toe, on = side, at = [0.1, 0.02, -0.3], friction = mu),
    link(thigh, mass = l, com = [0, 0, -0.05], inertia = [l * 0.01, l * 0.01, l * 0.01]),
    joint(hip, revolute(trunk -> thigh), at = [-0.2, -0.1, 0], axis = [0, 1, 0],
        friction = dry * 0.3, limits = [-0.02, 0.02]),
    link(shank, mass = s, com = [0, 0, -0.08], inertia = [s * 0.01, s * 0.01, s * 0.005]),
    joint(knee, revolute(thigh -> shank), at = [0, 0, -0.15], axis = [0, 1, 0],
        friction = dry * 0.1, limits = [-0.02, 0.02]),
    contact(heel, on = shank, at = [-0.04, 0, -0.15], friction = mu * 1.5, restitution = e),
    contact(toe, on = shank, at = [0.06, 0.01, -0.15], friction = mu, directions = 6),
)]
pub(super) struct Tree {
    pub(super) m: f64,
    pub(super) l: f64,
    pub(super) s: f64,
    pub(super) mu: f64,
    pub(super) e: f64,
    pub(super) dry: f64,
}

/// What is drawn of formulations: all, or all but the last one. Infinite friction takes up to a tenth of a second for a step of
/// trees and dense matrices, and on nine contacts the reference has 512 sets to try.
const ALL: usize = 8;
const MOST: usize = 7;

/// Steps of all robots: trees of any masses, dense matrices, one body, limbs on a base without and with a declared constraint,
/// and feet, each of which has a solver of its own.
pub(super) fn all(tally: &mut Tally) {
    let numbers = &mut Numbers(17);
    for _ in 0..3600 / EACH {
        let tree = tree(numbers);
        some(&tree, (EACH, MOST), (numbers, tally), tree_state);
    }
    for _ in 0..3600 / EACH {
        let any = anything(numbers);
        some(&any, (EACH, MOST), (numbers, tally), any_state);
    }
    some(&Slab, (1600, ALL), (numbers, tally), soles::state);
    let rubbing = |_: &Rubbing, numbers: &mut Numbers| lowered(coordinates::state(numbers));
    some(&Rubbing, (1600, ALL), (numbers, tally), rubbing);
    some(&Rows, (320, ALL), (numbers, tally), |_, numbers| {
        let (q, v) = lowered(coordinates::state(numbers));
        (q.push(1e-5 * numbers.next()), v.push(numbers.next()))
    });
    some(&Biped, (240, MOST), (numbers, tally), soles::state);
}

/// Some steps of a robot, from the impulses of the last one or from nothing.
fn some<M: Model>(
    model: &M,
    (count, kinds): (usize, usize),
    (numbers, tally): (&mut Numbers, &mut Tally),
    state: impl Fn(&M, &mut Numbers) -> (M::Q, M::V),
) {
    let mut stepper = Stepper::new(model).unwrap();
    for _ in 0..count {
        let kind = numbers.below(kinds);
        let h = [1e-2, 1e-3][numbers.below(2)];
        let ((q, v), conditions) = (state(model, numbers), conditions::<M>(model, kind, numbers));
        let force = force(model, &q, numbers);
        if numbers.below(2) == 0 {
            stepper.forget();
        }
        let start = Start { q: &q, v: &v, force: &force, h };
        let case = Case { model, start, conditions: &conditions };
        tally.add(kind, case.judge(&mut stepper, numbers));
    }
}

/// None, or accelerations of 10 m/s² and 10 rad/s² at most, if each coordinate were alone.
fn force<M: Model>(model: &M, q: &M::Q, numbers: &mut Numbers) -> M::V {
    let (mass, strength) = (model.mass_matrix(q), [0.0, 10.0][numbers.below(2)]);
    let mut force = M::V::zeros();
    for (k, force) in force.as_mut_slice().iter_mut().enumerate() {
        *force = strength * numbers.next() * mass.as_slice()[(M::NV + 1) * k];
    }
    force
}

/// Lower by 10⁻¹¹ m: where a law begins to demand something, rounding of a gap would decide.
fn lowered<V>((mut q, v): (SVector<f64, 11>, V)) -> (SVector<f64, 11>, V) {
    q[2] -= 1e-11;
    (q, v)
}

/// From a thousandth to a thousand.
fn magnitude(numbers: &mut Numbers) -> f64 {
    10.0_f64.powf(3.0 * numbers.next())
}

pub(super) fn tree(numbers: &mut Numbers) -> Tree {
    let [m, l, s] = [0; 3].map(|_| magnitude(numbers));
    let (m, l, s) = if numbers.below(2) == 0 { (3.0, 0.5, 0.3) } else { (m, l, s) };
    Tree {
        m,
        l,
        s,
        mu: [0.0, 0.3, 0.8, 3.0][numbers.below(4)],
        e: [0.0, 0.0, 0.5][numbers.below(3)],
        dry: [0.0, 2.0][numbers.below(2)] * (m + l),
    }
}

/// The lowest point on the ground, within it or above it, joints about their ends, at rest or not.
pub(super) fn tree_state(
    tree: &Tree,
    numbers: &mut Numbers,
) -> (<Tree as Model>::Q, <Tree as Model>::V) {
    let mut q = <Tree as Model>::Q::zeros();
    let tilt = [0.0, 0.003][numbers.below(2)];
    let bend = [0.0, 0.003, 0.0201][numbers.below(3)];
    q[2] = tilt * numbers.next();
    (3..6).for_each(|k| q[k] = bend * numbers.next());
    let mut gaps = [0.0; 6];
    tree.gap_into(&q, &mut gaps);
    // Not to rounding where a law begins to demand something.
    let height = [-1e-11, 3e-5, -3e-5][numbers.below(3)];
    q[1] = height - gaps.into_iter().fold(f64::INFINITY, f64::min);
    let speed = [1.0, 0.1, 0.0][numbers.below(3)];
    let mut v = <Tree as Model>::V::from_fn(|_, _| speed * numbers.next());
    v[1] -= 0.5 * speed;
    (q, v)
}

fn anything(numbers: &mut Numbers) -> Anything {
    let spread = [0.0, 2.5][numbers.below(2)];
    let sizes = [0; 6].map(|_| 10.0_f64.powf(spread * 0.5 * (numbers.next() + 1.0)));
    let mut jacobian = [0.0; 72].map(|_: f64| numbers.next());
    if numbers.below(3) == 0 {
        // Two contacts at the same place.
        (0..6).for_each(|j| jacobian.copy_within(12 * j..12 * j + 3, 12 * j + 3));
    }
    Anything {
        root: std::array::from_fn(|k| sizes[k / 6] * numbers.next()),
        jacobian,
        gap: [0.0; 4].map(|_: f64| [0.0, 1e-3, -1e-4][numbers.below(3)] * numbers.next().abs()),
        friction: [0.0, 0.3, 0.8, 1.5][numbers.below(4)],
        restitution: [0.5, 0.0][numbers.below(6).min(1)],
        range: [0.9, f64::INFINITY][numbers.below(2)],
        dry_friction: [0.0, 2.0][numbers.below(2)],
    }
}

fn any_state(
    any: &Anything,
    numbers: &mut Numbers,
) -> (<Anything as Model>::Q, <Anything as Model>::V) {
    let at = |numbers: &mut Numbers| match numbers.below(3) {
        0 if any.range < 1.0 => any.range.copysign(numbers.next()),
        _ => 0.89 * numbers.next(),
    };
    let q = <Anything as Model>::Q::from_fn(|_, _| at(numbers));
    let speed = [1.0, 0.1, 0.0][numbers.below(3)];
    (q, <Anything as Model>::V::from_fn(|_, _| speed * numbers.next()))
}

/// A formulation with random parameters, and motors of all kinds.
fn conditions<M: Model>(model: &M, kind: usize, numbers: &mut Numbers) -> Conditions {
    let mut conditions = Conditions::of(formulation(kind, numbers));
    conditions.free_rotation = false;
    if numbers.below(2) == 0 {
        return conditions;
    }
    let coordinates = model.coordinate_parameters();
    for joint in M::JOINTS.iter().filter(|joint| joint.chart == Chart::Vector) {
        let v = joint.v + numbers.below(joint.nv);
        let is_free = M::NC == 0 && coordinates.as_slice()[v].position[1] == f64::INFINITY;
        conditions.motors.extend(motor(is_free, numbers).map(|motor| (v, motor)));
    }
    conditions
}

fn formulation(kind: usize, numbers: &mut Numbers) -> Formulation {
    let share = [1.0, 0.2, 0.0][numbers.below(3)];
    let velocity = AnitescuPotra::new(share, [1e-5, 0.0, 1e-3][numbers.below(3)]).unwrap();
    let normal = [Normal::Gap, Normal::Velocity(velocity)][numbers.below(2)];
    let margin = [1e-2, 1e-4][numbers.below(2)];
    let constant = [0.02, 0.2][numbers.below(2)];
    let todorov = Todorov::new([1e-3, 0.1, 1e-5][numbers.below(3)], constant).unwrap();
    let todorov = todorov.margin([0.0, 1e-3][numbers.below(2)]).unwrap();
    match kind {
        0 => Formulation::StewartTrinkle,
        1 => Formulation::AnitescuPotra(velocity),
        2 => Formulation::Anitescu(Anitescu::new(margin).unwrap()),
        3 => Formulation::Todorov(todorov),
        4 => Formulation::Todorov(todorov.cone(Cone::Pyramid)),
        5 => Formulation::Coulomb(normal),
        6 => Formulation::Frictionless(normal),
        _ => Formulation::Sticking(normal),
    }
}

/// A motor, if any. Beside an end of a joint, what drives without bound may have no solution.
fn motor(is_free: bool, numbers: &mut Numbers) -> Option<Motor> {
    let force = [0.5, 20.0][numbers.below(2)];
    let position = 0.03 * numbers.next();
    let servo =
        |stiffness, force| Motor::Servo { position, velocity: 0.0, stiffness, damping: 0.5, force };
    match numbers.below(8) {
        0 => Some(Motor::Velocity { velocity: numbers.next(), force }),
        1 => Some(Motor::Position { position, reduction: 0.2, force }),
        2 => Some(servo([0.0, 50.0, 1e5][numbers.below(3)], force)),
        3 => Some(servo(50.0, f64::INFINITY)),
        4 if is_free => Some(Motor::Velocity { velocity: 0.1, force: f64::INFINITY }),
        _ => None,
    }
}

/// Contacts of which some slide in the limit of infinite friction: that no more of them can stick is seen without long searches.
#[test]
fn infinite_friction_takes_few_iterations() {
    let tree = Tree { m: 3.0, l: 0.5, s: 0.3, mu: 3.0, e: 0.0, dry: 7.0 };
    let q =
        [0.0, 0.300082, 0.0, -0.0026532843550886227, 0.00044074580115957443, -0.001439179188997611];
    let v = [
        0.7561385822995923,
        -0.4686662963374564,
        0.8793729462902589,
        -0.8302837193326982,
        -0.27059054684639183,
        -0.6741754812971088,
    ];
    let force = [-36.8, 2.6, 1.6, 0.015, -0.1, 6e-6];
    let (q, v, force) = (&q.into(), &v.into(), &force.into());
    let conditions = &Conditions::of(Formulation::sticking());
    let mut stepper = Stepper::new(&tree).unwrap();
    let outcome = stepper.step(&tree, (q, v), force, (0.0, 1e-3), conditions).unwrap();
    assert!(outcome.pivots < 12_000, "{outcome:?}");
    assert!(stepper.residual(1e-3, conditions).max() <= 1e-10);
}

/// A knee that rubs with 1.2 N s on a shank of 2.5 g: without impulses the foot would have 2 km/s, by which nothing may be judged.
#[test]
fn beside_what_is_light_a_step_is_what_its_audit_says() {
    let tree = Tree {
        m: 556.0880576969431,
        l: 44.66936992321758,
        s: 0.0024975085770182195,
        mu: 0.8,
        e: 0.5,
        dry: 1201.5148552403214,
    };
    let q = [
        0.0,
        0.3011551042377125,
        -0.0004650232723368717,
        -0.012809869338716017,
        0.006192072685298029,
        0.011905129841974817,
    ];
    let force = [
        4516.279894018712,
        -1608.446649601664,
        168.39027561569466,
        11.874141571889739,
        1.7812300373471517,
        0.0002253682576883002,
    ];
    let (q, v, force) = (&q.into(), &SVector::zeros(), &force.into());
    let law = Todorov::new(1e-5, 0.02).unwrap().margin(1e-3).unwrap();
    let conditions = &Conditions::of(Formulation::Todorov(law));
    let mut stepper = Stepper::new(&tree).unwrap();
    let start = Start { q, v, force, h: 1e-2 };
    stepper.step(&tree, (q, v), force, (0.0, start.h), conditions).unwrap();
    let case = Case { model: &tree, start, conditions };
    let audit = case.audit(stepper.velocity().as_slice(), stepper.impulse());
    assert!(audit <= 1e-10, "{audit:e}");
}
