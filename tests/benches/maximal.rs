//! Steps of bodies in maximal coordinates: `cargo bench --package jourdain-tests --bench maximal`.
//!
//! Chains of hinged boxes, by elimination along the tree, whose time for a body should not depend on their length;
//! and balls that lie in a funnel, by block Gauss–Seidel.

#[path = "common/quick.rs"]
mod quick;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use jourdain::Pose;
use jourdain::maximal::{Body, Joint, Kind, Method, Shape, Solid, World};
use nalgebra::{Matrix3, Rotation3, Vector3};

const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);

/// Boxes of 1 m in a row, released level from the world.
fn chain(count: usize) -> World {
    let mut world = World::new(GRAVITY);
    let rotation = Matrix3::from_columns(&[Vector3::z(), Vector3::x(), Vector3::y()]);
    for k in 0..count {
        let start = Vector3::x() * k as f64;
        let link = Body::cuboid(1.0, Vector3::new(1.0, 0.1, 0.1));
        world.add_body(link.at(start + 0.5 * Vector3::x())).expect("a body");
        let frame = Pose { rotation, position: start };
        let bodies = [k.checked_sub(1), Some(k)];
        let joint = Joint::here(Kind::Hinge, bodies, &frame, world.bodies()).expect("bodies");
        world.add_joint(joint).expect("a joint");
    }
    world
}

/// Balls in a funnel, after two seconds of steps of 5 ms.
fn pile(layers: usize) -> World {
    let mut world = World::new(GRAVITY);
    world.settings.method = Method::Sweeps { limit: 2000 };
    world.settings.tolerance = 5e-3;
    let level = Pose { rotation: Matrix3::identity(), position: Vector3::zeros() };
    let ground = Solid {
        body: None,
        frame: level,
        shape: Shape::HalfSpace,
        friction: 0.5,
        restitution: 0.0,
        only: None,
    };
    world.add_solid(ground).expect("a solid");
    for k in 0..4 {
        let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), 1.57 * f64::from(k));
        let lean = Rotation3::from_axis_angle(&Vector3::y_axis(), 1.0);
        let rotation = (turn * lean).into_inner();
        let frame = Pose { rotation, position: turn * Vector3::x() * -0.6 };
        world.add_solid(Solid { frame, ..ground }).expect("a solid");
    }
    let mut numbers = fastrand::Rng::with_seed(7);
    for place in 0..25 * layers {
        let cell = [place % 5, place / 5 % 5, place / 25].map(|x| x as f64);
        let jitter = Vector3::from_fn(|_, _| 0.03 * numbers.f64());
        let at = 0.23 * Vector3::new(cell[0] - 2.0, cell[1] - 2.0, cell[2] + 0.7) + jitter;
        let body = Some(world.add_body(Body::ball(1.0, 0.1).at(at)).expect("a body"));
        let shape = Shape::Ball { radius: 0.1 };
        world.add_solid(Solid { body, shape, ..ground }).expect("a solid");
    }
    for _ in 0..400 {
        world.step(5e-3).expect("a step");
    }
    world
}

fn chains(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("chain");
    for count in [10, 100, 1000] {
        let mut world = chain(count);
        group.throughput(Throughput::Elements(count as u64));
        group.bench_function(BenchmarkId::from_parameter(count), |bencher| {
            bencher.iter(|| world.step(1e-5).expect("a step"));
        });
    }
    group.finish();
}

fn piles(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pile");
    for layers in [4, 16] {
        let mut world = pile(layers);
        group.bench_function(BenchmarkId::from_parameter(25 * layers), |bencher| {
            bencher.iter(|| world.step(5e-3).expect("a step"));
        });
    }
    group.finish();
}

criterion_group! { name = benches; config = quick::quick(); targets = chains, piles }
criterion_main!(benches);
