//! Robots among others.

use jourdain::prelude::*;
use jourdain::world::Body;
use nalgebra::{SVector, vector};

/// A box on four feet with a wheel that a motor turns.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(trunk, box(size = [0.4, 0.2, 0.1]), mass = 4),
    joint(base, floating(world -> trunk)),
    contact(feet, on = trunk, box = [0.4, 0.2, 0.1], friction = 0.7),
    shape(back, on = trunk, box = [0.4, 0.2, 0.1], friction = 0.7),
    link(wheel, mass = 0.4, inertia = [2e-3, 3e-3, 2e-3]),
    joint(axle, revolute(trunk -> wheel), axis = [0, 1, 0], friction = 0.01, actuated),
)]
struct Cart;

fn standing(x: f64) -> SVector<f64, 8> {
    vector![x, 0.0, 0.05, 0.0, 0.0, 0.0, 1.0, 0.0]
}

fn cart(x: f64) -> Simulation<Cart> {
    let v = vector![0.3, 0.0, 0.0, 0.0, 0.0, 0.2, 1.0];
    Simulation::new(Cart).unwrap().state(standing(x), v).unwrap()
}

/// Drives the wheel by what it sees of its own state.
fn controller(state: &State<Cart>) -> SVector<f64, 1> {
    vector![0.2 * (3.0 * state.time).sin() - 0.01 * state.v[6]]
}

#[test]
fn what_touches_nothing_else_moves_as_alone() {
    let mut alone = cart(0.0);
    let mut world = World::new();
    let ids =
        [0.0, 2.0].map(|x| world.add(format!("cart at {x}"), cart(x), &Pose::default()).unwrap());
    world.control(ids[0], controller).unwrap();
    for _ in 0..300 {
        alone.step_with(&mut controller).unwrap();
        world.step().unwrap();
        assert_eq!(world.robot(ids[0]).unwrap().current(), alone.current());
    }
    let other = world.robot(ids[1]).unwrap().current();
    assert!(other.v[6].abs() < 1.1 && other.q[0] > 2.0, "{other:?}");
}

/// Its feet are on the ground of its description, and a load is on its back.
#[test]
fn a_robot_carries_a_load() {
    let mut world = World::new();
    let still = Simulation::new(Cart).unwrap().state(standing(0.0), SVector::zeros()).unwrap();
    let id = world.add("cart", still, &Pose::default()).unwrap();
    let load = Body::cuboid([0.1; 3]).unwrap().mass(2.0).unwrap().friction(0.7).unwrap();
    let load = world.add_body("load", &load, &Pose::at(0.05, 0.03, 0.1501)).unwrap();
    world.run(0.2).unwrap();
    let normal: f64 = world.robot(id).unwrap().impulse().normal.iter().sum::<f64>() / 1e-3;
    assert!((normal - 6.4 * 9.81).abs() < 1e-5, "{normal}");
    assert!((world.pose(load).unwrap().position.z - 0.15).abs() < 1e-8);
    // Pushed, it takes the load along.
    let pushed = world.robot_mut(id).unwrap();
    let mut v = SVector::<f64, 7>::zeros();
    v[0] = 0.3;
    pushed.reset(standing(0.0), v).unwrap();
    let report = world.run(0.02).unwrap();
    assert!(report.residual.max() <= 1e-9);
    assert!(world.velocity(load).unwrap()[0].x > 0.05);
}

/// Feet of a robot stand on a body that slides beneath it, above the ground of its description.
#[test]
fn feet_stand_on_a_body() {
    let floor = Ground::plane(nalgebra::Vector3::z(), 0.0, 0.0, 0.0).unwrap();
    let mut world = World::new().ground(floor);
    let slab = Body::cuboid([1.0, 1.0, 0.1]).unwrap().mass(20.0).unwrap().friction(0.7).unwrap();
    let slab = world.add_body("slab", &slab, &Pose::at(0.0, 0.0, 0.05)).unwrap();
    let mut q = standing(0.0);
    q[2] += 0.1;
    let mut v = SVector::<f64, 7>::zeros();
    v[0] = 0.5;
    let moving = Simulation::new(Cart).unwrap().state(q, v).unwrap();
    let id = world.add("cart", moving, &Pose::default()).unwrap();
    let report = world.run(0.5).unwrap();
    assert!(report.residual.max() <= 1e-9, "{report:?}");
    let of_cart = world.robot(id).unwrap().current();
    let of_slab = world.velocity(slab).unwrap()[0];
    let momentum = 4.4 * of_cart.v[0] + 20.0 * of_slab.x;
    assert!((momentum - 4.4 * 0.5).abs() < 1e-8, "{momentum}");
    assert!((of_cart.v[0] - of_slab.x).abs() < 1e-6, "{of_cart:?}, {of_slab}");
    assert!((of_cart.q[2] - 0.15).abs() < 1e-7);
}

/// What has no joint stands still.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(plate, mass = 1),
    joint(bolt, fixed(world -> plate), at = [0, 0, 0.3]),
    shape(plate, on = plate, box = [0.4, 0.4, 0.02], friction = 0.5),
)]
struct Shelf;

#[test]
fn a_robot_without_coordinates_carries_what_falls() {
    let mut world = World::new();
    let shelf = Simulation::new(Shelf).unwrap();
    world.add("shelf", shelf, &Pose::at(0.0, 0.0, 1.0)).unwrap();
    let wall = Body::cuboid([0.1; 3]).unwrap();
    world.fix("wall", &wall, &Pose::at(0.0, 0.0, 1.24)).unwrap();
    let cube = Body::cuboid([0.1; 3]).unwrap().friction(0.5).unwrap();
    let cube = world.add_body("cube", &cube, &Pose::at(0.1, 0.1, 1.38)).unwrap();
    world.run(0.3).unwrap();
    let z = world.pose(cube).unwrap().position.z;
    assert!((z - 1.36).abs() < 1e-7, "{z}");
}
