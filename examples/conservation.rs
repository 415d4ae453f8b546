//! The double pendulum for a million steps, by discrete mechanics and by steps that approximate derivatives.
//!
//! Draws how far the energy of each has ever been from where it began, to `target/conservation.svg`, and the motion by
//! discrete mechanics to a page.

use std::error::Error;

use jourdain::playback::Scene;
use jourdain::prelude::*;
use jourdain::variational::Rule;
use jourdain_examples::chart::{Curve, Words, svg};
use jourdain_examples::{fact, folder, plot, save};
use jourdain_models::DoublePendulum;
use nalgebra::{Vector2, vector};

const ROBOT: DoublePendulum = DoublePendulum { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5 };
const STEP: f64 = 0.01;
const STEPS: usize = 1_000_000;
/// Of the curves, for each factor of ten.
const POINTS: f64 = 24.0;

type Vector = Vector2<f64>;

fn main() -> Result<(), Box<dyn Error>> {
    let (q, v) = (vector![1.0, 0.5], Vector::zeros());
    let mut curves = Vec::new();
    for (rule, name, color) in [
        (Rule::Midpoint, "discrete mechanics, midpoint", "#0b6e99"),
        (Rule::Trapezoidal, "discrete mechanics, trapezoidal", "#5aa9c9"),
    ] {
        let mut run = Variational::new(ROBOT)?.rule(rule).step_size(STEP)?.state(q, v)?;
        curves.push(record(name, color, || {
            run.step(&Vector::zeros())?;
            Ok((run.current().q, run.current().v))
        })?);
    }
    let mut euler = Simulation::new(ROBOT)?.step_size(STEP)?.state(q, v)?;
    curves.push(record("semi-implicit Euler", "#c1502e", || {
        euler.step(&Vector::zeros())?;
        Ok((euler.current().q, euler.current().v))
    })?);
    let mut state = (q, v);
    curves.push(record("Runge and Kutta, fourth order", "#7a8b3a", || {
        state = runge_kutta(state);
        Ok(state)
    })?);
    let words = Words {
        title: "A double pendulum in steps of 10 ms: the largest energy error so far",
        x: "steps",
        y: "J",
    };
    std::fs::write(folder()?.join("conservation.svg"), svg(&words, &curves)?)?;
    for curve in &curves {
        let at = |steps: f64| curve.points.iter().rfind(|p| p.0 <= steps).map_or(f64::NAN, |p| p.1);
        println!(
            "{:<34} {:.1e} J after 1000 steps, {:.1e} J after a million",
            curve.name,
            at(1e3),
            at(1e6)
        );
    }
    println!("open         target/conservation.svg");
    film(q, v)?;
    Ok(())
}

/// Half a minute of the motion.
fn film(q: Vector, v: Vector) -> Result<(), Box<dyn Error>> {
    let mut recording = Recording::new(60.0)?;
    let mut run = Variational::new(ROBOT)?.step_size(STEP)?.state(q, v)?;
    run.run_recorded(30.0, |_: &State<_>| Vector::zeros(), &mut recording)?;
    let mut scene = Scene::film(&ROBOT, &recording);
    let start = ROBOT.kinetic_energy(&q, &v) + ROBOT.potential_energy(&q);
    scene.title = "Double pendulum by discrete mechanics".into();
    scene.subtitle = "Steps of 10 ms, whose energy error stays as it is".into();
    scene.plots.push(plot(
        &recording,
        "Energy error",
        "J",
        &[("T + U − E₀", &|s| s.kinetic_energy + s.potential_energy - start)],
    ));
    scene.facts = vec![fact("step", "10 ms")];
    save(&scene, "conservation")?;
    Ok(())
}

/// The largest energy error so far, by the number of steps.
fn record(
    name: &str,
    color: &'static str,
    mut step: impl FnMut() -> Result<(Vector, Vector), SimulationError>,
) -> Result<Curve, SimulationError> {
    let energy =
        |(q, v): (Vector, Vector)| ROBOT.kinetic_energy(&q, &v) + ROBOT.potential_energy(&q);
    let start = energy((vector![1.0, 0.5], Vector::zeros()));
    let (mut worst, mut due, mut points) = (0.0_f64, 1.0, Vec::new());
    for k in 1..=STEPS {
        worst = worst.max((energy(step()?) - start).abs());
        if k as f64 >= due || k == STEPS {
            points.push((k as f64, worst));
            due *= 10_f64.powf(1.0 / POINTS);
        }
    }
    Ok(Curve { name: name.into(), color, points })
}

/// The classical method.
fn runge_kutta((q, v): (Vector, Vector)) -> (Vector, Vector) {
    let rate = |q: Vector, v: Vector| (v, ROBOT.forward_dynamics(&q, &v, &Vector::zeros()));
    let (a, b) = rate(q, v);
    let (c, d) = rate(q + 0.5 * STEP * a, v + 0.5 * STEP * b);
    let (e, f) = rate(q + 0.5 * STEP * c, v + 0.5 * STEP * d);
    let (g, h) = rate(q + STEP * e, v + STEP * f);
    let sixth = STEP / 6.0;
    (q + sixth * (a + 2.0 * c + 2.0 * e + g), v + sixth * (b + 2.0 * d + 2.0 * f + h))
}
