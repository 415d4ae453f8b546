//! Theo Jansen's linkage walks: a motor brings the crankshaft to its rate, and six feet do the rest.

use std::error::Error;
use std::f64::consts::TAU;

use jourdain::constrained::{Actuation, Anchor, Assembly, Constrained, Hold};
use jourdain::playback::{Color, Scene, Shape, UnknownBody};
use jourdain::prelude::*;
use jourdain::record::Sample;
use jourdain_examples::{Audit, audited_run, fact, plot, save};
use jourdain_models::JansenWalker;
use nalgebra::{SVector, Vector3, vector};

type Q = SVector<f64, { JansenWalker::NQ }>;

const DURATION: f64 = 8.0;
/// Of the crankshaft, rad/s; it turns so that the feet on the ground go backwards.
const RATE: f64 = -0.5 * TAU;
/// How long it stands still at first, s.
const STANDING: f64 = 0.5;
/// Of the crank, at which the other four feet are well above the ground, rad.
const START: f64 = 0.6;
/// Torque of the motor for a difference in the rate, N m s, and its largest, N m.
const MOTOR: [f64; 2] = [60.0, 60.0];

fn main() -> Result<(), Box<dyn Error>> {
    let mut recording = Recording::new(100.0)?;
    let (start, audit) = run(&mut recording)?;
    let end = recording.samples().last().map_or(start, |sample| sample.state.q);
    let turns = (end[3] - start[3]).abs() / TAU;
    let step = (end[0] - start[0]) / turns;

    println!("Jansen's linkage, {} coordinates, {} rods", JansenWalker::NV, JansenWalker::NC);
    println!(
        "walked       {:.2} m in {turns:.2} turns of the crank, {step:.3} m a turn",
        end[0] - start[0]
    );
    println!("residual     {:.1e} at most, recomputed from q, v, v⁺, Λ", audit.residual);
    println!("rods         {:.1e} m too long or too short at most", audit.constraints);
    println!("penetration  {:.1e} m at most", audit.penetration);
    println!("torque       {:.1} N m at most", audit.input);

    let mut scene = Scene::film(&JansenWalker, &recording);
    dress(&mut scene)?;
    scene.title = "Jansen's linkage".into();
    scene.subtitle =
        "Three pairs of legs on one crankshaft; 18 rods close the loops, six feet touch the ground"
            .into();
    scene.plots[0] = plot(
        &recording,
        "Body",
        "m",
        &[("along", &|s| s.state.q[0]), ("height", &|s| s.state.q[1])],
    );
    let torque = |sample: &Sample<JansenWalker>| sample.u[0];
    scene.plots[1] = plot(&recording, "Torque of the motor", "N m", &[("u", &torque)]);
    scene.facts = vec![
        fact("walked in 8 s", format!("{:.2} m", end[0] - start[0])),
        fact("largest residual", format!("{:.0e}", audit.residual)),
        fact("error of the rods", format!("{:.0e} m", audit.constraints)),
        fact("a turn of the crank", format!("{step:.2} m")),
    ];
    save(&scene, "jansen_walker")?;
    Ok(())
}

/// Walks it from where it stands.
fn run(recording: &mut Recording<JansenWalker>) -> Result<(Q, Audit), Box<dyn Error>> {
    let (q, bearing) = standing()?;
    let mut simulation = Simulation::new(JansenWalker)?.state(q, SVector::zeros())?;
    let [gain, largest] = MOTOR;
    let motor = |state: &State<JansenWalker>| {
        let rate = RATE * (state.time - STANDING).clamp(0.0, 1.0);
        vector![(bearing + gain * (rate - state.v[3])).clamp(-largest, largest)]
    };
    let audit = audited_run(&mut simulation, DURATION, motor, recording)?;
    Ok((q, audit))
}

/// The configuration in which the lowest foot in front and the lowest behind stand on the ground, and the
/// torque of the motor that keeps it.
fn standing() -> Result<(Q, f64), Box<dyn Error>> {
    let mut walker = Constrained::new(JansenWalker);
    let mut weights = [1e-3; JansenWalker::NV];
    weights[..4].fill(1.0);
    let guess = JansenWalker.neutral() + 1.5 * Q::ith(1, 1.0) + START * Q::ith(3, 1.0);
    let hanging = walker.assemble(&guess, Assembly::Weights(&weights), 0.0)?.value;
    let gaps = JansenWalker.gap(&hanging);
    for side in ["toe_front", "toe_rear"] {
        let feet = JansenWalker::CONTACTS.iter().zip(&gaps);
        let feet = feet.filter(|(contact, _)| contact.name.starts_with(side));
        if let Some((lowest, _)) = feet.min_by(|a, b| a.1.total_cmp(b.1)) {
            walker.hold_contact(lowest.name, Some(Hold::Normal))?;
            let ground = Anchor { place: Vector3::zeros(), stabilization: 0.0 };
            walker.anchor_contact(lowest.name, Some(ground))?;
        }
    }
    let q = walker.assemble(&hanging, Assembly::Weights(&weights), 0.0)?.value;
    let (still, motors) = (SVector::zeros(), Actuation::of_inputs(&JansenWalker));
    let support = walker.inverse_dynamics(&q, &still, &still, 0.0, &motors)?;
    Ok((q, support.tau[3]))
}

/// Triangles and arms as bars; rods are drawn as they are.
fn dress(scene: &mut Scene) -> Result<(), UnknownBody> {
    let point = |x: f64, z: f64| Vector3::new(x, 0.0, z);
    let bar = |from, to, color| Shape::capsule(from, to, 0.012, color);
    let axle = |y: f64| Vector3::new(0.0, y, 0.0);
    let beam = |y: f64| {
        Shape::capsule(
            Vector3::new(-0.38, y, -0.078),
            Vector3::new(0.38, y, -0.078),
            0.016,
            Color::GRAPHITE,
        )
    };
    let across = |x: f64| {
        Shape::capsule(
            Vector3::new(x, -0.26, -0.078),
            Vector3::new(x, 0.26, -0.078),
            0.016,
            Color::GRAPHITE,
        )
    };
    let bearing = |y: f64| {
        Shape::capsule(
            Vector3::new(0.0, y, -0.078),
            Vector3::new(0.0, y, 0.0),
            0.016,
            Color::GRAPHITE,
        )
    };
    let frame =
        [beam(-0.26), beam(0.26), across(-0.38), across(0.38), bearing(-0.26), bearing(0.26)];
    scene.dress("body", frame)?;
    let mut crank = vec![Shape::capsule(axle(-0.26), axle(0.26), 0.014, Color::STEEL)];
    for k in 0..3 {
        let (sin, cos) = (TAU * f64::from(k) / 3.0).sin_cos();
        let y = 0.2 * f64::from(k) - 0.2;
        let pin = Vector3::new(0.15 * cos, y, 0.15 * sin);
        crank.push(Shape::capsule(axle(y), pin, 0.016, Color::ORANGE));
    }
    scene.dress("crank", crank)?;
    let (b, d) = (point(0.0, 0.415), point(-0.40015, 0.026099));
    let (f, g) = (point(-0.367, 0.0), TOE);
    let zero = Vector3::zeros();
    for (side, color) in [("rear", Color::BLUE), ("front", Color::GREEN)] {
        for k in 1..=3 {
            let triangle = |a, b| [bar(zero, a, color), bar(a, b, color), bar(b, zero, color)];
            scene.dress(&format!("rocker_{side}_{k}"), triangle(b, d))?;
            scene
                .dress(&format!("arm_{side}_{k}"), [bar(zero, point(0.0, -0.393), Color::CHALK)])?;
            let foot =
                triangle(f, g).into_iter().chain([Shape::sphere(0.022, Color::GRAPHITE).at(g)]);
            scene.dress(&format!("foot_{side}_{k}"), foot)?;
        }
    }
    Ok(())
}

/// The point of a foot that touches, in the axes of its link.
const TOE: Vector3<f64> = Vector3::new(0.077466, 0.0, -0.483838);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_walks_on_rods_that_keep_their_lengths() {
        let mut recording = Recording::new(100.0).unwrap();
        let (start, audit) = run(&mut recording).unwrap();
        assert!(audit.residual <= 1e-9 && audit.constraints < 1e-9, "{audit:?}");
        let end = &recording.samples().last().unwrap().state.q;
        assert!((end[0] - start[0]).abs() > 1.0, "{end}");
        assert!(end[2].abs() < 0.2, "{end}");
        let standing = recording.samples().iter().filter(|s| s.state.time < STANDING);
        let fastest = standing.map(|s| s.state.v.amax()).fold(0.0, f64::max);
        assert!(fastest < 1e-6, "it stands still until the motor turns: {fastest}");
        let early = recording.samples().iter().filter(|s| s.state.time < STANDING + 0.3);
        let feet = early.map(|s| s.forces.iter().map(|f| f.z > 0.0).collect::<Vec<_>>());
        let feet: Vec<_> = feet.collect();
        assert!(feet.iter().all(|on| *on == feet[0]), "no foot comes down or lifts off at once");
    }
}
