//! What overlaps at the beginning of a step is put right, and leaves with no speed of that.

use jourdain::contact::{AnitescuPotra, Formulation, Normal, Restitution, Softness, Todorov};
use jourdain::prelude::*;
use jourdain::space::Storage;
use nalgebra::{SVector, vector};

use crate::every_formulation;

const G: f64 = 10.0;

/// A cube on its corners.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -10],
    link(cube, box(size = [0.2, 0.2, 0.2]), mass = 2),
    joint(base, floating(world -> cube)),
    contact(a, on = cube, at = [0.1, 0.1, -0.1], friction = 0.5),
    contact(b, on = cube, at = [-0.1, 0.1, -0.1], friction = 0.5),
    contact(c, on = cube, at = [-0.1, -0.1, -0.1], friction = 0.5),
    contact(d, on = cube, at = [0.1, -0.1, -0.1], friction = 0.5),
)]
struct Cube;

/// Two balls that float without weight.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(one, mass = 2, sphere(radius = 0.1)),
    joint(first, floating(world -> one)),
    shape(of_one, on = one, sphere = 0.1, friction = 0.4),
    link(two, mass = 1, sphere(radius = 0.1)),
    joint(second, floating(world -> two)),
    shape(of_two, on = two, sphere = 0.1, friction = 0.4),
    pair(of_one, of_two),
)]
struct Balls;

/// An arm of two links with a stop and a tip above the ground.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -g],
    link(upper, mass = 1, com = [0.2, 0, 0], inertia = [0.001, 0.02, 0.02]),
    joint(shoulder, revolute(world -> upper), at = [0, 0, 0.3], axis = [0, 1, 0], limits = [-1, 1]),
    link(lower, mass = 0.5, com = [0.2, 0, 0], inertia = [0.001, 0.01, 0.01]),
    joint(elbow, revolute(upper -> lower), at = [0.4, 0, 0], axis = [0, 1, 0], limits = [-0.5, 0.5]),
    contact(tip, on = lower, at = [0.4, 0, 0], friction = 0.5),
)]
struct Arm {
    g: f64,
}

const DEPTHS: [f64; 3] = [1e-4, 1e-3, 1e-2];

/// All laws, with what they say of how overlaps are put right.
fn laws() -> Vec<Formulation> {
    let gently = AnitescuPotra::new(0.2, 1e-4).unwrap();
    let never = AnitescuPotra::new(0.0, 1e-4).unwrap();
    let mut laws = every_formulation().to_vec();
    for law in [gently, never] {
        let normal = Normal::Velocity(law);
        laws.extend([Formulation::AnitescuPotra(law), Formulation::Coulomb(normal)]);
        laws.extend([Formulation::Frictionless(normal), Formulation::Sticking(normal)]);
    }
    laws.push(Formulation::Todorov(Todorov::new(0.1, 0.005).unwrap()));
    laws
}

/// Whether it pushes out what is within it by springs.
fn is_spring(law: &Formulation) -> bool {
    matches!(law, Formulation::Todorov(_))
}

/// The largest kinetic energy and the largest T + U of a run, and T + U at its start.
fn most<M: Model + Clone>(simulation: &mut Simulation<M>, steps: usize) -> [f64; 3] {
    let model = simulation.model().clone();
    let (mut kinetic, mut whole) = (0.0_f64, f64::NEG_INFINITY);
    let start = simulation.energy();
    for _ in 0..steps {
        simulation.step(&M::U::zeros()).unwrap();
        let State { q, v, .. } = simulation.current();
        kinetic = kinetic.max(model.kinetic_energy(q, v));
        whole = whole.max(simulation.energy());
    }
    [kinetic, whole, start]
}

fn at_depth(depth: f64) -> (SVector<f64, 7>, SVector<f64, 6>) {
    (vector![0.0, 0.0, 0.1 - depth, 0.0, 0.0, 0.0, 1.0], SVector::zeros())
}

/// A cube that starts in the ground is lifted, and no higher.
#[test]
fn a_cube_in_the_ground_is_lifted_and_rests() {
    for law in laws() {
        for depth in DEPTHS {
            for (share, restitution) in [
                (1.0, Restitution::Newton),
                (0.1, Restitution::Newton),
                (1.0, Restitution::Inelastic),
                (1.0, Restitution::Poisson),
            ] {
                let is_convex = matches!(law, Formulation::Anitescu(_) | Formulation::Todorov(_));
                if is_convex && restitution == Restitution::Poisson || is_spring(&law) {
                    continue;
                }
                let (q, v) = at_depth(depth);
                let simulation = Simulation::new(Cube).unwrap().formulation(law);
                let simulation = simulation.step_size(1e-3).unwrap().restitution(restitution);
                let mut simulation = simulation.recovery(share).unwrap().state(q, v).unwrap();
                let [kinetic, whole, start] = most(&mut simulation, 300);
                let lift = 2.0 * G * depth;
                let end = simulation.current().q[2] - 0.1;
                assert!(
                    (-depth - 1e-12..1e-9).contains(&end),
                    "{law:?}, {depth}, {share}: {end:e}"
                );
                assert!(kinetic <= 1e-12, "{law:?}, {depth}, {share}: {kinetic:e} J");
                assert!(whole - start <= lift * 1.000_001, "{law:?}, {depth}, {share}");
            }
        }
    }
}

/// Todorov's springs are critically damped, but do not pull: what starts at a depth d leaves at up to d/(e κ), less what its
/// weight takes.
#[test]
fn springs_of_the_regularised_law_throw_no_faster_than_they_say() {
    for (law, time) in [(Todorov::default(), 0.02), (Todorov::new(0.1, 0.005).unwrap(), 0.005)] {
        for depth in DEPTHS {
            let (q, v) = at_depth(depth);
            let simulation = Simulation::new(Cube).unwrap().formulation(Formulation::Todorov(law));
            let mut simulation = simulation.step_size(1e-3).unwrap().state(q, v).unwrap();
            let (mut highest, mut fastest) = (f64::NEG_INFINITY, 0.0_f64);
            for _ in 0..300 {
                simulation.step(&SVector::zeros()).unwrap();
                highest = highest.max(simulation.current().q[2] - 0.1);
                fastest = fastest.max(simulation.current().v[2]);
            }
            // The spring in steps, without weight: d/(e κ) to the order of h/κ.
            let (h, share) = (1e-3, 1e-3 / time);
            let (mut place, mut speed, mut most) = (-depth, 0.0, 0.0_f64);
            for _ in 0..300 {
                speed = (1.0 - 2.0 * share) * speed - share * share * place / h;
                place += h * speed;
                most = most.max(speed);
            }
            assert!((most * std::f64::consts::E * time / depth - 1.0).abs() < share);
            assert!(fastest < most * (1.0 + 1e-9), "{law:?}, {depth}: {fastest} {most}");
            let hop = most * most / (2.0 * G);
            assert!(highest < if most < G * time { 1e-3 * depth } else { hop }, "{law:?}, {depth}");
        }
    }
}

/// Balls without weight part to where they touch, and stay there.
#[test]
fn balls_that_overlap_do_not_fly_apart() {
    for law in every_formulation().into_iter().filter(|law| !is_spring(law)) {
        for depth in DEPTHS {
            let mut q = SVector::<f64, 14>::zeros();
            (q[6], q[7], q[13]) = (1.0, 0.2 - depth, 1.0);
            let simulation = Simulation::new(Balls).unwrap().formulation(law);
            let simulation = simulation.step_size(1e-3).unwrap().recovery(1.0).unwrap();
            let mut simulation = simulation.state(q, SVector::zeros()).unwrap();
            let [kinetic, ..] = most(&mut simulation, 500);
            let end = simulation.current();
            let between = (end.q[7] - end.q[0]).hypot(end.q[8] - end.q[1]);
            assert!(kinetic <= 1e-12, "{law:?}");
            assert!((between - 0.2).abs() < 1e-9, "{law:?}, {depth}");
            // The centre of mass stays.
            assert!((2.0 * end.q[0] + end.q[7] - 0.2 + depth).abs() < 1e-12, "{law:?}");
        }
    }
}

/// A tip in the ground and a joint beyond its stop, without weight: they come out at rest.
#[test]
fn an_arm_beyond_its_stops_gains_nothing() {
    for law in every_formulation().into_iter().filter(|law| !is_spring(law)) {
        for depth in DEPTHS {
            // The elbow beyond, and the tip within as well.
            let shoulder = ((0.3 + depth) / (0.4 + 0.4 * 0.5_f64.cos())).asin() * 0.9;
            for q in [vector![-0.2, 0.5 + depth], vector![shoulder, 0.5 + depth]] {
                let arm = Arm { g: 0.0 };
                let simulation = Simulation::new(arm).unwrap().formulation(law);
                let simulation = simulation.step_size(1e-3).unwrap().recovery(1.0).unwrap();
                let mut simulation = simulation.state(q, SVector::zeros()).unwrap();
                let [kinetic, ..] = most(&mut simulation, 50);
                assert!(kinetic < 1e-12, "{law:?}, {depth}, {q:?}: {kinetic:e} J");
                assert!(simulation.current().q[1] <= 0.5 + 1e-9, "{law:?}, {depth}, {q:?}");
                assert!(simulation.gaps()[0] >= -1e-9, "{law:?}, {depth}, {q:?}");
            }
        }
    }
}

/// What is said to be a spring gives back what it stores.
#[test]
fn a_spring_gives_back_what_it_stores() {
    let (q, v) = at_depth(1e-3);
    let mut simulation = Simulation::new(Cube).unwrap().step_size(1e-4).unwrap();
    let spring = Softness::spring(5e4, 1.0, 1e-4).unwrap();
    for contact in ["a", "b", "c", "d"] {
        simulation.soften_contact(contact, Some(spring)).unwrap();
    }
    let mut simulation = simulation.state(q, v).unwrap();
    let [kinetic, ..] = most(&mut simulation, 300);
    assert!(kinetic > 0.05, "{kinetic}");
}

/// Discrete mechanics displaces what overlaps at the start as steps of velocities do.
#[test]
fn discrete_mechanics_does_not_throw_what_overlaps() {
    for depth in DEPTHS {
        for share in [1.0, 0.1] {
            let (q, v) = at_depth(depth);
            let variational = Variational::new(Cube).unwrap().step_size(1e-3).unwrap();
            let mut variational = variational.recovery(share).unwrap().state(q, v).unwrap();
            let (start, mut kinetic) = (variational.energy(), 0.0_f64);
            for _ in 0..300 {
                variational.step(&SVector::zeros()).unwrap();
                let State { q, v, .. } = variational.current();
                kinetic = kinetic.max(Cube.kinetic_energy(q, v));
            }
            let lift = variational.energy() - start;
            assert!(kinetic < 1e-9, "{depth}, {share}: {kinetic:e} J");
            assert!(lift <= 2.0 * G * depth * 1.000_001, "{depth}, {share}: {lift:e} J");
        }
    }
}
