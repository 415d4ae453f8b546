//! Scenes of recorded runs, and postures that stand where they say.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

use jourdain::playback::{Color, Geometry, Plane, Scene, Shape, UnknownBody};
use jourdain::prelude::*;
use jourdain_models::{G1, Go2, HollowBall, Panda, SlidingBrick, Solo12, WheeledBrick};
use nalgebra::{SVector, Vector3, vector};

fn standing() -> (Scene, Recording<Solo12>) {
    let q = Solo12::standing(0.239);
    let mut simulation = Simulation::new(Solo12).unwrap().state(q, SVector::zeros()).unwrap();
    let mut recording = Recording::new(f64::INFINITY).unwrap();
    simulation.run_recorded(0.005, Pd::new(&Solo12, q, 10.0, 0.3), &mut recording).unwrap();
    (Scene::film(&Solo12, &recording), recording)
}

#[test]
fn a_film_has_every_link_sample_contact_and_curve() {
    let (scene, recording) = standing();
    let names: Vec<_> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    let links: Vec<_> = <Solo12 as Model>::LINKS.iter().map(|link| link.name).collect();
    assert_eq!(names, links);
    assert_eq!(scene.title, "Solo12");
    assert_eq!(scene.frames.len(), 5);
    for (frame, sample) in scene.frames.iter().zip(recording.samples()) {
        assert_eq!(frame.time, sample.state.time);
        assert_eq!(frame.poses, Solo12.link_poses(&sample.state.q));
        let forces: Vec<_> = frame.forces.iter().map(|arrow| arrow.force).collect();
        assert_eq!(forces, sample.forces);
    }
    let curves: Vec<_> = scene.plots.iter().map(|plot| plot.series.len()).collect();
    assert_eq!(curves, [1, 3, 4]);
    assert!(scene.plots.iter().flat_map(|plot| &plot.series).all(|s| s.values.len() == 5));
}

#[test]
fn planes_that_differ_by_rounding_are_one() {
    let (scene, _) = standing();
    let [Plane { normal, offset }] = scene.ground[..] else { panic!("{:?}", scene.ground) };
    assert_eq!(normal, Vector3::z());
    assert!(offset.abs() < 1e-15);
}

#[test]
fn a_wall_stands_where_the_contact_has_it() {
    let brick = WheeledBrick { m: 1.0, e: 0.0 };
    let mut simulation = Simulation::new(brick).unwrap().state(vector![0.3], vector![0.1]).unwrap();
    let mut recording = Recording::new(100.0).unwrap();
    simulation.run_recorded(0.1, |_: &State<_>| vector![0.0], &mut recording).unwrap();
    let scene = Scene::film(&brick, &recording);
    assert_eq!(scene.ground.len(), 1);
    assert_eq!(scene.ground[0].normal, Vector3::x());
    assert!(scene.ground[0].offset.abs() < 1e-15);
}

#[test]
fn what_slides_is_not_tied_to_what_it_slides_on() {
    let brick = SlidingBrick { m: 1.0, mu: 0.0 };
    let start = vector![0.0, 1.0];
    let sticks = |scene: &Scene| {
        let shapes = scene.bodies[0].shapes.iter();
        shapes.filter(|shape| matches!(shape.geometry, Geometry::Capsule { .. })).count()
    };
    for (duration, expected) in [(0.001, 1), (0.1, 0)] {
        let mut simulation =
            Simulation::new(brick).unwrap().state(start, SVector::zeros()).unwrap();
        let mut recording = Recording::new(f64::INFINITY).unwrap();
        simulation.run_recorded(duration, |_: &State<_>| vector![0.0], &mut recording).unwrap();
        assert_eq!(sticks(&Scene::film(&brick, &recording)), expected);
    }
}

#[test]
fn an_empty_recording_is_a_scene_without_motion() {
    let ball = HollowBall { m: 1.0, r: 0.1, mu: 0.5, e: 0.5 };
    let scene = Scene::film(&ball, &Recording::new(1.0).unwrap());
    assert_eq!(scene.bodies.len(), 1);
    assert!(scene.frames.is_empty() && scene.ground.is_empty());
    scene.write(Vec::new()).unwrap();
}

#[test]
fn an_impossible_robot_still_makes_a_page() {
    let ball = HollowBall { m: f64::NAN, r: f64::NEG_INFINITY, mu: f64::NAN, e: f64::NAN };
    let scene = Scene::film(&ball, &Recording::new(1.0).unwrap());
    scene.write(Vec::new()).unwrap();
}

#[test]
fn only_what_is_there_can_be_dressed() {
    let (mut scene, _) = standing();
    let before = scene.clone();
    let refused = scene.dress("base", [Shape::sphere(1.0, Color::RED)]);
    let UnknownBody { name, nearest, known } = refused.unwrap_err();
    let bodies: Vec<_> = before.bodies.iter().map(|body| body.name.clone()).collect();
    assert_eq!((name.as_str(), nearest, known), ("base", None, bodies));
    assert_eq!(scene, before);
    scene.dress("base_link", []).unwrap();
    assert!(scene.bodies[0].shapes.is_empty());
}

#[test]
fn standing_robots_touch_the_ground_with_all_feet_within_a_millimetre() {
    fn spread(gaps: &[f64]) -> f64 {
        gaps.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b))
            - gaps.iter().fold(f64::INFINITY, |a, &b| a.min(b))
    }
    assert!(Solo12.gap(&Solo12::standing(0.239)).amax() < 1e-3);
    assert!(spread(Go2.gap(&Go2::standing(0.3)).as_slice()) < 1e-3);
    assert!(spread(G1.gap(&G1::standing(0.8)).as_slice()) < 1e-3);
}

#[test]
fn the_ready_panda_is_within_its_limits() {
    let (q, limits) = (Panda::ready(), Panda.coordinate_parameters());
    assert!(q.iter().zip(&limits).all(|(q, l)| (l.position[0]..=l.position[1]).contains(q)));
}
