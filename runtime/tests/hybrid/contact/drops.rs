//! Robots dropped at random: every run ends, energy never rises, nothing penetrates, and forces obey Coulomb's law.

use jourdain::impact::{Law, Restitution};
use jourdain::integrate::{Method, Phase};
use jourdain::prelude::*;
use nalgebra::SVector;

use super::nothing;

/// Two legs of two links each, with ends of their joints, in a plane; the second coordinate points down.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(torso, mass = 8, inertia = [0.2, 0.2, 0.2]),
    joint(base, planar(world -> torso), axis = [0, 1, 0]),
    link(thigh_f, mass = 1, com = [0, 0, -0.15], inertia = [0.01, 0.01, 0.001]),
    joint(hip_f, revolute(torso -> thigh_f), at = [0.25, 0, -0.05], axis = [0, 1, 0], actuated, limits = [-1.5, 1.5]),
    link(shank_f, mass = 0.5, com = [0, 0, -0.15], inertia = [0.005, 0.005, 0.0005]),
    joint(knee_f, revolute(thigh_f -> shank_f), at = [0, 0, -0.3], axis = [0, 1, 0], actuated, limits = [-2, 2]),
    link(thigh_b, mass = 1, com = [0, 0, -0.15], inertia = [0.01, 0.01, 0.001]),
    joint(hip_b, revolute(torso -> thigh_b), at = [-0.25, 0, -0.05], axis = [0, 1, 0], actuated, limits = [-1.5, 1.5]),
    link(shank_b, mass = 0.5, com = [0, 0, -0.15], inertia = [0.005, 0.005, 0.0005]),
    joint(knee_b, revolute(thigh_b -> shank_b), at = [0, 0, -0.3], axis = [0, 1, 0], actuated, limits = [-2, 2]),
    contact(foot_f, on = shank_f, at = [0, 0, -0.3], sphere = 0.02, friction = mu, restitution = e),
    contact(foot_b, on = shank_b, at = [0, 0, -0.3], sphere = 0.02, friction = mu, restitution = e),
)]
struct Legged {
    mu: f64,
    e: f64,
}

/// A rod of one metre in a plane.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(rod, mass = 1, inertia = [0.083, 0.083, 0.083]),
    joint(base, planar(world -> rod), axis = [0, -1, 0], passive),
    contact(tip, on = rod, at = [0, 0, -0.5], friction = mu, restitution = e),
    contact(top, on = rod, at = [0, 0, 0.5], friction = mu, restitution = e),
)]
struct Rod {
    mu: f64,
    e: f64,
}

/// What all parts of a run must obey.
pub(super) fn drop<M: Model, I: Method>(
    mut robot: HybridSimulation<M, I>,
    controller: impl Controller<M>,
    (seconds, friction): (f64, f64),
    is_passive: bool,
) {
    let mut recording = Recording::new(100.0).unwrap();
    let mut last = robot.energy();
    let outcome = robot.run_recorded(seconds, controller, &mut recording);
    assert!(outcome.is_ok(), "{} in {:?}", outcome.unwrap_err(), robot.modes());
    let mut gaps = vec![0.0; M::CONTACTS.len()];
    for sample in recording.samples() {
        let State { time, q, v } = &sample.state;
        let model = robot.model();
        model.gap_into(q, &mut gaps);
        assert!(gaps.iter().all(|gap| *gap > -1e-8), "{time}: {gaps:?}");
        let energy = model.kinetic_energy(q, v) + model.potential_energy(q);
        assert!(!is_passive || energy <= last + 1e-7, "{time}: {energy} after {last}");
        last = energy;
        for force in &sample.forces {
            let slack = 1e-9 * (1.0 + force.norm());
            assert!(force.z >= -slack, "{time}: {force:?}");
            assert!(force.x.hypot(force.y) <= friction * force.z + slack, "{time}: {force:?}");
        }
    }
}

fn legged(random: &mut fastrand::Rng) -> (SVector<f64, 7>, SVector<f64, 7>) {
    let mut number = || 2.0 * random.f64() - 1.0;
    let mut q = SVector::from([0.0, -0.9, 0.4 * number(), 0.0, 0.0, 0.0, 0.0]);
    for hip in [3, 5] {
        (q[hip], q[hip + 1]) = (0.8 * number(), -0.9 + 0.5 * number());
    }
    (q, SVector::from_fn(|_, _| 0.5 * number()))
}

#[test]
fn legs_under_control() {
    let mut random = fastrand::Rng::with_seed(1);
    let posture = SVector::<f64, 4>::from([0.5, -0.9, 0.5, -0.9]);
    let servo = move |state: &State<Legged>| {
        let (q, v) = (state.q.fixed_rows::<4>(3), state.v.fixed_rows::<4>(3));
        (posture - q) * 150.0 - v * 6.0
    };
    for e in [0.0, 0.3] {
        for _ in 0..8 {
            let (q, v) = legged(&mut random);
            let robot = HybridSimulation::new(Legged { mu: 0.8, e }).unwrap().state(q, v).unwrap();
            drop(robot, servo, (1.0, 0.8), false);
        }
    }
}

fn damper(damping: f64) -> impl Controller<Legged> {
    move |state: &State<Legged>| state.v.fixed_rows::<4>(3) * -damping
}

/// So much friction as jams them, too.
#[test]
fn limp_legs() {
    let mut random = fastrand::Rng::with_seed(2);
    for (mu, falls) in [(0.3, 5), (0.8, 12)] {
        for (damping, e) in [(0.5, 0.0), (0.5, 0.3), (0.0, 0.0), (0.0, 0.3)] {
            for _ in 0..falls {
                let (q, v) = legged(&mut random);
                let robot = HybridSimulation::new(Legged { mu, e }).unwrap();
                drop(robot.state(q, v).unwrap(), damper(damping), (1.0, mu), true);
            }
        }
    }
}

/// Feet that come to the edge of Painlevé's paradox: with forces that stay finite, and with one that does not.
#[test]
fn legs_that_jam() {
    for (e, q, v) in [
        (
            0.0,
            [
                0.0,
                -0.9,
                -0.111_870_908_730_496_86,
                -0.080_341_886_712_664_5,
                -0.871_654_759_071_530_6,
                -0.201_457_328_244_407_4,
                -0.719_494_703_440_377_9,
            ],
            [
                0.038_925_924_880_032_325,
                -0.085_860_555_161_786_03,
                -0.144_798_493_496_094_08,
                0.111_849_803_280_460_57,
                0.363_382_284_046_320_1,
                0.349_580_059_435_100_2,
                -0.029_696_795_019_930_056,
            ],
        ),
        (
            0.3,
            [
                0.0,
                -0.9,
                0.395_805_345_851_471_4,
                0.341_479_061_296_288_8,
                -0.408_365_916_470_260_1,
                0.193_580_377_125_148_58,
                -0.450_181_035_451_530_65,
            ],
            [
                0.183_665_746_293_725,
                0.346_755_874_275_516_24,
                -0.137_971_508_969_774_17,
                0.307_418_312_878_128_8,
                -0.451_355_621_479_668_7,
                -0.059_896_824_548_060_446,
                0.385_784_285_266_794,
            ],
        ),
    ] {
        let robot = HybridSimulation::new(Legged { mu: 0.8, e }).unwrap();
        let robot = robot.state(SVector::from(q), SVector::from(v)).unwrap();
        drop(robot, damper(0.5), (1.2, 0.8), true);
    }
}

/// Ends of joints that lift each other by less than is resolved come to rest, instead of doing so a hundred thousand times.
#[test]
fn ends_of_joints_do_not_chatter() {
    let q = [
        0.0,
        -0.9,
        0.215_830_183_624_086_93,
        -0.315_553_083_998_901_8,
        -0.450_980_609_859_526_26,
        0.634_687_604_896_961_4,
        -0.652_443_747_696_460_3,
    ];
    let v = [
        -0.292_518_738_707_930_44,
        -0.436_378_570_261_818_9,
        0.350_611_575_834_292_26,
        -0.166_268_357_341_587_07,
        0.001_700_069_394_380_054_9,
        0.185_505_217_189_351_42,
        0.188_667_340_874_296_93,
    ];
    let mut robot = HybridSimulation::new(Legged { mu: 0.8, e: 0.3 }).unwrap();
    robot = robot.state(SVector::from(q), SVector::from(v)).unwrap();
    robot.run(1.5, damper(0.0)).unwrap();
    assert!(robot.events().len() < 500, "{}", robot.events().len());
}

/// What impacts with friction give by Newton's law is what they say, and nothing else gives; those by Poisson's give nothing.
#[test]
fn energy_is_given_by_impacts_that_say_so() {
    for (restitution, gives) in [(Restitution::Newton, true), (Restitution::Poisson, false)] {
        let (mut random, mut most): (_, f64) = (fastrand::Rng::with_seed(5), 0.0);
        for _ in 0..12 {
            let (q, v) = legged(&mut random);
            let law = Law { restitution, ..Law::default() };
            let robot = HybridSimulation::new(Legged { mu: 0.8, e: 0.6 }).unwrap();
            let mut robot = robot.impact_law(law).unwrap().state(q, v).unwrap();
            let mut last = robot.energy();
            robot.run(1.0, damper(0.0)).unwrap();
            for event in robot.events() {
                let energy = |phase: &Phase| {
                    let q = SVector::from_column_slice(&phase.q);
                    let v = SVector::from_column_slice(&phase.v);
                    robot.model().kinetic_energy(&q, &v) + robot.model().potential_energy(&q)
                };
                assert!(energy(&event.phase_before) <= last + 1e-8, "{event:?}");
                last = energy(&event.phase_after);
                let here = robot.impacts().iter().filter(|(time, _)| *time == event.time());
                let work: f64 = here.map(|(_, impact)| impact.work).sum();
                // What is put right is lifted by no more than is resolved.
                let given = last - energy(&event.phase_before);
                assert!(given <= work + 1e-6, "{given} {work} {event:?}");
                most = most.max(work);
            }
        }
        assert!(if gives { most > 0.01 } else { most < 1e-9 }, "{restitution:?}: {most}");
    }
}

#[test]
fn rods() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut number = || 2.0 * random.f64() - 1.0;
    for (mu, e) in [(0.0, 0.0), (0.3, 0.3), (0.9, 0.0), (0.9, 0.3)] {
        for _ in 0..10 {
            let q = SVector::<f64, 3>::new(0.0, 0.9, 1.5 * number());
            let v = SVector::<f64, 3>::new(number(), number(), 3.0 * number());
            let rod = HybridSimulation::new(Rod { mu, e }).unwrap().state(q, v).unwrap();
            drop(rod, nothing, (2.0, mu), true);
        }
    }
    // Slip of the tip begins while it falls back onto its side.
    let rod = HybridSimulation::new(Rod { mu: 0.9, e: 0.4 }).unwrap();
    let q = SVector::<f64, 3>::new(0.0, 0.9, -0.124_789_069_263_822_72);
    let v =
        SVector::from([0.682_409_073_697_368_7, -0.867_712_561_352_074_2, 0.263_120_234_374_310_4]);
    drop(rod.state(q, v).unwrap(), nothing, (2.0, 0.9), true);
}
