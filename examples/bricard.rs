//! Two motors turn Bricard's linkage round and round.
//!
//! No hinge turns through: each swings to ±120° and back, and where one stands the other moves, as the two
//! cranks of a locomotive. With ψ the angle of (θ, φ) on its closed curve, the motors push along ψ.

use std::error::Error;
use std::f64::consts::{FRAC_PI_2, TAU};

use jourdain::constrained::{Assembly, Constrained};
use jourdain::playback::{Color, Scene, Shape, UnknownBody};
use jourdain::prelude::*;
use jourdain_examples::{Audit, audited_run, fact, plot, save};
use jourdain_models::Bricard;
use nalgebra::{Rotation3, SVector, Vector2, Vector3, vector};

const DURATION: f64 = 12.0;
/// The rate of ψ, rad/s.
const RATE: f64 = 0.25 * TAU;
/// Of the torque for a difference in the rate of ψ, N m s.
const GAIN: f64 = 80.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut recording = Recording::new(100.0)?;
    let (audit, turns) = run(&mut recording)?;
    let miss = recording.samples().iter().map(|s| relation(&s.state.q).abs()).fold(0.0, f64::max);
    let mobility = Bricard::MOBILITY.map_or("?".into(), |k| k.to_string());

    println!("Bricard's linkage, 6 hinges: 0 degrees of freedom by counting, {mobility} by rank");
    println!("turned       {turns:.2} times round its curve in {DURATION} s");
    println!("residual     {:.1e} at most, recomputed from q, v, v⁺, Λ", audit.residual);
    println!("loop         open by {:.1e} (m, rad) at most", audit.constraints);
    println!("angles       (1 + cos θ) (1 + cos φ) − 1 = {miss:.1e} at most");
    println!("torque       {:.2} N m at most", audit.input);

    let mut scene = Scene::film(&Bricard, &recording);
    dress(&mut scene)?;
    scene.title = "Bricard's linkage".into();
    scene.subtitle =
        "Six bars and six hinges, each at right angles to the one before, turned by two motors"
            .into();
    let degrees = |k: usize| move |s: &jourdain::record::Sample<Bricard>| s.state.q[k].to_degrees();
    let (theta, phi) = (degrees(0), degrees(1));
    scene.plots[0] = plot(&recording, "Angles", "°", &[("θ", &theta), ("φ", &phi)]);
    let (first, second) = (|s: &_| torque(s, 0), |s: &_| torque(s, 1));
    let torques =
        plot(&recording, "Torques", "N m", &[("motor of θ", &first), ("motor of φ", &second)]);
    scene.plots.push(torques);
    scene.facts = vec![
        fact("freedoms by counting", "0"),
        fact("by rank", mobility),
        fact("largest residual", format!("{:.0e}", audit.residual)),
        fact("loop open by", format!("{:.0e}", audit.constraints)),
    ];
    save(&scene, "bricard")?;
    Ok(())
}

/// Starts at rest where θ = −φ, a right angle, and how often ψ went round.
fn run(recording: &mut Recording<Bricard>) -> Result<(Audit, f64), Box<dyn Error>> {
    let guess = vector![FRAC_PI_2, -FRAC_PI_2, FRAC_PI_2, -FRAC_PI_2, FRAC_PI_2];
    let weights = Assembly::Weights(&[1.0, 0.0, 0.0, 0.0, 0.0]);
    let q = Constrained::new(Bricard).assemble(&guess, weights, 0.0)?.value;
    let mut simulation = Simulation::new(Bricard)?.state(q, SVector::zeros())?;
    let (mut turned, mut last) = (0.0, q);
    let motors = |state: &State<Bricard>| {
        turned += angle(&last, &state.q);
        last = state.q;
        push(state)
    };
    let audit = audited_run(&mut simulation, DURATION, motors, recording)?;
    Ok((audit, turned / TAU))
}

/// The torques that bring the rate of ψ to what it is to be.
fn push(state: &State<Bricard>) -> Vector2<f64> {
    let place = vector![state.q[0], state.q[1]];
    let around = vector![-place.y, place.x] / place.norm_squared();
    let rate = around.dot(&vector![state.v[0], state.v[1]]);
    GAIN * (RATE * (state.time / 0.5).min(1.0) - rate) * around
}

/// By how much ψ grows from one configuration to another.
fn angle(from: &SVector<f64, 5>, to: &SVector<f64, 5>) -> f64 {
    let cross = from[0] * to[1] - from[1] * to[0];
    cross.atan2(from[0] * to[0] + from[1] * to[1])
}

/// Zero by the closed form.
fn relation(q: &SVector<f64, 5>) -> f64 {
    (1.0 + q[0].cos()) * (1.0 + q[1].cos()) - 1.0
}

fn torque(sample: &jourdain::record::Sample<Bricard>, motor: usize) -> f64 {
    sample.u[motor]
}

/// A bar from hinge to hinge, with half of each hinge.
fn dress(scene: &mut Scene) -> Result<(), UnknownBody> {
    let end = Vector3::x();
    let across = Rotation3::from_axis_angle(&Vector3::x_axis(), FRAC_PI_2);
    let colors = [Color::ORANGE, Color::CHALK, Color::ORANGE, Color::CHALK, Color::ORANGE];
    for (name, color) in ["a", "b", "c", "d", "e"].into_iter().zip(colors) {
        let bar = Shape::capsule(Vector3::zeros(), end, 0.03, color);
        let near = Shape::cylinder(0.05, 0.24, Color::GRAPHITE);
        let mut far = Shape::cylinder(0.045, 0.28, Color::STEEL).at(end);
        far.pose.rotation = across.into_inner();
        scene.dress(name, [bar, near, far])?;
    }
    let base = Shape::capsule(-end, Vector3::zeros(), 0.03, Color::GRAPHITE);
    scene.stand("base", [base]);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_round_although_counting_says_that_it_cannot() {
        assert_eq!(Bricard::MOBILITY, Some(1));
        let mut recording = Recording::new(100.0).unwrap();
        let (audit, turns) = run(&mut recording).unwrap();
        assert!(audit.residual <= 1e-9 && audit.constraints < 1e-9, "{audit:?}");
        assert!(turns.abs() > 2.0, "{turns}");
        for sample in recording.samples() {
            assert!(relation(&sample.state.q).abs() < 1e-9, "{}", sample.state.q);
        }
    }
}
