//! A thousand balls fall into a funnel and pile up.
//!
//! Bodies in maximal coordinates, solved by block Gauss–Seidel under Coulomb's exact law. Each step reports how far
//! it is from a solution, and how deep balls were in one another before it.
//!
//! `cargo run --release --example pile`

use std::error::Error;
use std::f64::consts::FRAC_PI_2;
use std::time::Instant;

use jourdain::Pose;
use jourdain::maximal::{Body, Method, Shape, Solid, World};
use jourdain::playback::{self, Color, Plane, Plot, Scene, Series, Snapshot};
use jourdain_examples::{fact, save};
use nalgebra::{Matrix3, Rotation3, Vector3};

const BALLS: usize = 1000;
const RADIUS: f64 = 0.1;
const FRICTION: f64 = 0.5;
const STEP: f64 = 5e-3;
const STEPS: usize = 600;
/// Steps of a line of the table, and of a picture.
const PART: usize = 50;
const PICTURE: usize = 6;
/// Of the walls, from the middle, m, and from the horizontal, rad.
const WALL: (f64, f64) = (1.2, 1.0);

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = funnel()?;
    fill(&mut world)?;
    println!(
        "{BALLS} balls of {RADIUS} m, steps of {STEP} s; the worst of each {PART} steps, residual in m/s"
    );
    println!(
        "{:>6} {:>6} {:>6} {:>9} {:>9} {:>10}",
        "t, s", "rows", "sweeps", "residual", "m deep", "s a step"
    );
    let mut scene = scene(&world);
    let mut energies = vec![world.kinetic_energy()];
    let mut worst = 0.0_f64;
    for part in 1..=STEPS / PART {
        let begin = Instant::now();
        let (mut rows, mut sweeps, mut residual, mut depth) = (0, 0, 0.0_f64, 0.0_f64);
        for step in 1..=PART {
            let report = world.step(STEP)?;
            let done = PART * (part - 1) + step;
            if done.is_multiple_of(PICTURE) {
                scene.frames.push(snapshot(&world, done as f64 * STEP));
                energies.push(world.kinetic_energy());
            }
            rows = report.rows;
            sweeps = sweeps.max(2 * report.iterations);
            residual = residual.max(report.residual.max());
            depth = depth.max(report.error);
        }
        let time = (PART * part) as f64 * STEP;
        let seconds = begin.elapsed().as_secs_f64() / PART as f64;
        worst = worst.max(residual);
        println!("{time:6.2} {rows:6} {sweeps:6} {residual:9.1e} {depth:9.1e} {seconds:10.4}");
    }
    let lowest = world.bodies().iter().map(|ball| ball.position.z).fold(f64::INFINITY, f64::min);
    println!("at rest but for {:.1e} J, the lowest at {lowest:.4} m", world.kinetic_energy());
    let kinetic = Series { name: "kinetic".into(), values: energies };
    scene.plots.push(Plot { title: "Energy".into(), unit: "J".into(), series: vec![kinetic] });
    scene.facts = vec![
        fact("steps", format!("{STEPS} of {STEP} s")),
        fact("residual", format!("{worst:.1e} m/s")),
        fact("at the end", format!("{:.1e} J", world.kinetic_energy())),
    ];
    save(&scene, "pile")?;
    Ok(())
}

/// The balls in three colours, the ground and the walls; nothing has moved yet.
fn scene(world: &World) -> Scene {
    let colors = [Color::ORANGE, Color::BLUE, Color::CHALK];
    let ball = |k: usize| playback::Body {
        name: format!("ball {k}"),
        shapes: vec![playback::Shape::sphere(RADIUS, colors[k % colors.len()])],
    };
    let wall = |side: u8| {
        let normal = lean(side) * Vector3::z();
        Plane { normal, offset: normal.dot(&foot(side)) }
    };
    Scene {
        title: "Pile".into(),
        subtitle: format!("{BALLS} balls of {RADIUS} m in a funnel, friction {FRICTION}"),
        bodies: (0..BALLS).map(ball).collect(),
        ground: [Plane::HORIZONTAL].into_iter().chain((0..4).map(wall)).collect(),
        frames: vec![snapshot(world, 0.0)],
        ..Scene::default()
    }
}

fn snapshot(world: &World, time: f64) -> Snapshot {
    let poses = world.bodies().iter().map(Body::pose).collect();
    Snapshot { time, poses, forces: Vec::new() }
}

/// How a wall is turned, out of the horizontal.
fn lean(side: u8) -> Rotation3<f64> {
    let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), FRAC_PI_2 * f64::from(side));
    turn * Rotation3::from_axis_angle(&Vector3::y_axis(), WALL.1)
}

/// Where it meets the ground.
fn foot(side: u8) -> Vector3<f64> {
    let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), FRAC_PI_2 * f64::from(side));
    turn * Vector3::x() * -WALL.0
}

/// Ground and four walls that lean outwards.
fn funnel() -> Result<World, Box<dyn Error>> {
    let mut world = World::new(Vector3::new(0.0, 0.0, -9.81));
    world.settings.method = Method::Sweeps { limit: 2000 };
    world.settings.tolerance = 5e-3;
    world.add_solid(solid(None, Shape::HalfSpace))?;
    for side in 0..4 {
        let frame = Pose { rotation: lean(side).into_inner(), position: foot(side) };
        world.add_solid(Solid { frame, ..solid(None, Shape::HalfSpace) })?;
    }
    Ok(world)
}

/// Ten layers of balls above the ground, none exactly above another.
fn fill(world: &mut World) -> Result<(), Box<dyn Error>> {
    for place in 0..BALLS {
        let cell = [place % 10, place / 10 % 10, place / 100].map(|x| x as f64);
        // Multiples of irrational numbers are spread evenly.
        let jitter = [0.618, 0.414, 0.732].map(|x| 0.03 * (x * place as f64).fract());
        let position = Vector3::from_fn(|k, _| {
            let middle = if k == 2 { -0.7 } else { 4.5 };
            0.23 * (cell[k] - middle) + jitter[k]
        });
        let ball = world.add_body(Body::ball(1.0, RADIUS).at(position))?;
        world.add_solid(solid(Some(ball), Shape::Ball { radius: RADIUS }))?;
    }
    Ok(())
}

fn solid(body: Option<usize>, shape: Shape) -> Solid {
    let frame = Pose { rotation: Matrix3::identity(), position: Vector3::zeros() };
    Solid { body, frame, shape, friction: FRICTION, restitution: 0.0, only: None }
}
