//! A break at pool: sixteen balls roll, slide, spin and hit each other and the cushions, until all are at rest.
//!
//! Rolling resistance and torsional friction of the cloth stop them, under exact Coulomb's law; balls and cushions spring back
//! by Newton's.
//!
//! `cargo run --release --example billiards`

use std::error::Error;

use jourdain::contact::Ground;
use jourdain::playback::{Plot, Series};
use jourdain::prelude::*;
use jourdain::world::{Body, BodyId, Film, WorldReport};
use jourdain_examples::{fact, save};
use nalgebra::Vector3;

/// Of a ball, m and kg.
const RADIUS: f64 = 0.028_575;
const MASS: f64 = 0.17;
/// The field, from cushion to cushion, m, and the cushions' height and width.
const FIELD: [f64; 2] = [2.54, 1.27];
const CUSHION: [f64; 2] = [0.045, 0.06];
/// Of balls that hit each other, of what they hit cushions with, and of the cloth.
const BALL: (f64, f64) = (0.06, 0.95);
const RAIL: (f64, f64) = (0.14, 0.75);
const CLOTH: f64 = 0.2;
/// By how much the pressure of the cloth moves forward under what rolls, m: a hundredth of the weight brakes it.
const ROLLING: f64 = 0.01 * RADIUS;
/// The lever of its friction about the vertical, m: what spins loses 10 rad/s each second.
const SPINNING: f64 = 0.4 * RADIUS * RADIUS * 10.0 / G;
const G: f64 = 9.81;
/// Of the cue ball, m/s; it hits the first ball by this much beside its middle, m.
const SPEED: f64 = 7.0;
const ASIDE: f64 = 0.004;
/// Pictures a second.
const RATE: f64 = 30.0;
const LONGEST: f64 = 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut world = table()?;
    let balls = rack(&mut world)?;
    let mut film = Film::new(RATE)?.without_forces();
    let (mut energies, mut worst) = (Vec::new(), WorldReport::default());
    println!("{:>6} {:>7} {:>8} {:>10} {:>9}", "t, s", "moving", "m/s", "J", "residual");
    while moving(&world, &balls)?.0 > 0 && world.time() < LONGEST {
        let report = world.run_filmed(1.0 / RATE, &mut film)?;
        energies.push(kinetic(&world, &balls)?);
        worst.residual = worst.residual.worse(&report.residual);
        worst.steps += report.steps;
        if energies.len() % (2 * RATE as usize) == 1 {
            let (count, fastest) = moving(&world, &balls)?;
            let (time, energy, residual) = (world.time(), energies.last(), worst.residual.max());
            let energy = energy.copied().unwrap_or_default();
            println!("{time:6.2} {count:7} {fastest:8.3} {energy:10.5} {residual:9.1e}");
        }
    }
    println!("all at rest after {:.2} s", world.time());
    let mut scene = film.scene();
    scene.title = "Billiards".into();
    scene.subtitle =
        format!("A break at {SPEED} m/s: rolling resistance stops what friction does not");
    energies.truncate(scene.frames.len());
    let kinetic = Series { name: "kinetic".into(), values: energies };
    scene.plots.push(Plot { title: "Energy".into(), unit: "J".into(), series: vec![kinetic] });
    scene.facts = vec![
        fact("steps", format!("{} of {} s", worst.steps, world.time_step())),
        fact("residual", format!("{:.1e}", worst.residual.max())),
        fact("at rest after", format!("{:.1} s", world.time())),
    ];
    save(&scene, "billiards")?;
    Ok(())
}

/// The cloth and four cushions.
fn table() -> Result<World, Box<dyn Error>> {
    let cloth = Ground::plane(Vector3::z(), 0.0, CLOTH, 0.0)?;
    let mut world = World::new().ground(cloth.rolling(ROLLING)?.torsion(SPINNING)?);
    // With a ball each coefficient is √(ab).
    let [friction, restitution] = [RAIL.0 * RAIL.0 / BALL.0, RAIL.1 * RAIL.1 / BALL.1];
    let [[x, y], [height, width]] = [FIELD, CUSHION];
    let sides = [
        ("head", [width, y + 2.0 * width], [-0.5 * (x + width), 0.0]),
        ("foot", [width, y + 2.0 * width], [0.5 * (x + width), 0.0]),
        ("right", [x, width], [0.0, -0.5 * (y + width)]),
        ("left", [x, width], [0.0, 0.5 * (y + width)]),
    ];
    for (name, [length, depth], [at_x, at_y]) in sides {
        let rail = Body::cuboid([length, depth, height])?;
        let rail = rail.friction(friction)?.restitution(restitution)?;
        world.fix(name, &rail, &Pose::at(at_x, at_y, 0.5 * height))?;
    }
    Ok(world)
}

/// Fifteen balls in a triangle, hardly apart, and the cue ball on its way.
fn rack(world: &mut World) -> Result<Vec<BodyId>, Box<dyn Error>> {
    let ball = Body::ball(RADIUS)?.mass(MASS)?.friction(BALL.0)?.restitution(BALL.1)?;
    let mut balls = Vec::new();
    let pitch = 2.0 * RADIUS + 1e-5;
    for row in 0..5 {
        for k in 0..=row {
            let x = 0.25 * FIELD[0] + f64::from(row) * pitch * 0.75_f64.sqrt();
            let y = (f64::from(k) - 0.5 * f64::from(row)) * pitch;
            let name = format!("ball {}", balls.len() + 1);
            balls.push(world.add_body(name, &ball, &Pose::at(x, y, RADIUS))?);
        }
    }
    let start = Pose::at(-0.25 * FIELD[0], ASIDE, RADIUS);
    let cue = world.add_body("cue ball", &ball, &start)?;
    world.move_body(cue, &start, [Vector3::new(SPEED, 0.0, 0.0), Vector3::zeros()])?;
    balls.push(cue);
    Ok(balls)
}

/// How many balls move or spin, and how fast the fastest is, m/s.
fn moving(world: &World, balls: &[BodyId]) -> Result<(usize, f64), Box<dyn Error>> {
    let (mut count, mut fastest) = (0, 0.0);
    for &ball in balls {
        let [linear, angular] = world.velocity(ball)?;
        let speed = linear.norm().max(RADIUS * angular.norm());
        count += usize::from(speed > 1e-6);
        fastest = f64::max(fastest, speed);
    }
    Ok((count, fastest))
}

/// J.
fn kinetic(world: &World, balls: &[BodyId]) -> Result<f64, Box<dyn Error>> {
    let mut energy = 0.0;
    for &ball in balls {
        let [linear, angular] = world.velocity(ball)?;
        let turning = 0.4 * RADIUS * RADIUS * angular.norm_squared();
        energy += 0.5 * MASS * (linear.norm_squared() + turning);
    }
    Ok(energy)
}
