//! What becomes fast within a step meets what was far away when it began.

use jourdain::contact::Ground;
use jourdain::prelude::*;
use nalgebra::{Vector3, vector};

/// A hammer hits a block that is at rest before a thin plate, all along x.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(plate, mass = 1000),
    joint(stand, prismatic(world -> plate), axis = [1, 0, 0]),
    link(block, mass = 0.1),
    joint(glide, prismatic(world -> block), axis = [1, 0, 0]),
    link(hammer, mass = 1),
    joint(swing, prismatic(world -> hammer), axis = [1, 0, 0]),
    shape(plate, on = plate, box = [0.003, 0.4, 0.4]),
    shape(block, on = block, box = [0.04, 0.04, 0.04]),
    shape(hammer, on = hammer, box = [0.04, 0.04, 0.04]),
    pair(block, plate), pair(hammer, block),
)]
struct Blow;

#[test]
fn a_block_that_is_hit_does_not_pass_a_thin_plate() {
    let laws = [Formulation::coulomb(), Formulation::Anitescu(Anitescu::default())];
    for (law, gap) in laws.into_iter().flat_map(|law| [(law, 0.03), (law, 0.05)]) {
        let mut simulation = Simulation::new(Blow).unwrap().formulation(law);
        let plate = gap + 0.02 + 0.0015;
        simulation = simulation.state(vector![plate, 0.0, -0.05], vector![0.0, 0.0, 80.0]).unwrap();
        for _ in 0..10 {
            let (before, time) = (simulation.current().clone(), simulation.current().time);
            let audited = crate::run(&mut simulation, 1).unwrap();
            assert!(audited <= 1e-9, "{audited:e} at {time}");
            let [plate, block, hammer] = simulation.current().q.into();
            assert!(plate - block - 0.0215 > -1e-9, "{before:?}: {plate} {block}");
            assert!(block - hammer - 0.04 > -1e-9, "{before:?}: {block} {hammer}");
        }
        let momentum = simulation.current().v.dot(&vector![1000.0, 0.1, 1.0]);
        assert!((momentum - 80.0).abs() < 1e-7, "{momentum}");
    }
}

/// A block that is thrown to the ground by a motor within a step stays above it.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(block, mass = 0.1),
    joint(drop, prismatic(world -> block), axis = [0, 0, 1], actuated),
    shape(block, on = block, box = [0.04, 0.04, 0.04]),
)]
struct Thrown;

#[test]
fn what_is_thrown_to_the_ground_stays_above_it() {
    let ground = Ground::plane(Vector3::z(), 0.0, 0.5, 0.0).unwrap();
    let simulation = Simulation::new(Thrown).unwrap().ground(ground).unwrap();
    let mut simulation = simulation.state(vector![0.3], vector![0.0]).unwrap();
    // 500 m/s in a step, if nothing were there.
    let report = simulation.step(&vector![-5e4]).unwrap();
    assert!(report.residual.max() <= 1e-9, "{report:?}");
    assert!((simulation.current().q[0] - 0.02).abs() < 1e-9, "{}", simulation.current().q[0]);
}

/// A hammer hits a block downwards, whose foot, joint and reach end somewhere below.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, 0],
    link(block, mass = 0.1),
    joint(drop, prismatic(world -> block), axis = [0, 0, 1], limits = [self.joint, 9]),
    link(hammer, mass = 1),
    joint(swing, prismatic(world -> hammer), axis = [0, 0, 1]),
    shape(block, on = block, box = [0.04, 0.04, 0.04]),
    shape(hammer, on = hammer, box = [0.04, 0.04, 0.04]),
    pair(hammer, block),
    contact(foot, on = block, at = [0, 0, -self.foot], friction = 0.5),
    limit(reach, c = drop - self.reach),
)]
struct Ends {
    foot: f64,
    joint: f64,
    reach: f64,
}

#[test]
fn a_block_that_is_hit_does_not_pass_what_is_declared() {
    let far = Ends { foot: -9.0, joint: -9.0, reach: -9.0 };
    let ends = [
        Ends { foot: 0.0, ..far },
        Ends { joint: 0.0, ..far },
        Ends { reach: 0.0, ..far },
        Ends { foot: 0.0, joint: 0.001, reach: 0.002 },
    ];
    let anitescu = || Formulation::Anitescu(Anitescu::default());
    for (ends, law) in ends.iter().flat_map(|of| [(of, Formulation::coulomb()), (of, anitescu())]) {
        let mut simulation = Simulation::new(*ends).unwrap().formulation(law);
        simulation = simulation.state(vector![0.03, 0.075], vector![0.0, -80.0]).unwrap();
        for _ in 0..10 {
            let audited = crate::run(&mut simulation, 1).unwrap();
            assert!(audited <= 1e-9, "{audited:e} of {ends:?}");
            let [block, hammer] = simulation.current().q.into();
            let end = ends.foot.max(ends.joint).max(ends.reach);
            assert!(block - end > -1e-9 && hammer - block > 0.04 - 1e-9, "{ends:?}: {block}");
        }
    }
}

/// A foot that a force throws to the ground, with nothing beside it.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(foot, mass = 0.1),
    joint(drop, prismatic(world -> foot), axis = [0, 0, 1], actuated),
    contact(sole, on = foot, at = [0, 0, 0], friction = 0.5),
)]
struct Foot;

#[test]
fn a_foot_that_is_thrown_to_the_ground_stays_above_it() {
    for law in [Formulation::coulomb(), Formulation::Anitescu(Anitescu::default())] {
        let mut simulation = Simulation::new(Foot).unwrap().formulation(law);
        simulation = simulation.state(vector![0.3], vector![0.0]).unwrap();
        // 500 m/s in a step, if nothing were there.
        let report = simulation.step(&vector![-5e4]).unwrap();
        assert!(report.residual.max() <= 1e-9, "{report:?}");
        assert!(simulation.current().q[0].abs() < 1e-9, "{}", simulation.current().q[0]);
    }
}
