//! The solids by which links touch, and ground of heights, as they are drawn.

use std::path::Path;

use jourdain::contact::Ground;
use jourdain::geometry::Grid;
use jourdain::playback::{Color, Geometry, Scene};
use jourdain::prelude::*;
use nalgebra::{SVector, UnitQuaternion, Vector3};

use crate::{check_structure, page};

/// One solid of each kind, and an arm with a ball at its end.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 1, sphere(radius = 0.12)), joint(a, floating(world -> ball)),
    link(pill, mass = 1, cylinder(radius = 0.08, length = 0.3)), joint(b, floating(world -> pill)),
    link(brick, mass = 1, box(size = [0.3, 0.2, 0.12])), joint(c, floating(world -> brick)),
    link(can, mass = 1, cylinder(radius = 0.1, length = 0.25)), joint(d, floating(world -> can)),
    link(stone, mass = 1, sphere(radius = 0.15)), joint(e, floating(world -> stone)),
    shape(round, on = ball, sphere = 0.12, friction = 0.6),
    shape(bar, on = pill, capsule = [0.08, 0.3], friction = 0.6),
    shape(block, on = brick, box = [0.3, 0.2, 0.12], friction = 0.6),
    shape(drum, on = can, cylinder = [0.1, 0.25], friction = 0.6),
    shape(rock, on = stone, hull = [[0.2, 0, 0], [-0.15, 0.12, 0], [-0.1, -0.15, 0.05], [0, 0, 0.15],
        [0.05, 0.1, -0.12], [0.1, -0.1, -0.1]], friction = 0.6),
    link(arm, mass = 1, com = [0.2, 0, 0], inertia = [0.1, 0.1, 0.1]),
    joint(turn, revolute(world -> arm), axis = [0, 0, 1], at = [-0.9, -0.7, 0.6]),
    contact(tip, on = arm, at = [0.4, 0, 0], sphere = 0.06),
)]
struct Yard;

/// Ridges along y.
fn ridges() -> Grid {
    let height = |i: i32, j: i32| 0.12 * f64::from(i % 3 == 1) + 0.01 * f64::from(j % 4);
    let heights = (0..21).flat_map(|j| (0..25).map(move |i| height(i, j))).collect();
    Grid::new([-1.8, -1.5], [0.15; 2], 25, heights).unwrap()
}

fn fallen() -> Result<Scene, SimulationError> {
    let mut q = Yard.neutral();
    for k in 0..5 {
        let turn = UnitQuaternion::from_euler_angles(0.4 * k as f64, 0.5, 0.2 * k as f64);
        let place = Vector3::new(0.45 * k as f64 - 0.9, if k % 2 == 0 { 0.2 } else { -0.2 }, 0.45);
        q.fixed_rows_mut::<3>(7 * k).copy_from(&place);
        q.fixed_rows_mut::<4>(7 * k + 3).copy_from(&turn.coords);
    }
    let ground = Ground::grid(ridges(), 0.6, 0.0).unwrap();
    let yard = Simulation::new(Yard)?.step_size(2e-3)?.ground(ground)?;
    let mut yard = yard.state(q, SVector::zeros())?;
    let mut recording = Recording::new(50.0)?;
    yard.run_recorded(1.0, |_: &State<Yard>| SVector::zeros(), &mut recording)?;
    let mut scene = Scene::film(&Yard, &recording);
    scene.heights.push(ridges());
    Ok(scene)
}

#[test]
fn links_are_drawn_as_the_solids_that_touch() -> Result<(), SimulationError> {
    let scene = fallen()?;
    let only = |k: usize| {
        assert_eq!(scene.bodies[k].shapes.len(), 1, "{:?}", scene.bodies[k]);
        &scene.bodies[k].shapes[0]
    };
    assert_eq!(only(0).geometry, Geometry::Sphere { radius: 0.12 });
    assert_eq!(only(1).geometry, Geometry::Capsule { radius: 0.08, length: 0.3 });
    let half_extents = Vector3::new(0.15, 0.1, 0.06);
    assert_eq!(only(2).geometry, Geometry::Box { half_extents });
    assert_eq!(only(3).geometry, Geometry::Cylinder { radius: 0.1, length: 0.25 });
    assert!(matches!(&only(4).geometry, Geometry::Hull { points } if points.len() == 6));
    assert!(only(0).color == Color::CHALK && only(1).color == Color::BLUE);
    // The stick, the ball of its joint and that by which it touches, around the end of the stick.
    let arm = &scene.bodies[5].shapes;
    assert_eq!(arm.len(), 3, "{arm:?}");
    assert_eq!(arm[2].geometry, Geometry::Sphere { radius: 0.06 });
    assert!((arm[2].pose.position - Vector3::new(0.4, 0.0, 0.0)).norm() < 1e-12);
    let page = page(&scene);
    check_structure(&page);
    let count = |text: &str| page.matches(text).count();
    // Of this hull all faces are triangles, 2 n − 4 of them.
    let (_, faces) = page.split_once("\"kind\":\"hull\"").unwrap();
    let (_, faces) = faces.split_once("\"faces\":[[[").unwrap();
    assert_eq!(faces.split_once("]]]").unwrap().0.matches("]],[[").count() + 1, 8);
    assert_eq!(count("\"columns\":25"), 1);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("solids.html");
    scene.save(path).unwrap();
    Ok(())
}

#[test]
fn a_hull_without_volume_is_drawn_as_nothing() {
    let flat = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::new(f64::NAN, 0.0, 0.0)];
    let shape = jourdain::playback::Shape::hull(flat, Color::CHALK);
    let body = jourdain::playback::Body { name: "flat".into(), shapes: vec![shape] };
    let page = page(&Scene { bodies: vec![body], ..Scene::default() });
    assert!(page.contains("\"size\":[],\"faces\":[]"));
}
