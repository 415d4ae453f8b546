//! Random mechanisms: structs of which each is many, by its fields.

use fastrand::Rng;
use jourdain::constrained::Constrained;
use jourdain::contact::Formulation;
use jourdain::description::Chart;
use jourdain::prelude::*;
use jourdain::space::Storage;

use crate::rises::{ROUNDED, power_bound};
use crate::run::{Found, run, simulation};

include!(concat!(env!("OUT_DIR"), "/passive.rs"));

trait Visitor {
    fn visit<M: Model + Clone + From<Fields>>(&mut self, seed: u64);
}

/// Mechanisms of each struct.
const VARIATIONS: u64 = 20;
/// What a spring stores at the start at most, J.
const STORED: f64 = 1.0;
/// The first contact, and the others, at the start, m.
const CLEARANCES: [f64; 2] = [0.05, 0.3];

/// From nothing to what no step resolves.
fn drawn(rng: &mut Rng) -> Fields {
    let mut pick = |all: &[f64]| all[rng.usize(0..all.len())];
    let mut fields = [0.0; FIELDS];
    fields[DAMPING] = pick(&[0.0, 0.0, 1e-2, 1.0, 1e2, 2e4]);
    fields[STIFFNESS] = pick(&[0.0, 1.0, 1e2, 1e5]);
    fields[DRY_FRICTION] = pick(&[0.0, 0.0, 0.1, 5.0]);
    fields[RANGE] = pick(&[1.0, 1.5, 1e3]);
    fields[SPRING] = pick(&[0.0, 1.0, 1e2, 1e6]);
    fields[DAMPER] = pick(&[0.0, 1.0, 1e4]);
    fields[FRICTION] = pick(&[0.0, 0.3, 1.0]);
    fields
}

/// A start that springs, ends, ground and constraints of these fields admit, some of which are then set so.
fn start<M: Model + Clone + From<Fields>>(seed: u64, resists_turning: bool) -> (M, M::Q, M::V) {
    let rng = &mut Rng::with_seed(seed);
    let mut fields = drawn(rng);
    if resists_turning {
        (fields[TORSION], fields[ROLLING]) = (0.02, 0.005);
    }
    let mut random = |size: f64| {
        let mut v = M::V::zeros();
        v.as_mut_slice().iter_mut().for_each(|x| *x = size * (2.0 * rng.f64() - 1.0));
        v
    };
    let (displacement, v) = (random(0.6), random(1.0));
    let speed = [0.0, 1.0, 5.0][rng.usize(0..3)];
    let mut q = M::from(fields).integrate(&M::from(fields).neutral(), &displacement);
    near_rest::<M>(&fields, &mut q);
    set_springs::<M>(&mut fields, &q);
    set_range::<M>(&mut fields, &q);
    set_constraint::<M>(&mut fields, &q);
    set_ground::<M>(&mut fields, &q);
    let mut v = v;
    v.as_mut_slice().iter_mut().for_each(|v| *v *= speed);
    let robot = M::from(fields);
    if M::NC > 0 {
        (q, v) = Constrained::new(robot.clone()).project(&q, &v, 0.0).expect("a place");
    }
    (robot, q, v)
}

/// Moves coordinates on stiff springs to where these store little.
fn near_rest<M: Model + From<Fields>>(fields: &Fields, q: &mut M::Q) {
    let mut fields = *fields;
    fields[SPRING] = 0.0;
    let robot = M::from(fields);
    let (force, of) = (robot.passive_force(q, &M::V::zeros()), robot.coordinate_parameters());
    for joint in M::JOINTS.iter().filter(|joint| joint.chart == Chart::Vector) {
        for k in 0..joint.nv {
            let (force, stiffness) = (force[joint.v + k], of[joint.v + k].stiffness);
            let most = (2.0 * STORED * stiffness).sqrt();
            if force.abs() > most {
                q[joint.q + k] += (force - most.copysign(force)) / stiffness;
            }
        }
    }
}

/// Springs between points as long as they are, but for what they may store.
fn set_springs<M: Model + From<Fields>>(fields: &mut Fields, q: &M::Q) {
    let mut spans = vec![0.0; 3 * (1 + M::NV) * M::SPRINGS.len()];
    M::from(*fields).spring_spans_into(q, &mut spans);
    let stretch = (2.0 * STORED / fields[SPRING]).sqrt().min(0.5);
    for (k, span) in spans.chunks(3 * (1 + M::NV)).enumerate() {
        let length = span[..3].iter().map(|x| x * x).sum::<f64>().sqrt();
        fields[REST + k] = (length - stretch).max(0.0);
    }
}

/// Ends far away where a joint, or one that follows it, is beyond its own.
fn set_range<M: Model + From<Fields>>(fields: &mut Fields, q: &M::Q) {
    let of = M::from(*fields).coordinate_parameters();
    let beyond = M::JOINTS.iter().filter(|joint| joint.chart == Chart::Vector).any(|joint| {
        (0..joint.nv).any(|k| {
            let ([lower, upper], q) = (of[joint.v + k].position, q[joint.q + k]);
            q <= lower || q >= upper
        })
    });
    if beyond {
        fields[RANGE] = 1e3;
    }
    let mut limits = vec![0.0; M::LIMITS.len()];
    M::from(*fields).limit_into(q, &mut limits);
    limits.iter().for_each(|limit| fields[LEVEL] = 0.2 - limit);
}

/// A constraint that holds.
fn set_constraint<M: Model + From<Fields>>(fields: &mut Fields, q: &M::Q) {
    let Some(constraint) = M::CONSTRAINTS.first() else { return };
    let robot = M::from(*fields);
    if constraint.links.is_some() {
        let mut points = [0.0; 6];
        robot.constraint_points_into(q, &mut points);
        let away = if constraint.kind == "rod" { [0.4, 0.3, -0.2_f64] } else { [0.0; 3] };
        (0..3).for_each(|k| fields[PLACE + k] = points[3 + k] + away[k]);
        fields[LENGTH] = away.iter().map(|x| x * x).sum::<f64>().sqrt();
    } else {
        let mut error = [0.0];
        robot.constraint_into(q, 0.0, &mut error);
        fields[VALUE] = error[0];
    }
}

/// Ground below the contacts. What a contact has to another sphere is that sphere's radius.
fn set_ground<M: Model + From<Fields>>(fields: &mut Fields, q: &M::Q) {
    let mut gaps = vec![0.0; M::CONTACTS.len()];
    // Gaps over ground that is curved are not in proportion to its height.
    for _ in 0..20 {
        M::from(*fields).gap_into(q, &mut gaps);
        for (k, (gap, contact)) in gaps.iter().zip(M::CONTACTS).enumerate() {
            let raised = &mut fields[RAISED + k];
            *raised += gap - CLEARANCES[k.min(1)];
            if contact.other.is_some() {
                *raised = raised.max(0.0);
            }
        }
    }
}

/// The default three times as often as each other that asks for no longer time than a step.
fn formulation(k: usize) -> Formulation {
    [
        Formulation::coulomb(),
        Formulation::stewart_trinkle(),
        Formulation::coulomb(),
        Formulation::anitescu_potra(),
        Formulation::coulomb(),
        Formulation::anitescu(),
        Formulation::frictionless(),
        Formulation::sticking(),
    ][k % 8]
}

/// Runs every so many of the mechanisms for so many seconds with steps of 10, 1 and 0.1 ms.
struct Watch {
    stride: usize,
    seconds: [f64; 3],
    mechanisms: usize,
    found: Found,
}

impl Visitor for Watch {
    fn visit<M: Model + Clone + From<Fields>>(&mut self, seed: u64) {
        for variation in (0..VARIATIONS).step_by(self.stride) {
            let formulation = formulation(self.mechanisms);
            let resists_turning = formulation == Formulation::coulomb();
            let (robot, q, v) = start::<M>(1000 * seed + variation, resists_turning);
            self.mechanisms += 1;
            for (h, seconds) in [1e-2, 1e-3, 1e-4].into_iter().zip(self.seconds) {
                let mut found = run(simulation(&robot, (&q, &v), h, formulation), seconds);
                let whose = format!("{variation} by {formulation:?}");
                found.errors.iter_mut().for_each(|error| *error = format!("{whose} of {error}"));
                self.found.add(found);
            }
        }
    }
}

fn watch(stride: usize, seconds: [f64; 3]) -> Found {
    let mut watch = Watch { stride, seconds, mechanisms: 0, found: Found::default() };
    each(&mut watch);
    println!("{} mechanisms", watch.mechanisms);
    watch.found
}

#[test]
fn random_mechanisms_gain_nothing_in_a_step() {
    watch(1, [1.0, 0.05, 0.01]).assert();
}

#[test]
#[ignore = "takes minutes, and hours without optimisation"]
fn three_hundred_mechanisms_gain_nothing_in_ten_seconds() {
    watch(1, [10.0, 10.0, 1.0]).assert();
}

/// By how much T + U rises where chains move by the leapfrog.
struct Rises {
    seconds: f64,
    mechanisms: usize,
    /// Those that rise by more than weight and springs give.
    drifting: Vec<String>,
}

impl Visitor for Rises {
    fn visit<M: Model + Clone + From<Fields>>(&mut self, seed: u64) {
        for variation in 0..VARIATIONS {
            let formulation = formulation(self.mechanisms);
            let resists_turning = formulation == Formulation::coulomb();
            let (robot, q, v) = start::<M>(1000 * seed + variation, resists_turning);
            self.mechanisms += 1;
            for h in [1e-3, 5e-4] {
                let simulation = simulation(&robot, (&q, &v), h, formulation);
                let found = run(simulation.symplectic(true), self.seconds);
                let [first, second] = found.rises;
                let (c, most) = (first.max(second) / h, power_bound(found.power));
                if c > most + ROUNDED {
                    self.drifting
                        .push(format!("{} {variation}, {h} s: {c:.3} of {most:.3}", M::NAME));
                }
            }
        }
    }
}

fn watch_rises(seconds: f64) {
    let mut rises = Rises { seconds, mechanisms: 0, drifting: Vec::new() };
    each(&mut rises);
    let Rises { mechanisms, drifting, .. } = rises;
    assert!(drifting.is_empty(), "of {mechanisms}: {drifting:?}");
}

/// Weight and springs give half a step of their power, and nothing else gives anything.
#[test]
fn random_mechanisms_rise_by_half_a_step_of_their_power() {
    watch_rises(0.05);
}

#[test]
#[ignore = "takes minutes, and hours without optimisation"]
fn three_hundred_mechanisms_have_no_trend_in_ten_seconds() {
    watch_rises(10.0);
}
