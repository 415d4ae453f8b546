//! More contacts than forces can be told of.

use jourdain::prelude::*;
use nalgebra::{SVector, Vector3, vector};

use super::nothing;

const G: f64 = 9.81;

/// A plate on four feet, and a weight that is driven over it along a line that is no axis of symmetry.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(plate, mass = 1, inertia = [0.03, 0.03, 0.06]),
    joint(base, floating(world -> plate)),
    link(weight, mass = 3),
    joint(track, prismatic(plate -> weight), axis = [0.8, 0.6, 0], passive),
    drive(motor, joint = track, rate = 0.5),
    contact(ne, on = plate, at = [0.3, 0.3, -0.2], friction = 0.5),
    contact(nw, on = plate, at = [-0.3, 0.3, -0.2], friction = 0.5),
    contact(se, on = plate, at = [0.3, -0.3, -0.2], friction = 0.5),
    contact(sw, on = plate, at = [-0.3, -0.3, -0.2], friction = 0.5),
)]
struct Table;

/// It stands until the centre of mass is above an edge, although the smallest forces are negative at one foot long before
/// that, and then tips over that edge. What is reported presses, and carries the weight.
#[test]
fn a_table_tips_when_its_centre_of_mass_leaves_it() {
    let mut q = SVector::<f64, 8>::zeros();
    (q[2], q[6]) = (0.2, 1.0);
    let mut v = SVector::<f64, 7>::zeros();
    v[6] = 0.5;
    // The weight starts at once, and so the plate is pushed back, but does not slip.
    let mut table = HybridSimulation::new(Table).unwrap().stiff().state(q, v).unwrap();
    let tips = 0.3 * 4.0 / 3.0 / 0.8 / 0.5;
    let mut resting = table.clone();
    resting.run(0.9 * tips, nothing).unwrap();
    let mut recording = Recording::new(100.0).unwrap();
    table.run_recorded(tips + 0.05, nothing, &mut recording).unwrap();
    let event = &table.events()[0];
    assert!((event.time() - tips).abs() < 1e-9, "{} {tips}", event.time());
    assert_eq!(table.modes()[1].1, "ne stick, nw open, se stick, sw open");
    assert!(table.current().q[4] > 0.0);
    for sample in recording.samples().iter().filter(|sample| sample.state.time < tips) {
        assert_carries(4.0 * G, &sample.forces, 0.5);
    }
    let weight: Vector3<f64> = resting.contact_forces().iter().map(|contact| contact.force).sum();
    // Rows ask for velocities of 1e-10 m/s, which integration leaves, to die out at 40/s.
    assert!((weight - Vector3::z() * 4.0 * G).norm() < 1e-7, "{weight}");
}

/// Forces are within their cones, and those along normals add up to a weight.
fn assert_carries(weight: f64, forces: &[Vector3<f64>], friction: f64) {
    let sum: f64 = forces.iter().map(|force| force.z).sum();
    assert!((sum - weight).abs() < 1e-8 * weight, "{forces:?}");
    for force in forces {
        let margin = friction * force.z - force.x.hypot(force.y);
        assert!(force.z > -1e-8 * weight && margin > -1e-8 * weight, "{forces:?}");
    }
}

/// A plate that slides and turns on four feet, with its centre of mass near one of them.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(plate, mass = 4, com = [0.24, 0.24, 0.2], inertia = [0.3, 0.3, 0.5]),
    joint(base, floating(world -> plate)),
    contact(ne, on = plate, at = [0.3, 0.3, 0], friction = 0.3),
    contact(nw, on = plate, at = [-0.3, 0.3, 0], friction = 0.3),
    contact(se, on = plate, at = [0.3, -0.3, 0], friction = 0.3),
    contact(sw, on = plate, at = [-0.3, -0.3, 0], friction = 0.3),
)]
struct Plate;

/// The smallest forces would pull at one foot, whose friction would drive the slip. Of forces that press, those on the two
/// triangles of feet below the centre of mass are the extremes: with them it is turned at -3.7665 and -3.6964 rad/s².
#[test]
fn what_slides_on_redundant_feet_is_pressed_and_braked() {
    let mut q = SVector::<f64, 7>::zeros();
    q[6] = 1.0;
    let mut plate = HybridSimulation::new(Plate).unwrap();
    plate = plate.state(q, vector![0.1, 0.0, 0.0, 0.0, 0.0, 2.0]).unwrap();
    let (duration, mut recording) = (1e-3, Recording::new(1e3).unwrap());
    plate.run_recorded(duration, nothing, &mut recording).unwrap();
    assert_eq!(plate.mode_name(), "ne slide, nw slide, se slide, sw slide");
    let feet = [[0.3, 0.3], [-0.3, 0.3], [0.3, -0.3], [-0.3, -0.3]];
    let forces = &recording.samples()[0].forces;
    assert_carries(4.0 * G, forces, 0.3);
    for (force, [x, y]) in forces.iter().zip(feet) {
        let power = force.x * (0.1 - 2.0 * y) + force.y * 2.0 * x;
        assert!(power <= 1e-8, "{forces:?}");
    }
    let turned = (plate.current().v[5] - 2.0) / duration;
    assert!(-3.768 < turned && turned < -3.695, "{turned}");
}

/// Two carts on pillars of their own, that have nothing to do with one another.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(heavy, mass = 1),
    joint(press, prismatic(world -> heavy), axis = [0, 0, 1], actuated),
    link(light, mass = 1),
    joint(hoist, prismatic(world -> light), axis = [0, 0, 1], actuated),
    contact(pressed, on = heavy),
    contact(hoisted, on = light),
)]
struct Pair;

#[test]
fn what_lifts_slowly_lifts_whatever_else_is_pressed() {
    let pair = HybridSimulation::new(Pair).unwrap();
    let mut pair = pair.state(vector![0.0, 0.0], vector![0.0, 0.0]).unwrap();
    pair.run(1.0, |_: &State<Pair>| vector![-1e6, G + 5e-3]).unwrap();
    assert_eq!(pair.mode_name(), "pressed closed, hoisted open");
    assert!((pair.current().q[1] - 2.5e-3).abs() < 1e-9, "{}", pair.current().q);
}
