//! What overlaps, is beyond a limit or apart at a joint is put right by displacements, which leave kinetic energy as it is.

use jourdain::Pose;
use jourdain::maximal::{Body, Joint, Kind, Limit, Method, Shape, Solid, World};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use crate::correction::KINDS;
use crate::numbers::Numbers;
use crate::{body, frame, vector};

const G: f64 = 10.0;
const H: f64 = 1e-3;
const DEPTHS: [f64; 3] = [1e-4, 1e-3, 1e-2];
const METHODS: [Method; 3] =
    [Method::Direct, Method::Sweeps { limit: 10_000 }, Method::Newton { limit: 100 }];

fn solid(body: Option<usize>, shape: Shape, restitution: f64) -> Solid {
    let frame = Pose { rotation: Matrix3::identity(), position: Vector3::zeros() };
    Solid { body, frame, shape, friction: 0.5, restitution, only: None }
}

/// Ground at z = 0, with each method, depth, restitution and share.
fn grounds(weight: f64, mut test: impl FnMut(World, f64, f64, f64)) {
    for (method, depth) in METHODS.into_iter().flat_map(|m| DEPTHS.map(|depth| (m, depth))) {
        for (restitution, share) in [(0.0, 1.0), (0.5, 1.0), (0.0, 0.1), (0.0, 0.0)] {
            let mut world = World::new(Vector3::new(0.0, 0.0, -weight));
            (world.settings.method, world.settings.reduction) = (method, share);
            world.add_solid(solid(None, Shape::HalfSpace, restitution)).unwrap();
            test(world, depth, restitution, share);
        }
    }
}

/// The most that kinetic, and that potential energy rises to above that of the start.
fn rises(world: &mut World, steps: usize) -> [f64; 2] {
    let energies = |world: &World| [world.kinetic_energy(), world.potential_energy()];
    let (start, mut most) = (energies(world), [f64::NEG_INFINITY; 2]);
    for _ in 0..steps {
        world.step(H).unwrap();
        let now = energies(world);
        (0..2).for_each(|k| most[k] = most[k].max(now[k] - start[k]));
    }
    most
}

#[test]
fn what_starts_in_the_ground_is_lifted_and_rests() {
    let size = Vector3::repeat(0.2);
    let ball = (Body::ball(2.0, 0.1), Shape::Ball { radius: 0.1 });
    for (body, shape) in [ball, (Body::cuboid(2.0, size), Shape::Box { size })] {
        grounds(G, |mut world, depth, restitution, share| {
            world.add_body(body.clone().at(Vector3::z() * (0.1 - depth))).unwrap();
            world.add_solid(solid(Some(0), shape, restitution)).unwrap();
            let [kinetic, potential] = rises(&mut world, 200);
            let lift = 2.0 * G * depth;
            assert!(kinetic <= 1e-12, "{shape:?}, {depth}, {share}: {kinetic:e} J");
            assert!(potential <= lift * 1.000_001, "{shape:?}, {depth}, {share}: {potential:e}");
            let gap = world.bodies()[0].position.z - 0.1;
            let left = depth * (1.0 - share).powi(200);
            assert!((gap + left).abs() < 1e-9, "{shape:?}, {depth}, {share}: {gap:e}");
        });
    }
}

#[test]
fn what_slides_in_the_ground_gains_no_speed() {
    let size = Vector3::repeat(0.2);
    grounds(G, |mut world, depth, restitution, _| {
        let mut body = Body::cuboid(2.0, size).at(Vector3::z() * (0.1 - depth));
        body.linear = Vector3::new(1.0, 0.3, 0.0);
        world.add_body(body).unwrap();
        world.add_solid(solid(Some(0), Shape::Box { size }, restitution)).unwrap();
        let [kinetic, potential] = rises(&mut world, 200);
        assert!(kinetic < 0.0 && potential <= 2.0 * G * depth * 1.000_001, "{depth}: {kinetic}");
        let speed = world.bodies()[0].linear;
        assert!(speed.z.abs() < 1e-8 && speed.x < 1.0, "{depth}: {speed}");
    });
}

/// Without weight, they part to where they touch, and their centre stays.
#[test]
fn balls_that_overlap_do_not_fly_apart() {
    grounds(0.0, |mut world, depth, restitution, share| {
        let places = [0.0, 0.2 - depth];
        for (mass, x) in [2.0, 1.0].into_iter().zip(places) {
            let at = Vector3::new(x, 0.0, 1.0);
            let ball = Some(world.add_body(Body::ball(mass, 0.1).at(at)).unwrap());
            world.add_solid(solid(ball, Shape::Ball { radius: 0.1 }, restitution)).unwrap();
        }
        let [kinetic, _] = rises(&mut world, 200);
        assert!(kinetic <= 1e-12, "{depth}: {kinetic:e} J");
        let [first, second] = [0, 1].map(|k| world.bodies()[k].position.x);
        let left = depth * (1.0 - share).powi(200);
        assert!((second - first - 0.2 + left).abs() < 1e-9, "{depth}, {share}");
        assert!((2.0 * first + second - places[1]).abs() < 1e-12, "{depth}, {share}");
    });
}

/// A rod that spins about its long axis with its foot in the ground. Its inertia across is 1250 times that along, so that
/// an angular velocity that stayed where it was while the rod is lifted would be one of more energy.
#[test]
fn a_rod_that_spins_keeps_its_energy_while_it_is_lifted() {
    grounds(0.0, |mut world, depth, restitution, share| {
        let mut rod = Body::cuboid(1.0, Vector3::new(0.02, 0.02, 1.0));
        rod.rotation = UnitQuaternion::from_scaled_axis(Vector3::y());
        rod.angular = rod.rotation * (30.0 * Vector3::z());
        rod.position.z = 0.5 * 1.0_f64.cos() - depth;
        world.add_body(rod).unwrap();
        let mut foot = solid(Some(0), Shape::Point, restitution);
        foot.frame.position.z = -0.5;
        world.add_solid(foot).unwrap();
        let [kinetic, _] = rises(&mut world, 20);
        assert!(kinetic <= 1e-12, "{depth}, {share}: {kinetic:e} J");
    });
}

/// An arm of two boxes on hinges about y, with a stop at the elbow and a foot, bent beyond both; its centre of mass is
/// where nothing has a weight to fall by.
fn arm(mut world: World, depth: f64) -> World {
    let bend = 0.5 + depth;
    let turn = |angle: f64| UnitQuaternion::from_scaled_axis(angle * Vector3::y());
    let (upper, lower) = (turn(0.2), turn(0.2 + bend));
    let links = [(upper, Vector3::zeros()), (lower, upper * Vector3::x() * 0.4)];
    let height = -(links[1].1 + lower * Vector3::x() * 0.4).z - depth;
    let size = Vector3::new(0.4, 0.05, 0.05);
    for (rotation, start) in links {
        let start = start + Vector3::z() * height;
        let mut link = Body::cuboid(1.0, size).at(start + rotation * Vector3::x() * 0.2);
        link.rotation = rotation;
        let k = world.add_body(link).unwrap();
        let bodies = [k.checked_sub(1), Some(k)];
        let pivot = frame(start, Vector3::y());
        let hinge = Joint::here(Kind::Hinge, bodies, &pivot, world.bodies()).unwrap();
        world.add_joint(hinge).unwrap();
    }
    let ends = [f64::NEG_INFINITY, -depth];
    world.add_limit(Limit::Range { joint: 1, coordinate: 0, ends }).unwrap();
    let mut foot = solid(Some(1), Shape::Point, 0.0);
    foot.frame.position.x = 0.2;
    world.add_solid(foot).unwrap();
    world
}

#[test]
fn an_arm_in_the_ground_and_beyond_its_stop_gains_nothing() {
    grounds(0.0, |world, depth, _, share| {
        let mut world = arm(world, depth);
        let [kinetic, _] = rises(&mut world, 200);
        assert!(kinetic <= 1e-12, "{depth}: {kinetic:e} J");
        if share == 1.0 {
            let gap = world.contacts(0.1)[0].gap();
            let beyond = world.coordinate(1).unwrap() + depth;
            assert!(gap > -1e-9 && beyond < 1e-9, "{depth}: {gap:e} m, {beyond:e} rad");
        }
    });
}

/// Bodies in any motion, apart at their joint by a centimetre and ten milliradians, or by a tenth of that: of the speed
/// that does not go together with the joint some is lost, and none gained.
#[test]
fn what_is_apart_at_a_joint_gains_no_energy() {
    let numbers = &mut Numbers(17);
    for (case, kind) in KINDS.into_iter().cycle().take(60).enumerate() {
        let mut world = World::new(Vector3::zeros());
        (0..2).for_each(|_| assert!(world.add_body(body(numbers)).is_ok()));
        let here = frame(vector(numbers), vector(numbers).normalize());
        let joint = Joint::here(kind, [Some(0), Some(1)], &here, world.bodies()).unwrap();
        world.add_joint(joint).unwrap();
        let by = [1e-2, 1e-3][case / 30];
        let other = &mut world.bodies_mut()[1];
        other.position += by * vector(numbers);
        other.rotation = UnitQuaternion::from_scaled_axis(by * vector(numbers)) * other.rotation;
        let [kinetic, _] = rises(&mut world, 3);
        assert!(kinetic <= 1e-12, "{case} {kind:?}: {kinetic:e} J");
    }
}

/// A rod that spins about its long axis, with its end apart from a ball joint across the axis.
#[test]
fn a_rod_that_spins_keeps_its_energy_while_it_is_joined() {
    for (method, depth) in METHODS.into_iter().flat_map(|m| DEPTHS.map(|depth| (m, depth))) {
        let mut world = World::new(Vector3::zeros());
        world.settings.method = method;
        let mut rod = Body::cuboid(1.0, Vector3::new(0.02, 0.02, 1.0));
        rod.angular.z = 30.0;
        world.add_body(rod).unwrap();
        let end = frame(-0.5 * Vector3::z(), Vector3::z());
        let ball = Joint::here(Kind::Ball, [None, Some(0)], &end, world.bodies()).unwrap();
        world.add_joint(ball).unwrap();
        world.bodies_mut()[0].position.x = depth;
        let [kinetic, _] = rises(&mut world, 20);
        assert!(kinetic <= 1e-12, "{depth}: {kinetic:e} J");
    }
}
