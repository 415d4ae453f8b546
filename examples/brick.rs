//! Two bricks: one on wheels is pushed against a wall, one is pushed along the ground and slides to
//! rest. Every step is compared with the step that can be written down.

use std::error::Error;

use jourdain::playback::{Color, Plane, Scene, Shape};
use jourdain::prelude::*;
use jourdain_examples::{fact, plot, save};
use jourdain_models::{SlidingBrick, WheeledBrick};
use nalgebra::{Vector3, vector};

const H: f64 = 1e-3;
const G: f64 = 9.81;
/// Half of the edges of what is drawn, in metres.
const HALF: [f64; 3] = [0.1, 0.06, 0.04];

fn main() -> Result<(), Box<dyn Error>> {
    let (mut scene, error) = against_the_wall()?;
    println!("wheeled brick, pushed against a wall");
    println!("step         {error:.1e} (m, m/s, N) at most from the one by hand");
    scene.facts = vec![fact("from the step by hand", format!("{error:.0e}"))];
    save(&scene, "wheeled_brick")?;

    let (mut scene, error) = along_the_ground()?;
    println!("sliding brick, pushed for 1 s and left to itself");
    println!("step         {error:.1e} m/s at most from the one by hand");
    scene.facts = vec![fact("from the step by hand", format!("{error:.0e}"))];
    save(&scene, "brick")?;
    Ok(())
}

/// q⁺ = max(0, q + h v + h² u/m), and the force is what that takes.
fn against_the_wall() -> Result<(Scene, f64), Box<dyn Error>> {
    let robot = WheeledBrick { m: 2.0, e: 0.0 };
    let mut simulation = Simulation::new(robot)?.state(vector![0.8], vector![0.0])?;
    let mut recording = Recording::new(100.0)?;
    let mut error: f64 = 0.0;
    for k in 0..3000 {
        let u = if k < 2000 { -3.0 } else { 4.0 };
        let (q, v) = (simulation.current().q.x, simulation.current().v.x);
        let free = q + H * v + H * H * u / robot.m;
        simulation.run_recorded(H, |_: &State<_>| vector![u], &mut recording)?;
        let force = simulation.impulse().normal[0] / H;
        let expected = [free.max(0.0), (-free).max(0.0) * robot.m / (H * H)];
        let found = [simulation.current().q.x, force];
        error = found.iter().zip(expected).fold(error, |e, (a, b)| e.max((a - b).abs()));
    }
    let mut scene = Scene::film(&robot, &recording);
    let middle = Vector3::new(HALF[0], 0.0, 0.0);
    let wheel = |x: f64| Shape::sphere(0.03, Color::GRAPHITE).at(Vector3::new(x, 0.0, -0.04));
    let shapes = [brick().at(middle), wheel(0.04), wheel(0.16)];
    scene.dress("brick", shapes)?;
    scene.ground.push(Plane { offset: -0.07, ..Plane::HORIZONTAL });
    scene.plots[0] = plot(&recording, "Distance from the wall", "m", &[("x", &|s| s.state.q.x)]);
    scene.title = "Brick on wheels".into();
    scene.subtitle = "Pushed against a wall for 2 s, then pulled away".into();
    Ok((scene, error))
}

/// v⁺ is v + h u/m, brought nearer to zero by h μ g at most.
fn along_the_ground() -> Result<(Scene, f64), Box<dyn Error>> {
    let robot = SlidingBrick { m: 2.0, mu: 0.3 };
    let mut simulation = Simulation::new(robot)?;
    let mut recording = Recording::new(100.0)?;
    let mut error: f64 = 0.0;
    for k in 0..3000 {
        let u = if k < 1000 { 9.0 } else { 0.0 };
        let free = simulation.current().v.x + H * u / robot.m;
        simulation.run_recorded(H, |_: &State<_>| vector![u], &mut recording)?;
        let expected = free - free.clamp(-H * robot.mu * G, H * robot.mu * G);
        error = error.max((simulation.current().v.x - expected).abs());
    }
    let mut scene = Scene::film(&robot, &recording);
    scene.dress("carriage", [])?;
    scene.dress("brick", [brick().at(Vector3::new(0.0, 0.0, HALF[2]))])?;
    scene.plots[0] = plot(&recording, "Speed", "m/s", &[("ẋ", &|s| s.state.v.x)]);
    scene.title = "Brick with friction".into();
    scene.subtitle = "Pushed with 9 N for 1 s, then sliding to rest; friction 0.3".into();
    Ok((scene, error))
}

fn brick() -> Shape {
    Shape::cuboid(HALF.into(), Color::CHALK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_the_one_by_hand() {
        assert!(against_the_wall().unwrap().1 < 1e-9);
        assert!(along_the_ground().unwrap().1 < 1e-12);
    }
}
