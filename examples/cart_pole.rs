//! The cart–pole catches its pole and holds it upright against a push.

use std::error::Error;
use std::f64::consts::PI;

use jourdain::playback::{Color, Plane, Scene, Shape, UnknownBody};
use jourdain::prelude::*;
use jourdain_examples::lqr::Balance;
use jourdain_examples::{fact, plot, save};
use jourdain_models::CartPole;
use nalgebra::{Vector2, Vector3, Vector6, vector};

const ROBOT: CartPole = CartPole { mc: 1.0, mp: 0.2, l: 0.6 };
/// Of the pole from upright at the start, in radians.
const LEAN: f64 = 0.6;
/// On the bob along x, in N, for a tenth of a second.
const PUSH: f64 = 4.0;

fn main() -> Result<(), Box<dyn Error>> {
    let upright = vector![0.0, PI];
    let balance = Balance::new(&ROBOT, upright, [1.0, 1.0, 0.1, 0.1], 0.01);
    let mut controller = |state: &State<CartPole>| vector![balance.input(&state.q, &state.v)];
    let start = upright - vector![0.0, LEAN];
    let mut simulation = Simulation::new(ROBOT)?.state(start, Vector2::zeros())?;
    let mut recording = Recording::new(100.0)?;

    simulation.run_recorded(4.0, &mut controller, &mut recording)?;
    let caught = (simulation.current().q - upright).amax();
    let push = Vector6::new(PUSH, 0.0, 0.0, 0.0, 0.0, 0.0);
    simulation.apply(CartPole::BOB, ReferenceFrame::LocalWorldAligned, push)?;
    simulation.run_recorded(0.1, &mut controller, &mut recording)?;
    simulation.clear_wrenches();
    simulation.run_recorded(5.9, &mut controller, &mut recording)?;
    let settled = (simulation.current().q - upright).amax();
    let inputs = recording.samples().iter().map(|sample| sample.u.x.abs());
    let force = inputs.fold(0.0, f64::max);

    println!("cart–pole, {LEAN} rad from upright, pushed with {PUSH} N for 0.1 s at 4 s");
    println!("error        {caught:.1e} (m, rad) before the push, {settled:.1e} at 10 s");
    println!("motor        {force:.1} N at most");
    let mut scene = Scene::film(&ROBOT, &recording);
    dress(&mut scene)?;
    scene.ground.push(Plane { offset: -0.095, ..Plane::HORIZONTAL });
    scene.plots = vec![
        plot(&recording, "Cart", "m", &[("x", &|s| s.state.q.x)]),
        plot(&recording, "Pole from upright", "rad", &[("θ − π", &|s| s.state.q.y - PI)]),
        plot(&recording, "Motor", "N", &[("u", &|s| s.u.x)]),
    ];
    scene.title = "Cart–pole".into();
    scene.subtitle = "Balanced by a linear–quadratic regulator, pushed at 4 s".into();
    scene.facts = vec![
        fact("largest force", format!("{force:.1} N")),
        fact("error at the end", format!("{settled:.0e}")),
    ];
    save(&scene, "cart_pole")?;
    Ok(())
}

fn dress(scene: &mut Scene) -> Result<(), UnknownBody> {
    let bob = Vector3::new(0.0, 0.0, -ROBOT.l);
    let wheel = |x: f64| Shape::sphere(0.035, Color::STEEL).at(Vector3::new(x, 0.0, -0.06));
    let cart = Shape::cuboid(Vector3::new(0.12, 0.06, 0.045), Color::GRAPHITE);
    scene.dress("cart", [cart, wheel(-0.08), wheel(0.08)])?;
    let aside = Vector3::new(0.0, -0.075, 0.0);
    let rod = Shape::capsule(aside, bob + aside, 0.012, Color::CHALK);
    scene.dress("pole", [rod, Shape::sphere(0.045, Color::ORANGE).at(bob + aside)])
}
