//! A Stewart platform follows a path in all six degrees of freedom by inverse dynamics of its legs.
//!
//! What is wanted is the plate's acceleration alone; those of the legs follow from the closures, and the
//! forces of the six motors from all of them.

use std::error::Error;
use std::f64::consts::TAU;

use jourdain::constrained::{self, Actuation, Assembly, Constrained};
use jourdain::playback::{Color, Plane, Plot, Scene, Series, Shape, UnknownBody};
use jourdain::prelude::*;
use jourdain::record::Sample;
use jourdain_examples::{Audit, audited_run, fact, save};
use jourdain_models::StewartPlatform;
use nalgebra::{SVector, UnitQuaternion, Vector3, Vector6};

type Q = SVector<f64, 25>;
type V = SVector<f64, 24>;

const DURATION: f64 = 8.0;
/// Proportional and differential gain of the plate's acceleration, 1/s² and 1/s.
const GAINS: [f64; 2] = [400.0, 40.0];
const LEGS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

fn main() -> Result<(), Box<dyn Error>> {
    let mut recording = Recording::new(100.0)?;
    let audit = run(&mut recording)?;
    let misses = recording.samples().iter().map(|sample| miss(sample).amax());
    let miss = misses.fold(0.0, f64::max);
    let mobility = StewartPlatform::MOBILITY.map_or("?".into(), |k| k.to_string());

    println!(
        "Stewart platform, {} coordinates, {mobility} degrees of freedom",
        StewartPlatform::NV
    );
    println!("path         {miss:.1e} (m, rad) at most from it");
    println!("residual     {:.1e} at most, recomputed from q, v, v⁺, Λ", audit.residual);
    println!("balls        off their sockets by {:.1e} m at most", audit.constraints);
    println!("force        {:.1} N at most", audit.input);

    let mut scene = Scene::film(&StewartPlatform, &recording);
    dress(&mut scene)?;
    scene.title = "Stewart platform".into();
    scene.subtitle =
        "Six driven legs carry a plate along a path by inverse dynamics under 18 closures".into();
    scene.plots = vec![
        legs(&recording, "Lengths of the legs", "m", |sample, k| 1.2 + leg(sample, k)),
        legs(&recording, "Forces of the motors", "N", |sample, k| sample.u[k]),
    ];
    scene.facts = vec![
        fact("degrees of freedom", mobility),
        fact("largest residual", format!("{:.0e}", audit.residual)),
        fact("loops open by", format!("{:.0e} m", audit.constraints)),
        fact("from the path", format!("{miss:.0e}")),
    ];
    save(&scene, "stewart_platform")?;
    Ok(())
}

/// Starts on the path, with its velocity.
fn run(recording: &mut Recording<StewartPlatform>) -> Result<Audit, Box<dyn Error>> {
    let mut platform = Constrained::new(StewartPlatform);
    let mut weights = [0.0; StewartPlatform::NV];
    weights[..6].fill(1.0);
    let plate = Assembly::Weights(&weights);
    let q = platform.assemble(&wanted(0.0), plate, 0.0)?.value;
    let v = platform.assemble_velocity(&q, &wanted_rate(0.0), plate, 0.0)?.value;
    let mut simulation = Simulation::new(StewartPlatform)?.state(q, v)?;
    let actuation =
        Actuation { weights: weights.to_vec(), ..Actuation::of_inputs(&StewartPlatform) };
    let mut failure = None;
    let motors = |state: &State<StewartPlatform>| {
        forces(&mut platform, state, &actuation).unwrap_or_else(|error| {
            failure = Some(error);
            Vector6::zeros()
        })
    };
    let audit = audited_run(&mut simulation, DURATION, motors, recording)?;
    failure.map_or(Ok(audit), |error| Err(error.into()))
}

/// The forces of the motors that bring the plate to its path.
fn forces(
    platform: &mut Constrained<StewartPlatform>,
    State { time, q, v }: &State<StewartPlatform>,
    actuation: &Actuation,
) -> Result<Vector6<f64>, constrained::Error> {
    let [stiffness, damping] = GAINS;
    let away = StewartPlatform.difference(q, &wanted(*time));
    let behind = wanted_rate(*time) - v;
    let v_dot = wanted_acceleration(*time) + stiffness * away + damping * behind;
    let tau = platform.inverse_dynamics(q, v, &v_dot, *time, actuation)?.tau;
    Ok(StewartPlatform.input_matrix().tr_mul(&tau))
}

/// The configuration that is wanted of the plate; the legs stand anyhow.
fn wanted(t: f64) -> Q {
    let turn = |per: f64, phase: f64| (per * TAU * t / DURATION + phase).sin();
    let mut q = StewartPlatform.neutral();
    let place = [0.18 * turn(2.0, 0.0), 0.18 * turn(2.0, 0.25 * TAU), 1.15 + 0.12 * turn(3.0, 0.0)];
    let axes = (0.2 * turn(1.0, 0.0), 0.2 * turn(2.0, 0.0), 0.35 * turn(1.0, 0.25 * TAU));
    let turned = UnitQuaternion::from_euler_angles(axes.0, axes.1, axes.2);
    q.fixed_rows_mut::<3>(0).copy_from(&Vector3::from(place));
    q.fixed_rows_mut::<4>(3).copy_from(&turned.coords);
    q
}

/// The velocity along the path, by differences.
fn wanted_rate(t: f64) -> V {
    const D: f64 = 1e-4;
    StewartPlatform.difference(&wanted(t - D), &wanted(t + D)) / (2.0 * D)
}

fn wanted_acceleration(t: f64) -> V {
    const D: f64 = 1e-3;
    (wanted_rate(t + D) - wanted_rate(t - D)) / (2.0 * D)
}

/// How far the plate is from its path, in metres and radians.
fn miss(sample: &Sample<StewartPlatform>) -> Vector6<f64> {
    let State { time, q, .. } = &sample.state;
    StewartPlatform.difference(&wanted(*time), q).fixed_rows::<6>(0).into_owned()
}

/// How far leg `k` is drawn out, in metres.
fn leg(sample: &Sample<StewartPlatform>, k: usize) -> f64 {
    sample.state.q[7 + 3 * k + 2]
}

/// A curve for each leg.
fn legs(
    recording: &Recording<StewartPlatform>,
    title: &str,
    unit: &str,
    value: impl Fn(&Sample<StewartPlatform>, usize) -> f64,
) -> Plot {
    let curve = |(k, name): (usize, &str)| Series {
        name: name.into(),
        values: recording.samples().iter().map(|sample| value(sample, k)).collect(),
    };
    let series = LEGS.into_iter().enumerate().map(curve).collect();
    Plot { title: title.into(), unit: unit.into(), series }
}

fn dress(scene: &mut Scene) -> Result<(), UnknownBody> {
    let up = |z: f64| Vector3::new(0.0, 0.0, z);
    let disc = Shape::cylinder(0.5, 0.05, Color::CHALK).at(up(0.08));
    let rim = Shape::cylinder(0.66, 0.03, Color::BLUE).at(up(0.06));
    let seat = Shape::cuboid(Vector3::new(0.16, 0.13, 0.09), Color::ORANGE).at(up(0.19));
    let back = Shape::cuboid(Vector3::new(0.03, 0.13, 0.16), Color::ORANGE);
    scene.dress("plate", [rim, disc, seat, back.at(Vector3::new(-0.14, 0.0, 0.39))])?;
    for name in LEGS {
        let foot = Shape::sphere(0.06, Color::GRAPHITE);
        let barrel = Shape::capsule(up(0.05), up(0.85), 0.042, Color::GRAPHITE);
        let piston = Shape::capsule(up(-0.33), up(0.6), 0.024, Color::STEEL);
        let ball = Shape::sphere(0.042, Color::STEEL).at(up(0.6));
        scene.dress(&format!("barrel_{name}"), [foot, barrel])?;
        scene.dress(&format!("piston_{name}"), [piston, ball])?;
    }
    scene.ground.push(Plane { offset: -0.06, ..Plane::HORIZONTAL });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plate_follows_its_path() {
        assert_eq!(StewartPlatform::MOBILITY, Some(6));
        let mut recording = Recording::new(100.0).unwrap();
        let audit = run(&mut recording).unwrap();
        assert!(audit.residual <= 1e-9 && audit.constraints < 1e-9, "{audit:?}");
        for sample in recording.samples() {
            assert!(miss(sample).amax() < 1e-2, "{}", miss(sample));
        }
    }
}
