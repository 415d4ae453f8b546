//! What slides.

use jourdain::hybrid::contact::ContactError;
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

use super::nothing;

const G: f64 = 9.81;

/// A point on an incline of the angle a, with coordinates along x and z.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    ground(normal = [sin(a), 0, cos(a)], offset = 0),
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(block, mass = 3),
    joint(z, prismatic(slide -> block), axis = [0, 0, 1], passive),
    contact(foot, on = block, friction = mu),
)]
struct Block {
    a: f64,
    mu: f64,
}

/// Downhill is along (cos a, −sin a).
fn downhill(a: f64, v: &SVector<f64, 2>) -> f64 {
    v[0] * a.cos() - v[1] * a.sin()
}

fn on(a: f64, mu: f64, speed: f64) -> Result<HybridSimulation<Block>, ContactError> {
    let v = vector![a.cos(), -a.sin()] * speed;
    HybridSimulation::new(Block { a, mu })?.state(vector![0.0, 0.0], v)
}

#[test]
fn sticks_below_the_limit_and_slides_above() {
    let a: f64 = 0.3;
    let mut block = on(a, a.tan() * 1.001, 0.0).unwrap();
    block.run(1.0, nothing).unwrap();
    assert_eq!(block.mode_name(), "foot stick");
    assert!(block.events().is_empty() && block.current().v.norm() < 1e-12);

    let mu = 0.2;
    let mut block = on(a, mu, 0.0).unwrap();
    block.run(1.0, nothing).unwrap();
    let expected = G * (a.sin() - mu * a.cos());
    assert_eq!(block.mode_name(), "foot slide");
    assert!((downhill(a, &block.current().v) - expected).abs() < 1e-9);
}

#[test]
fn kicked_up_it_stops_and_stays_or_turns_round() {
    let (a, v0): (f64, f64) = (0.3, 2.0);
    for mu in [0.5, 0.2] {
        let mut block = on(a, mu, -v0).unwrap();
        block.run(1.0, nothing).unwrap();
        let stop = v0 / (G * (a.sin() + mu * a.cos()));
        assert_eq!(block.events().len(), 1);
        assert!((block.events()[0].time() - stop).abs() < 1e-10);
        let slides = mu < a.tan();
        assert_eq!(block.mode_name(), if slides { "foot slide" } else { "foot stick" });
        let after = if slides { (1.0 - stop) * G * (a.sin() - mu * a.cos()) } else { 0.0 };
        assert!((downhill(a, &block.current().v) - after).abs() < 1e-9);
    }
}

/// What another run pushes with decides anew what sticks.
#[test]
fn a_second_run_has_forces_of_its_own() {
    #[derive(Robot, Clone, Copy, Debug)]
    #[robot(
        link(slide, massless),
        joint(x, prismatic(world -> slide), axis = [1, 0, 0], actuated),
        link(block, mass = 2),
        joint(z, prismatic(slide -> block), axis = [0, 0, 1], actuated),
        contact(foot, on = block, friction = 0.5),
    )]
    struct Pushed;

    let pushed = |x: f64, z: f64| move |_: &State<Pushed>| vector![x, z] * (2.0 * G);
    let mut block = HybridSimulation::new(Pushed).unwrap();
    block.run(1.0, pushed(0.0, 0.0)).unwrap();
    assert_eq!(block.mode_name(), "foot stick");
    block.run(1.0, pushed(0.6, 0.0)).unwrap();
    assert!((block.current().v[0] - 0.1 * G).abs() < 1e-9);
    block.run(0.5, pushed(0.0, 1.5)).unwrap();
    assert!((block.current().v[1] - 0.25 * G).abs() < 1e-9);
    let names: Vec<_> = block.modes().into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["foot stick", "foot slide", "foot open"]);
}
