//! A hollow ball with backspin bounces back; its law of impact is the textbook's.

use std::error::Error;

use jourdain::playback::{Color, Scene, Shape, UnknownBody};
use jourdain::prelude::*;
use jourdain_examples::{fact, save};
use jourdain_models::HollowBall;
use nalgebra::{Matrix3, MatrixView1x3, SVector, U1, U3, Vector3, matrix, vector};

const ROBOT: HollowBall = HollowBall { m: 0.2, r: 0.1, mu: 1.0, e: 0.8 };

fn main() -> Result<(), Box<dyn Error>> {
    let (found, expected) = (impact()?, textbook());
    println!("the impact of a hollow ball that sticks, v⁺ = G v⁻ with G =");
    for (row, reference) in found.row_iter().zip(expected.row_iter()) {
        println!("  {}  textbook {}", line(row), line(reference));
    }
    let error = (found - expected).amax();
    println!("difference   {error:.1e} at most");

    let (start, thrown) = (vector![0.0, 1.0, 0.0], vector![0.9, 0.0, 40.0]);
    let mut simulation = Simulation::new(ROBOT)?.state(start, thrown)?;
    let mut recording = Recording::new(f64::INFINITY)?;
    simulation.run_recorded(5.0, |_: &State<_>| SVector::zeros(), &mut recording)?;
    let farthest = recording.samples().iter().map(|sample| sample.state.q.x);
    let farthest = farthest.fold(0.0, f64::max);
    let State { q, v, .. } = simulation.current();
    println!("thrown       {farthest:.3} m forward, and back by its spin to {:.3} m", q.x);
    println!("rolling      ẋ + r θ̇ = {:.1e} m/s after 5 s", v.x + ROBOT.r * v.z);

    let mut scene = Scene::film(&ROBOT, &recording);
    dress(&mut scene)?;
    scene.title = "Hollow ball".into();
    scene.subtitle = "Thrown forward with backspin, restitution 0.8, friction 1".into();
    scene.facts = vec![fact("impact against the textbook", format!("{error:.0e}"))];
    save(&scene, "hollow_ball")?;
    Ok(())
}

/// G column by column, from steps of a nanosecond that begin where the ball touches.
fn impact() -> Result<Matrix3<f64>, SimulationError> {
    let after = |v: Vector3<f64>| {
        let touching = vector![0.0, ROBOT.r, 0.0];
        let mut simulation = Simulation::new(ROBOT)?.step_size(1e-9)?.state(touching, v)?;
        simulation.step(&SVector::zeros())?;
        Ok::<_, SimulationError>(simulation.current().v)
    };
    let falling = vector![0.0, -1.0, 0.0];
    let bounced = after(falling)?;
    let sliding = after(falling + Vector3::x())? - bounced;
    let spinning = after(falling + Vector3::z())? - bounced;
    Ok(Matrix3::from_columns(&[sliding, -bounced, spinning]))
}

/// A row, without the sign of what rounds to zero.
fn line(row: MatrixView1x3<'_, f64, U1, U3>) -> String {
    let numbers = row.iter().map(|x| format!("{:7.3}", (1e3 * x).round() / 1e3 + 0.0));
    format!("[{} ]", numbers.collect::<String>())
}

fn textbook() -> Matrix3<f64> {
    let HollowBall { r, e, .. } = ROBOT;
    matrix![
        0.6, 0.0, -0.4 * r;
        0.0, -e, 0.0;
        -0.6 / r, 0.0, 0.4
    ]
}

/// A ball with spots, so that its spin is seen.
fn dress(scene: &mut Scene) -> Result<(), UnknownBody> {
    let ball = Shape::sphere(ROBOT.r, Color::CHALK);
    let axes = [Vector3::x(), -Vector3::x(), Vector3::z(), -Vector3::z()];
    let spot =
        |axis: Vector3<f64>| Shape::sphere(0.35 * ROBOT.r, Color::ORANGE).at(0.72 * ROBOT.r * axis);
    scene.dress("ball", std::iter::once(ball).chain(axes.map(spot)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_law_of_impact_is_the_textbook_s() {
        assert!((impact().unwrap() - textbook()).amax() < 1e-12);
    }
}
