//! What several descriptions in a world do is what one description of all does.

use jourdain::contact::Ground;
use jourdain::prelude::*;
use jourdain::world::{Body, BodyId, RobotId};
use nalgebra::{SVector, vector};

/// Two fingers that slide towards each other, with springs and dry friction.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(palm, mass = 1.5),
    joint(lift, prismatic(world -> palm), at = [0, 0, 0.3], axis = [0, 0, 1], limits = [-0.5, 0.5], friction = 2),
    link(left, mass = 0.2, inertia = [1e-4, 1e-4, 1e-4]),
    joint(close_left, prismatic(palm -> left), axis = [1, 0, 0], damping = 1),
    link(right, mass = 0.3, inertia = [1e-4, 1e-4, 1e-4]),
    joint(close_right, prismatic(palm -> right), axis = [-1, 0, 0], damping = 1, friction = 0.5),
    shape(left_pad, on = left, box = [0.02, 0.04, 0.08], at = [-0.1, 0, -0.1], friction = 0.9),
    shape(right_pad, on = right, box = [0.02, 0.04, 0.08], at = [0.1, 0, -0.1], friction = 0.9),
)]
struct Gripper;

/// The same with what it grips.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(palm, mass = 1.5),
    joint(lift, prismatic(world -> palm), at = [0, 0, 0.3], axis = [0, 0, 1], limits = [-0.5, 0.5], friction = 2),
    link(left, mass = 0.2, inertia = [1e-4, 1e-4, 1e-4]),
    joint(close_left, prismatic(palm -> left), axis = [1, 0, 0], damping = 1),
    link(right, mass = 0.3, inertia = [1e-4, 1e-4, 1e-4]),
    joint(close_right, prismatic(palm -> right), axis = [-1, 0, 0], damping = 1, friction = 0.5),
    shape(left_pad, on = left, box = [0.02, 0.04, 0.08], at = [-0.1, 0, -0.1], friction = 0.9),
    shape(right_pad, on = right, box = [0.02, 0.04, 0.08], at = [0.1, 0, -0.1], friction = 0.9),
    link(block, box(size = [0.1, 0.06, 0.12]), mass = 0.4),
    joint(base, floating(world -> block)),
    shape(solid, on = block, box = [0.1, 0.06, 0.12], friction = 0.6),
    pair(left_pad, solid),
    pair(right_pad, solid),
)]
struct Both;

fn block() -> Body {
    let block = Body::cuboid([0.1, 0.06, 0.12]).unwrap();
    block.mass(0.4).unwrap().friction(0.6).unwrap()
}

/// Where the joints of the gripper shall be: first it closes, then it lifts.
fn motors(time: f64) -> [Option<Motor>; 3] {
    let servo = |stiffness, damping, target, effort| {
        Some(Motor::Servo { stiffness, damping, position: target, velocity: 0.0, force: effort })
    };
    let lift = 0.5 * (time - 0.15).clamp(0.0, 0.2);
    [servo(4e3, 200.0, lift, 60.0), servo(500.0, 20.0, 0.05, 8.0), servo(500.0, 20.0, 0.05, 8.0)]
}

const JOINTS: [&str; 3] = ["lift", "close_left", "close_right"];

/// Both in one world.
fn world(law: Formulation, place: &Pose) -> (World, RobotId<Gripper>, BodyId) {
    let mut world = World::new().formulation(law).margin(0.02).unwrap();
    let table = Body::cuboid([1.0, 1.0, 0.14]).unwrap().friction(0.4).unwrap();
    world.fix("table", &table, &Pose::at(0.0, 0.0, 0.07)).unwrap();
    let gripper = Simulation::new(Gripper).unwrap();
    let gripper = world.add("gripper", gripper, &Pose::default()).unwrap();
    let held = world.add_body("block", &block(), place).unwrap();
    (world, gripper, held)
}

fn one_simulation(law: Formulation, place: &Pose) -> Simulation<Both> {
    let heights = Grid::new([-2.0, -2.0], [4.0, 4.0], 2, vec![0.14; 4]).unwrap();
    // The coefficient of the table and the block.
    let floor = Ground::grid(heights, (0.4_f64 * 0.6).sqrt(), 0.0).unwrap();
    let one = Simulation::new(Both).unwrap().formulation(law).ground(floor).unwrap();
    let [x, y, z] = place.position.into();
    let q = vector![0.0, 0.0, 0.0, x, y, z, 0.0, 0.0, 0.0, 1.0];
    one.margin(0.02).unwrap().state(q, SVector::zeros()).unwrap()
}

/// Convex laws have one solution, so that both ways lead to the same.
#[test]
fn a_gripper_lifts_a_block_as_in_one_description() {
    let todorov = Todorov::default();
    for law in [
        Formulation::Todorov(todorov),
        Formulation::Todorov(todorov.cone(Cone::Pyramid)),
        Formulation::Anitescu(Anitescu::default()),
    ] {
        let place = Pose::at(0.005, 0.01, 0.2);
        let (mut world, gripper, held) = world(law, &place);
        let mut one = one_simulation(law, &place);
        for step in 0..400 {
            let motors = motors(one.current().time);
            for (joint, motor) in JOINTS.iter().zip(motors) {
                world.robot_mut(gripper).unwrap().set_motor(joint, motor).unwrap();
                one.set_motor(joint, motor).unwrap();
            }
            let report = world.step().unwrap();
            assert!(report.residual.max() <= 1e-9, "{law:?}, {step}: {report:?}");
            one.step(&SVector::zeros()).unwrap();
            let of_gripper = world.robot(gripper).unwrap().current().q;
            let of_block = world.robot(held).unwrap().current().q;
            let all = &one.current().q;
            let error = (all.fixed_rows::<3>(0) - of_gripper).amax();
            let error = error.max((all.fixed_rows::<7>(3) - of_block).amax());
            assert!(error < 1e-8, "{law:?}, {step}: {error:e}");
        }
        assert!(world.pose(held).unwrap().position.z > place.position.z + 0.05, "{law:?}");
    }
}

/// Under exact friction what is gripped goes where the gripper goes.
#[test]
fn a_gripper_holds_what_it_grips() {
    for law in [
        Formulation::coulomb(),
        Formulation::StewartTrinkle,
        Formulation::AnitescuPotra(AnitescuPotra::default()),
    ] {
        let place = Pose::at(0.005, 0.01, 0.2);
        let (mut world, gripper, held) = world(law, &place);
        let mut before = 0.0;
        for step in 0..400 {
            let lift = world.robot(gripper).unwrap().current().q[0];
            before = if step <= 150 { lift } else { before };
            for (joint, motor) in JOINTS.iter().zip(motors(world.time())) {
                world.robot_mut(gripper).unwrap().set_motor(joint, motor).unwrap();
            }
            let report = world.step().unwrap();
            assert!(report.residual.max() <= 1e-9, "{law:?}, {step}: {report:?}");
        }
        let lifted = world.pose(held).unwrap().position.z - place.position.z;
        let lift = world.robot(gripper).unwrap().current().q[0] - before;
        assert!((lifted - lift).abs() < 1e-3 && lift > 0.08, "{law:?}: {lifted}, {lift}");
    }
}

/// A rod on a hinge.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(rod, capsule(radius = 0.03, length = 0.6), mass = m, com = [0, 0, -0.3]),
    joint(hinge, revolute(world -> rod), axis = [0, 1, 0], damping = 0.02),
    shape(rod, on = rod, capsule = [0.03, 0.6], at = [0, 0, -0.3], friction = 0.4, restitution = 0.3),
)]
struct Rod {
    m: f64,
}

/// Two of them, of which one is turned and shifted.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(first, capsule(radius = 0.03, length = 0.6), mass = 1, com = [0, 0, -0.3]),
    joint(one, revolute(world -> first), axis = [0, 1, 0], damping = 0.02),
    shape(first, on = first, capsule = [0.03, 0.6], at = [0, 0, -0.3], friction = 0.4, restitution = 0.3),
    link(second, capsule(radius = 0.03, length = 0.6), mass = 3, com = [0, 0, -0.3]),
    joint(other, revolute(world -> second), at = [0.2, 0.05, 0.1], rpy = [0, 0, 2.5], axis = [0, 1, 0], damping = 0.02),
    shape(second, on = second, capsule = [0.03, 0.6], at = [0, 0, -0.3], friction = 0.4, restitution = 0.3),
    pair(first, second),
)]
struct TwoRods;

#[test]
fn two_instances_of_a_robot_collide_as_in_one_description() {
    let mut world = World::new();
    let rod = |m, angle: f64| {
        Simulation::new(Rod { m }).unwrap().state(vector![angle], vector![0.0]).unwrap()
    };
    let first = world.add("first", rod(1.0, 0.9), &Pose::default()).unwrap();
    let place = Pose::at(0.2, 0.05, 0.1).turned(2.5);
    let second = world.add("second", rod(3.0, -0.3), &place).unwrap();
    let one = Simulation::new(TwoRods).unwrap();
    let mut one = one.state(vector![0.9, -0.3], vector![0.0, 0.0]).unwrap();
    let mut touched = 0;
    for step in 0..1500 {
        world.step().unwrap();
        one.step(&SVector::zeros()).unwrap();
        touched += usize::from(world.contacts().any(|of| of.force.norm() > 0.0));
        let angles = [first, second].map(|id| world.robot(id).unwrap().current().q[0]);
        let error = (one.current().q - SVector::from(angles)).amax();
        assert!(error < 1e-6, "{step}: {error:e}");
    }
    assert!(touched > 0);
}

/// A robot with other fields has other shapes: it must be added anew.
#[test]
fn a_robot_that_was_exchanged_is_refused() {
    let mut world = World::new();
    let id = world.add("rod", Simulation::new(Rod { m: 1.0 }).unwrap(), &Pose::default()).unwrap();
    *world.robot_mut(id).unwrap() = Simulation::new(Rod { m: 2.0 }).unwrap();
    assert!(matches!(world.step(), Err(WorldError::Differs { what: "its fields", .. })));
}
