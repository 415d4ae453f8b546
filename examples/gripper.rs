//! A gripper takes a cube from the top of a heap, and puts it down beside it.
//!
//! The gripper and the cubes are described each for itself; they touch each other, the table and the ground in one world, under
//! Coulomb's exact law. The cube is held by friction alone.
//!
//! `cargo run --release --example gripper`

use std::error::Error;
use std::time::Instant;

use jourdain::prelude::*;
use jourdain::world::{Body, BodyId, Film, RobotId, WorldReport};
use jourdain_examples::{fact, save};
use nalgebra::{SVector, Vector3};

/// A gantry with two fingers.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(bridge, mass = 4),
    joint(along, prismatic(world -> bridge), at = [0, 0, 0.75], axis = [1, 0, 0], friction = 1),
    link(column, mass = 2),
    joint(up, prismatic(bridge -> column), axis = [0, 0, 1], friction = 1),
    link(left, mass = 0.2, inertia = [2e-4, 2e-4, 2e-4]),
    joint(left, prismatic(column -> left), at = [0, -0.06, 0], axis = [0, 1, 0], limits = [0, 0.06], friction = 0.2),
    link(right, mass = 0.2, inertia = [2e-4, 2e-4, 2e-4]),
    joint(right, prismatic(column -> right), at = [0, 0.06, 0], axis = [0, -1, 0], limits = [0, 0.06], friction = 0.2),
    shape(rail, on = column, box = [0.06, 0.2, 0.03]),
    shape(left_finger, on = left, box = [0.03, 0.01, 0.12], at = [0, 0, -0.07], friction = 0.9),
    shape(right_finger, on = right, box = [0.03, 0.01, 0.12], at = [0, 0, -0.07], friction = 0.9),
)]
struct Gripper;

const EDGE: f64 = 0.06;
const TABLE: f64 = 0.2;
/// Rows of the layers of the heap.
const LAYERS: [usize; 4] = [4, 3, 2, 1];

/// Where the joints of the gripper shall be, and by when.
const WAY: [(f64, [f64; 4]); 7] = [
    (0.3, [0.0, 0.0, 0.0, 0.0]),
    (0.8, [0.0, -0.205, 0.0, 0.0]),
    (1.1, [0.0, -0.205, 0.035, 0.035]),
    (1.7, [0.0, 0.0, 0.035, 0.035]),
    (2.6, [0.35, 0.0, 0.035, 0.035]),
    (3.4, [0.35, -0.385, 0.035, 0.035]),
    (3.8, [0.35, -0.385, 0.0, 0.0]),
];
const END: f64 = 4.2;

fn main() -> Result<(), Box<dyn Error>> {
    let (mut world, gripper, cubes) = build()?;
    let top = cubes[cubes.len() - 1];
    let start = world.pose(top)?.position;
    let (mut film, mut report, begin) =
        (Film::new(60.0)?.without_forces(), WorldReport::default(), Instant::now());
    let (mut highest, steps) = (start.z, (END / world.time_step()).round() as usize);
    for _ in 0..steps {
        drive(&mut world, gripper)?;
        let step = world.run_filmed(world.time_step(), &mut film)?;
        report.residual = report.residual.worse(&step.residual);
        report.largest_island = report.largest_island.max(step.largest_island);
        highest = highest.max(world.pose(top)?.position.z);
    }
    let seconds = begin.elapsed().as_secs_f64();
    let end = world.pose(top)?.position;
    println!("{} cubes; at most {} bodies in one island", cubes.len(), report.largest_island);
    println!(
        "the top one was lifted by {:.3} m and stands {:.3} m further",
        highest - start.z,
        end.x - start.x
    );
    println!("largest residual {:.1e}; {END} s in {seconds:.1} s", report.residual.max());
    let is_done = (end.x - start.x - 0.35).abs() < 0.01
        && (end.z - TABLE - 0.5 * EDGE).abs() < 1e-4
        && highest > start.z + 0.15
        && report.residual.max() <= 1e-9;
    if !is_done {
        return Err(format!("the cube stands at {end:?}, after a height of {highest}").into());
    }
    let mut scene = film.scene();
    scene.title = "A gripper and a heap of cubes".into();
    scene.subtitle = "Robots and bodies in one world, under Coulomb's exact law.".into();
    scene.facts = vec![
        fact("cubes", cubes.len().to_string()),
        fact("largest residual", format!("{:.0e}", report.residual.max())),
    ];
    save(&scene, "gripper")?;
    Ok(())
}

/// The world, what grips, and what there is to be gripped.
type Scenery = (World, RobotId<Gripper>, Vec<BodyId>);

/// A table, a heap on it, and the gripper above.
fn build() -> Result<Scenery, Box<dyn Error>> {
    let mut world = World::new().ground(Ground::plane(Vector3::z(), 0.0, 0.6, 0.0)?);
    let table = Body::cuboid([1.2, 0.6, TABLE])?.friction(0.6)?;
    world.fix("table", &table, &Pose::at(0.2, 0.0, 0.5 * TABLE))?;
    let cube = Body::cuboid([EDGE; 3])?.mass(0.1)?.friction(0.6)?;
    let (mut cubes, mut z) = (Vec::new(), TABLE + 0.5 * EDGE);
    for rows in LAYERS {
        let place = |k: usize| (k as f64 - 0.5 * (rows - 1) as f64) * (EDGE + 1e-3);
        for i in 0..rows * rows {
            let pose = Pose::at(place(i % rows), place(i / rows), z);
            cubes.push(world.add_body(format!("cube {}", cubes.len()), &cube, &pose)?);
        }
        z += EDGE + 1e-5;
    }
    let gripper = world.add("gripper", Simulation::new(Gripper)?, &Pose::default())?;
    Ok((world, gripper, cubes))
}

/// Has the servos of all joints go their way, each from one place to the next.
fn drive(world: &mut World, gripper: RobotId<Gripper>) -> Result<(), Box<dyn Error>> {
    let time = world.time();
    let next = WAY.iter().position(|(until, _)| time < *until).unwrap_or(WAY.len() - 1);
    let (from, before) = if next == 0 { (0.0, [0.0; 4]) } else { WAY[next - 1] };
    let (until, after) = WAY[next];
    let share = ((time - from) / (until - from)).clamp(0.0, 1.0);
    let target = SVector::from(before).lerp(&SVector::from(after), share);
    let joints = ["along", "up", "left", "right"].into_iter().zip(target.iter());
    let robot = world.robot_mut(gripper)?;
    for (k, (joint, &position)) in joints.enumerate() {
        let (stiffness, damping, force) = if k < 2 { (2e5, 4e3, 500.0) } else { (2e3, 40.0, 12.0) };
        let servo = Motor::Servo { stiffness, damping, position, velocity: 0.0, force };
        robot.set_motor(joint, Some(servo))?;
    }
    Ok(())
}
