//! What a world refuses, and that it is then as it was.

use jourdain::contact::{Error, Ground};
use jourdain::prelude::*;
use jourdain::world::{Body, Film};
use nalgebra::{Matrix3, SVector, Vector3, vector};

/// A slider that a motor drives.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(sled, mass = 1),
    joint(way, prismatic(world -> sled), axis = [1, 0, 0], actuated),
    shape(front, on = sled, box = [0.2, 0.2, 0.2], friction = 0.4),
)]
struct Sled;

/// One with a foot that resists turning.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(peg, mass = 1, inertia = [0.01, 0.01, 0.01]),
    joint(base, floating(world -> peg)),
    contact(tip, on = peg, friction = 0.4, torsion = 0.01),
)]
struct Peg;

/// One whose weight a spring carries that is not described.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(tray, mass = 1),
    joint(lift, prismatic(world -> tray), axis = [0, 0, 1]),
    shape(tray, on = tray, box = [0.2, 0.2, 0.02]),
)]
struct Balanced;

/// One whose gravity is a field.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -self.g],
    link(bob, mass = 1, com = [0, 0, -1]),
    joint(pin, revolute(world -> bob), axis = [0, 1, 0]),
    shape(bob, on = bob, at = [0, 0, -1], sphere = 0.05),
)]
struct Pendulum {
    g: f64,
}

fn sled() -> Simulation<Sled> {
    Simulation::new(Sled).unwrap()
}

fn cube() -> Body {
    Body::cuboid([0.1; 3]).unwrap().friction(0.5).unwrap()
}

fn message<T>(result: Result<T, WorldError>) -> String {
    match result {
        Ok(_) => panic!("accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    assert_eq!(
        message(World::new().step_size(0.0)),
        "step_size is 0, expected a number greater than 0"
    );
    assert_eq!(
        message(World::new().tolerance(f64::NAN)),
        "tolerance is NaN, expected a number greater than 0"
    );
    assert_eq!(message(World::new().margin(-1.0)), "margin is -1, expected a number of at least 0");
    assert_eq!(
        message(World::new().recovery(1.5)),
        "recovery is 1.5, expected a number from 0 to 1"
    );
    let nowhere = Vector3::new(0.0, f64::INFINITY, 0.0);
    assert!(message(World::new().gravity(nowhere)).starts_with("gravity is inf"));
    assert!(message(cube().mass(-1.0)).starts_with("mass is -1"));
    assert!(message(cube().friction(f64::NAN)).starts_with("friction is NaN"));
    assert!(message(Body::ball(0.0)).starts_with("radius is 0"));
    assert!(message(Body::cuboid([1.0, 0.0, 1.0])).contains("size 1 of a box is 0"));
    assert!(message(Body::hull(&[[0.0; 3], [1.0, 0.0, 0.0]])).contains("no volume"));
    assert!(message(Body::compound(&[])).contains("no solids"));
    assert!(Film::new(0.0).is_err() && World::new().run(-1.0).is_err());
    assert!(matches!(World::new().run(1e-4), Err(WorldError::Duration { .. })));
    assert!(matches!(World::new().run(1e300), Err(WorldError::Duration { .. })));
    assert!(Ground::plane(Vector3::zeros(), 0.0, 0.5, 0.0).is_err());
    assert!(Ground::plane(Vector3::z(), 0.0, -0.5, 0.0).is_err());
}

#[test]
fn names_ids_and_poses_are_checked() {
    let (mut world, mut other) = (World::new(), World::new());
    let first = world.add_body("cube", &cube(), &Pose::at(0.0, 0.0, 1.0)).unwrap();
    assert!(message(world.fix("cube", &cube(), &Pose::default())).contains("`cube`"));
    let turned = Pose { rotation: Matrix3::identity() * 1.1, ..Pose::default() };
    assert!(matches!(world.add_body("b", &cube(), &turned), Err(WorldError::Pose)));
    let mirror = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, -1.0));
    let mirror = Pose { rotation: mirror, ..Pose::default() };
    assert!(matches!(world.fix("b", &cube(), &mirror), Err(WorldError::Pose)));
    let nowhere = Pose::at(f64::NAN, 0.0, 0.0);
    assert!(matches!(
        world.move_body(first, &nowhere, [Vector3::zeros(); 2]),
        Err(WorldError::Pose)
    ));
    let fast = [Vector3::repeat(f64::NAN); 2];
    assert!(matches!(
        world.move_body(first, &Pose::default(), fast),
        Err(WorldError::Robot { .. })
    ));
    let sled = other.add("sled", sled(), &Pose::default()).unwrap();
    // Ids are those of their own world alone.
    assert!(matches!(world.robot(sled), Err(WorldError::Unknown)));
    let foreign = other.add_body("cube", &cube(), &Pose::at(9.0, 0.0, 0.0)).unwrap();
    assert!(matches!(world.pose(foreign), Err(WorldError::Unknown)));
    assert!(matches!(world.remove(foreign), Err(WorldError::Unknown)));
    assert!(matches!(world.name(foreign), Err(WorldError::Unknown)));
    assert_eq!(world.restore(&other.save()), Err(WorldError::Snapshot));
    world.remove(first).unwrap();
    assert!(matches!(world.remove(first), Err(WorldError::Unknown)));
    assert!(matches!(world.ignore(first, first), Err(WorldError::Unknown)));
    assert!(matches!(world.pose(first), Err(WorldError::Unknown)));
    assert_eq!(world.find("cube"), None);
}

#[test]
fn what_is_in_a_world_is_listed_and_found_by_name() {
    let mut world = World::new();
    let shelf = world.fix("shelf", &cube(), &Pose::at(0.0, 2.0, 0.0)).unwrap();
    let first = world.add_body("first", &cube(), &Pose::at(0.0, 0.0, 1.0)).unwrap();
    let sled = world.add("sled", sled(), &Pose::default()).unwrap();
    let all = |world: &World| world.all().map(|(_, name)| name.to_owned()).collect::<Vec<_>>();
    assert_eq!(all(&world), ["first", "sled", "shelf"]);
    assert!(world.all().all(|(id, name)| world.name(id) == Ok(name)));
    assert_eq!(world.find("sled"), Some(sled.into()));
    assert_eq!(world.find("shelf"), Some(shelf));
    world.remove(first).unwrap();
    assert_eq!(all(&world), ["sled", "shelf"]);
}

#[test]
fn what_overlaps_at_the_start_is_refused_or_put_right() {
    let build = |world: World| {
        let mut world = world;
        world.fix("wall", &cube(), &Pose::default()).unwrap();
        let cube = world.add_body("cube", &cube(), &Pose::at(0.0, 0.0, 0.09)).unwrap();
        (world, cube)
    };
    let (mut world, cube) = build(World::new());
    let before = world.robot(cube).unwrap().current().clone();
    let error = world.step().unwrap_err();
    assert!(matches!(&error, WorldError::Overlap { depth, .. } if (depth - 0.01).abs() < 1e-9));
    assert!(error.to_string().contains("`wall`") || error.to_string().contains("`cube`"));
    assert_eq!(world.robot(cube).unwrap().current(), &before);
    for share in [0.5, 1.0] {
        let (mut world, cube) = build(World::new().recovery(share).unwrap());
        world.run(0.02).unwrap();
        let z = world.pose(cube).unwrap().position.z;
        assert!((z - 0.1).abs() < 1e-5, "{z}");
        // It was displaced, and not thrown.
        assert!(world.velocity(cube).unwrap()[0].norm() < 1e-6);
    }
}

#[test]
fn laws_that_are_missing_are_named() {
    for law in [Restitution::Poisson, Restitution::Stronge] {
        assert!(matches!(World::new().restitution(law), Err(WorldError::Refused { .. })));
    }
    let mut world = World::new().formulation(Formulation::StewartTrinkle);
    world.add("peg", Simulation::new(Peg).unwrap(), &Pose::at(0.0, 0.0, 1.0)).unwrap();
    let error = world.step().unwrap_err();
    let is_named = |error: &Error| matches!(error, Error::NotOffered { what, .. } if *what == "torsional friction");
    assert!(matches!(&error, WorldError::Refused { error, .. } if is_named(error)), "{error}");
}

#[test]
fn robots_that_were_moved_otherwise_are_refused() {
    let mut world = World::new();
    let id = world.add("sled", sled(), &Pose::default()).unwrap();
    world.step().unwrap();
    world.robot_mut(id).unwrap().step(&vector![0.0]).unwrap();
    let error = world.step().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`sled` differs from its world in time: expected steps and settings of the world alone"
    );
    let mut world = World::new();
    let id = world.add("sled", sled(), &Pose::default()).unwrap();
    world.robot_mut(id).unwrap().set_formulation(Formulation::StewartTrinkle).unwrap();
    assert!(matches!(world.step(), Err(WorldError::Differs { .. })));
    // What others can touch does not move by the leapfrog.
    let steady = sled().energy_drift(0.1).unwrap();
    let error = World::new().add("sled", steady, &Pose::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`sled` differs from its world in `energy_drift`: expected steps and settings of the world alone"
    );
}

/// A controller that fails after others have moved: they go back.
#[test]
fn a_step_that_fails_moves_nothing() {
    let mut world = World::new().ground(Ground::plane(Vector3::z(), 0.0, 0.5, 0.0).unwrap());
    let cube = world.add_body("cube", &cube(), &Pose::at(0.0, 0.0, 0.05)).unwrap();
    let id = world.add("sled", sled(), &Pose::at(0.0, 2.0, 0.5)).unwrap();
    let input = |state: &State<Sled>| -> SVector<f64, 1> {
        vector![if state.time > 0.01 { f64::NAN } else { 1.0 }]
    };
    world.control(id, input).unwrap();
    let error = loop {
        let now = |world: &World| {
            let forces: Vec<_> = world.contacts().map(|of| (of.point, of.force)).collect();
            (world.robot(cube).unwrap().current().clone(), world.time(), forces)
        };
        let before = now(&world);
        if let Err(error) = world.step() {
            assert_eq!(before, now(&world));
            break error;
        }
    };
    assert!(error.to_string().starts_with("`sled`: "), "{error}");
    world.control(id, |_: &State<Sled>| -> SVector<f64, 1> { vector![0.0] }).unwrap();
    world.run(0.05).unwrap();
}

/// Things that are ignored pass through each other, and nothing else.
#[test]
fn what_is_ignored_passes() {
    let mut world = World::new();
    let wall = world.fix("wall", &cube(), &Pose::default()).unwrap();
    let [through, held] = [0.0, 0.02].map(|x| {
        let z = if x > 0.0 { 0.35 } else { 0.15 };
        world.add_body(format!("cube at {x}"), &cube(), &Pose::at(x, 0.0, z)).unwrap()
    });
    world.ignore(through, wall).unwrap();
    world.ignore(held, through).unwrap();
    world.run(0.5).unwrap();
    assert!(world.pose(through).unwrap().position.z < -0.5);
    assert!((world.pose(held).unwrap().position.z - 0.1).abs() < 1e-6);
}

/// What is hung on a wall would fall sideways.
#[test]
fn another_gravity_is_refused() {
    let quarter = Matrix3::new(1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0);
    let wall = Pose { rotation: quarter, position: Vector3::new(0.0, 0.0, 1.0) };
    let mut world = World::new();
    let refused = message(world.add("sled", sled(), &wall));
    let expected = "`sled` has the gravity [0.0, 9.81, 0.0] m/s² in axes of the world, whose own is [0.0, 0.0, -9.81] m/s²: expected the \
                    same, or none";
    assert_eq!(refused, expected);
    world.add("sled", sled(), &Pose::at(0.0, 1.0, 1.0).turned(2.0)).unwrap();
    world.add("tray", Simulation::new(Balanced).unwrap(), &wall).unwrap();
    let moon = |g: f64| Simulation::new(Pendulum { g }).unwrap();
    assert!(matches!(
        world.add("pendulum", moon(1.62), &Pose::at(0.0, 3.0, 2.0)),
        Err(WorldError::Gravity { name, .. }) if name == "pendulum"
    ));
    let mut world = World::new().gravity(Vector3::new(0.0, 0.0, -1.62)).unwrap();
    world.add("pendulum", moon(1.62), &Pose::at(0.0, 3.0, 2.0)).unwrap();
    world.run(0.01).unwrap();
}
