//! Actuators, gears, rotors and limits: what description and equations say of the coordinates.

use super::{Numbers, close, describe, with};

const DRIVES: &str = "
    link(a, mass = 2),
    joint(slide, prismatic(world -> a), axis = [1, 0, 0], gear = 5, rotor_inertia = 0.3, armature = 0.1, actuated,
        limits = [-1, 2], velocity = 3, effort = 4, friction = 0.5),
    link(b, mass = 1, inertia = [1, 1, 1]),
    joint(cross, universal(a -> b), axes = [[0, 1, 0], [0, 0, 1]], armature = [0.01, 0.02], friction = 0.25,
        limits = [[-3, -2], [0.5, 1]]),
    actuator(motor, joint = cross, coordinate = 1, gear = -7),
    actuator(brake, joint = slide, gear = 2)";

fn numbers() -> Numbers {
    Numbers { q: vec![0.0; 3], v: vec![0.0; 3], a: vec![0.0; 3] }
}

#[test]
fn inputs_drive_coordinates_through_gears() {
    with(&describe(DRIVES), |m| {
        let names: Vec<_> = m.description.actuators.iter().map(|a| a.name.text.as_str()).collect();
        assert_eq!(names, ["slide", "motor", "brake"]);
        let found = numbers().of(&m.input_matrix().concat(), m.graph);
        let expected = [5.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, -7.0, 0.0];
        close("B", &found, &expected, 0.0);
    });
}

/// The slide carries 3 kg, its armature and its rotor seen through the gear: 3 + 0.1 + 5² · 0.3.
#[test]
fn rotors_are_seen_through_the_square_of_their_gear() {
    with(&describe(DRIVES), |m| {
        let found = numbers().of(&m.mass_matrix().concat(), m.graph);
        let diagonal = [0, 4, 8].map(|k| found[k]);
        close("M", &diagonal, &[10.6, 1.01, 1.02], 1e-15);
        let moving = Numbers { v: vec![2.0, 0.0, 0.0], ..numbers() };
        close("T", &moving.of(&[m.kinetic_energy()], m.graph), &[21.2], 1e-15);
    });
}

#[test]
fn limits_and_dry_friction_of_each_coordinate() {
    let infinite = f64::INFINITY;
    with(&describe(DRIVES), |m| {
        let found = numbers().of(&m.coordinate_parameters(), m.graph);
        let expected = [
            [-1.0, 2.0, 3.0, 4.0, 0.5, 0.0, 0.0],
            [-3.0, -2.0, infinite, infinite, 0.25, 0.0, 0.0],
            [0.5, 1.0, infinite, infinite, 0.25, 0.0, 0.0],
        ];
        assert_eq!(found, expected.concat());
    });
}
