//! All that acts is recorded: motors, limits, dry friction, torsion, pairs and ground of heights.

use jourdain::geometry::Grid;
use jourdain::prelude::*;
use jourdain::record::Sample;
use nalgebra::{SVector, Vector3, vector};

const G: f64 = 9.81;

/// A cart held by a motor, a drawer at its end, a sledge with dry friction, a top that spins, and two balls of which
/// one lies on ground of heights and the other on it.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(cart, mass = 2), joint(lift, prismatic(world -> cart), axis = [0, 0, 1]),
    link(drawer, mass = 3), joint(drop, prismatic(world -> drawer), axis = [0, 0, 1], limits = [0, 1]),
    link(sledge, mass = 1), joint(run, prismatic(world -> sledge), axis = [1, 0, 0], friction = 0.5),
    link(rod, massless), joint(sink, prismatic(world -> rod), axis = [0, 0, 1]),
    link(top, mass = 0.4, inertia = [0.01, 0.01, 0.01]),
    joint(spin, revolute(rod -> top), axis = [0, 0, 1]),
    contact(tip, on = top, friction = 0.5, torsion = 0.01),
    link(under, mass = 1), joint(ju, prismatic(world -> under), axis = [0, 0, 1], at = [5, 0, 0]),
    link(upper, mass = 0.5), joint(jo, prismatic(world -> upper), axis = [0, 0, 1], at = [5, 0, 0]),
    shape(low, on = under, capsule = [0.1, 0.001]), shape(high, on = upper, capsule = [0.1, 0.001]),
    pair(high, low, friction = 0.5),
    limit(deep, c = 1 + ju),
)]
struct Fair;

/// q in the order of the joints.
const START: [f64; 7] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.1005, 0.3015];
const SPIN: f64 = 3.0;

fn recorded() -> (Simulation<Fair>, Recording<Fair>) {
    let grid = Grid::new([4.0, -1.0], [1.0, 1.0], 3, vec![0.0; 9]).unwrap();
    let ground = Ground::grid(grid, 0.5, 0.0).unwrap();
    let simulation = Simulation::new(Fair).unwrap().ground(ground).unwrap();
    let v = vector![0.0, 0.0, 1.0, 0.0, SPIN, 0.0, 0.0];
    let mut simulation = simulation.state(START.into(), v).unwrap();
    let hold = Motor::Velocity { velocity: 0.0, force: 100.0 };
    simulation.set_motor("lift", Some(hold)).unwrap();
    let mut recording = Recording::new(f64::INFINITY).unwrap();
    let idle = |_: &State<Fair>| SVector::zeros();
    simulation.run_recorded(0.005, idle, &mut recording).unwrap();
    (simulation, recording)
}

fn last(recording: &Recording<Fair>) -> &Sample<Fair> {
    recording.samples().last().unwrap()
}

#[test]
fn samples_hold_every_force() {
    let (_, recording) = recorded();
    let sample = last(&recording);
    let near =
        |found: f64, expected: f64| assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    near(sample.motors[0], 2.0 * G);
    near(sample.limits[1], 3.0 * G);
    near(sample.dry_friction[2], -0.5);
    near(sample.torsions[0], -0.01 * 0.4 * G);
    near(sample.motors.sum() + sample.limits.sum() + sample.dry_friction.sum(), 5.0 * G - 0.5);
    near(sample.forces[0].z, 0.4 * G);
    let on = |of| -> Vector3<f64> {
        sample.pairs.iter().filter(|point| point.of == of).map(|point| point.force).sum()
    };
    near(on(Touching::Pair(0)).z, 0.5 * G);
    near(on(Touching::Ground(0)).z, 1.5 * G);
}

#[test]
fn columns_hold_them_too_and_nothing_that_never_acts() {
    let (_, recording) = recorded();
    let mut text = Vec::new();
    jourdain::csv::write(&recording, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let mut lines = text.trim_end().split("\r\n");
    let header: Vec<_> = lines.next().unwrap().split(',').collect();
    let row: Vec<f64> = lines.last().unwrap().split(',').map(|x| x.parse().unwrap()).collect();
    let column = |name: &str| row[header.iter().position(|column| *column == name).unwrap()];
    let sample = last(&recording);
    assert_eq!(column("motor.lift"), sample.motors[0]);
    assert_eq!(column("limit.drop"), sample.limits[1]);
    assert_eq!(column("dry_friction.run"), sample.dry_friction[2]);
    assert_eq!(column("torsion.tip"), sample.torsions[0]);
    assert!((column("force.high_low.z") - 0.5 * G).abs() < 1e-6);
    assert!((column("force.low_ground.z") - 1.5 * G).abs() < 1e-6);
    assert!((column("point.low_ground.x") - 5.0).abs() < 1e-6);
    for absent in
        ["motor.run", "limit.lift", "dry_friction.lift", "limit.deep", "force.high_ground.z"]
    {
        assert!(!header.contains(&absent), "{absent}");
    }
    let curves: Vec<_> = jourdain::playback::Scene::film(&Fair, &recording).plots[2]
        .series
        .iter()
        .map(|series| series.name.clone())
        .collect();
    assert_eq!(curves, ["tip", "high_low", "low_ground"]);
}

#[test]
fn forces_of_contact_have_names() {
    let (simulation, _) = recorded();
    let forces = simulation.contact_forces();
    assert!(forces.iter().all(|of| (of.normal - Vector3::z()).norm() < 1e-12 && of.force.z > 0.0));
    let total = |name: &str, links| -> f64 {
        forces.iter().filter(|of| of.name == name && of.links == links).map(|of| of.force.z).sum()
    };
    assert!((total("tip", ("top", None)) - 0.4 * G).abs() < 1e-6);
    assert!((total("high_low", ("upper", Some("under"))) - 0.5 * G).abs() < 1e-6);
    assert!((total("low", ("under", None)) - 1.5 * G).abs() < 1e-6);
    let tip = forces.iter().find(|of| of.name == "tip").unwrap();
    assert!((tip.torsion + 0.01 * 0.4 * G).abs() < 1e-6 && tip.point.norm() < 1e-6);
    assert!(Simulation::new(Fair).unwrap().contact_forces().is_empty());
}
