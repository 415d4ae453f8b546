//! A prepared robot computes the same bits as the robot itself, and keeps the fields it was given.

use fastrand::Rng;
use jourdain::description::FrameId;
use jourdain::prelude::*;
use jourdain::space::Storage;
use jourdain_models::{Acrobot, CartPole, HollowBall};

/// Every quantity at one state, one after the other.
fn quantities<M: Model>(robot: &M, seed: u64) -> Vec<u64> {
    let rng = &mut Rng::with_seed(seed);
    let mut fill = |x: &mut [f64]| x.iter_mut().for_each(|x| *x = 2.0 * rng.f64() - 1.0);
    let (mut q, mut v, mut a) = (M::Q::zeros(), M::V::zeros(), M::V::zeros());
    fill(q.as_mut_slice());
    fill(v.as_mut_slice());
    fill(a.as_mut_slice());
    let mut numbers = vec![robot.kinetic_energy(&q, &v), robot.potential_energy(&q)];
    numbers.extend(robot.mass_matrix(&q).as_slice());
    numbers.extend(robot.coriolis_matrix(&q, &v).as_slice());
    numbers.extend(robot.gravity_force(&q).as_slice());
    numbers.extend(robot.bias_force(&q, &v).as_slice());
    numbers.extend(robot.inverse_dynamics(&q, &v, &a).as_slice());
    numbers.extend(robot.forward_dynamics(&q, &v, &a).as_slice());
    numbers.extend(robot.passive_force(&q, &v).as_slice());
    numbers.extend(robot.input_matrix().as_slice());
    numbers.extend(robot.center_of_mass(&q).iter());
    numbers.extend(robot.momentum(&q, &v).iter());
    let mut contacts = vec![0.0; 3 * M::NV * M::CONTACTS.len()];
    robot.contact_jacobian_into(&q, &mut contacts);
    numbers.extend(&contacts);
    numbers.extend(robot.contact_parameters().iter().map(|contact| contact.friction));
    for frame in M::FRAMES {
        let id = FrameId::<M>::named(frame.name).expect("a declared frame");
        numbers.extend(robot.frame_pose(id, &q).position.iter());
        numbers.extend(robot.frame_bias(id, ReferenceFrame::World, &q, &v).iter());
    }
    numbers.into_iter().map(f64::to_bits).collect()
}

fn prepares_alike<M: Model + Clone>(robot: &M) {
    let prepared = robot.clone().prepare();
    for seed in 0..10 {
        assert_eq!(quantities(&prepared, seed), quantities(robot, seed), "{}", M::NAME);
    }
}

const ACROBOT: Acrobot =
    Acrobot { m1: 1.2, m2: 0.7, l1: 1.1, l2: 0.9, height: 2.0, mu: 0.6, e: 0.1 };

#[test]
fn prepared_robots_compute_the_same_bits() {
    prepares_alike(&ACROBOT);
    prepares_alike(&CartPole { mc: 1.5, mp: 0.3, l: 0.7 });
    prepares_alike(&HollowBall { m: 0.6, r: 0.12, mu: 0.4, e: 0.5 });
}

#[test]
fn frames_of_a_robot_are_those_of_the_prepared_one() {
    let robot = CartPole { mc: 1.5, mp: 0.3, l: 0.7 };
    let q = robot.neutral();
    let pose = robot.prepare().frame_pose(CartPole::BOB.into(), &q);
    assert_eq!(pose, robot.frame_pose(CartPole::BOB, &q));
}

#[test]
fn a_prepared_robot_has_the_fields_it_was_prepared_with() {
    let prepared = ACROBOT.prepare();
    assert_eq!(prepared.fields(), ACROBOT.fields());
    let mut robot = prepared.into_robot();
    robot.m2 = 1.4;
    let q = robot.neutral();
    assert_ne!(robot.mass_matrix(&q), ACROBOT.mass_matrix(&q));
    assert!(prepared_mass(robot) > prepared_mass(ACROBOT));
}

fn prepared_mass(robot: Acrobot) -> f64 {
    let prepared = robot.prepare();
    prepared.mass_matrix(&prepared.neutral())[(0, 0)]
}
