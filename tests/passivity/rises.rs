//! By how much T + U rises in runs of scenes of each kind, as the table of `jourdain::contact` has it.

use jourdain::constrained::Constrained;
use jourdain::prelude::*;
use jourdain_models::DoublePendulum;
use nalgebra::vector;

use crate::run::run;

/// Two slides with springs, one of them between points, dampers, dry friction and ends.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(a, mass = 1),
    joint(one, prismatic(world -> a), axis = [0, 0, 1], stiffness = k, damping = d, friction = f, limits = [-r, r]),
    link(b, mass = 0.5),
    joint(two, prismatic(a -> b), axis = [1, 0, 1], stiffness = 3 * k, damping = d, friction = f, limits = [-r, r]),
    spring(tie, a = world @ [0.3, 0.2, 0], b = b, stiffness = k, damping = d, rest = 0.36),
)]
struct Slides {
    k: f64,
    d: f64,
    f: f64,
    r: f64,
}

/// A double pendulum of rods, in Cartesian coordinates: M is constant.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(ax, massless), joint(ax, prismatic(world -> ax), axis = [1, 0, 0]),
    link(a, mass = 1), joint(az, prismatic(ax -> a), axis = [0, 0, 1]),
    link(bx, massless), joint(bx, prismatic(world -> bx), axis = [1, 0, 0]),
    link(b, mass = 0.5), joint(bz, prismatic(bx -> b), axis = [0, 0, 1]),
    rod(first, a = world, b = a, length = 1),
    rod(second, a = a, b = b, length = 0.7),
)]
struct Rods;

/// A box that carries nothing, over ground, on a tether.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(body, mass = 1, com = [0.02, 0, 0.01], inertia = [0.01, 0.02, 0.025]),
    joint(base, floating(world -> body), damping = oil),
    contact(one, on = body, at = [0.1, 0.1, -0.1], friction = mu),
    contact(two, on = body, at = [-0.1, 0.1, -0.1], friction = mu),
    contact(three, on = body, at = [0.1, -0.1, -0.1], friction = mu),
    contact(four, on = body, at = [-0.1, -0.1, 0.1], friction = mu),
    spring(tether, a = world @ [0, 0, 1], b = body @ [0, 0, 0.1], stiffness = k, damping = d, rest = 0.5),
)]
struct Alone {
    oil: f64,
    k: f64,
    d: f64,
    mu: f64,
}

/// One link on a hinge.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(a, mass = 1, com = [0, 0, -0.3], inertia = [0.01, 0.01, 0.01]),
    joint(j, revolute(world -> a), axis = [0, 1, 0], damping = d, friction = f, limits = [-1, 1]),
)]
struct Hinge {
    d: f64,
    f: f64,
}

/// Two bodies that float, tied to each other and to the world: round, unless `i` makes them flat.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -9.81],
    link(a, mass = 1, inertia = [0.01, 0.01, 0.01 + i]), joint(a, floating(world -> a)),
    link(b, mass = 0.5, inertia = [0.005, 0.005, 0.005 + 0.5 * i]), joint(b, floating(world -> b)),
    rod(rod, a = world, b = a @ [0.1, 0, 0], length = 0.5),
    closure(ball, a = a @ [-0.1, 0, 0], b = b @ [0.1, 0, 0], axes = [x, y, z]),
)]
struct Tied {
    i: f64,
}

/// c of a run of so many seconds, 1/s: the larger rise of the two halves, by the energy of the start and by h, with steps of
/// 1 ms and of half of it.
fn c<M: Model + Clone>(what: &str, robot: &M, (q, v): (M::Q, M::V), seconds: f64) -> [f64; 2] {
    [1e-3, 5e-4].map(|h| {
        let found = run(robot, (&q, &v), (h, seconds));
        assert!(found.errors.is_empty(), "{what}: {:?}", found.errors);
        let [first, second] = found.rises.map(|rise| rise / h);
        println!("{what}: c {first:.3} 1/s, later {second:.3} 1/s of {h} s");
        first.max(second)
    })
}

/// Below what the table says, and no larger with half the step.
fn rises<M: Model + Clone>(what: &str, robot: &M, from: (M::Q, M::V), most: f64) {
    let [coarse, fine] = c(what, robot, from, 2.0);
    assert!(coarse <= most && fine <= 1.1 * most, "{what}: {coarse}, {fine}");
}

#[test]
fn springs_and_weight_give_half_a_step_of_their_power() {
    for (k, most) in [(0.0, 0.0), (1e2, 2.0), (1e3, 15.0)] {
        let slides = Slides { k, d: 0.0, f: 0.0, r: 10.0 };
        rises(&format!("{slides:?}"), &slides, (vector![0.01, -0.02], vector![1.0, 0.5]), most);
    }
    rises("hinge", &Hinge { d: 0.0, f: 0.0 }, (vector![0.9], vector![2.0]), 1.0);
}

#[test]
fn a_body_alone_gains_what_its_tether_gives() {
    let v = vector![0.3, -0.2, 0.1, 3.0, -4.0, 5.0];
    for (k, most) in [(0.0, 1e-8), (100.0, 3.5)] {
        let body = Alone { oil: 0.0, k, d: 0.0, mu: 0.0 };
        let mut q = body.neutral();
        q[2] = 0.395;
        rises(&format!("{body:?}"), &body, (q, v), most);
    }
}

/// Where M is constant, as of bodies that turn alike about all axes, rows that turn give and take alike.
#[test]
fn what_is_tied_gains_what_weight_gives() {
    rises("rods", &Rods, (vector![0.8, -0.6, 0.8, -1.3], vector![0.0, 0.0, 3.0, 0.0]), 2.0);
    rises("round bodies", &Tied { i: 0.0 }, tied(0.0), 2.5);
}

fn tied(i: f64) -> (<Tied as Model>::Q, <Tied as Model>::V) {
    let robot = Tied { i };
    let (mut q, mut v) = (robot.neutral(), <Tied as Model>::V::zeros());
    (q[0], q[2], q[7], q[9]) = (0.3, -0.3, 0.1, -0.3);
    (0..12).for_each(|k| v[k] = 2.0 * (1.3 * k as f64 + 0.7).sin());
    Constrained::new(robot).project(&q, &v, 0.0).expect("a place")
}

/// Dampers, dry friction, ends and ground only take.
#[test]
fn what_resists_only_takes() {
    for (d, f, r) in
        [(1.0, 0.0, 10.0), (1e4, 0.0, 10.0), (0.0, 2.0, 10.0), (0.0, 0.0, 0.05), (1.0, 2.0, 0.05)]
    {
        let slides = Slides { k: 0.0, d, f, r };
        rises(&format!("{slides:?}"), &slides, (vector![0.01, -0.02], vector![1.0, 0.5]), 0.0);
    }
    for (d, f) in [(1.0, 0.0), (1e4, 0.0), (0.0, 3.0)] {
        let hinge = Hinge { d, f };
        rises(&format!("{hinge:?}"), &hinge, (vector![0.9], vector![2.0]), 0.0);
    }
    let v = vector![0.3, -0.2, 0.1, 3.0, -4.0, 5.0];
    for (oil, k, d, mu) in [
        (1e4, 0.0, 0.0, 0.5),
        (0.0, 0.0, 0.0, 0.0),
        (0.0, 0.0, 0.0, 0.5),
        (0.0, 0.0, 1e3, 0.5),
        (0.0, 0.0, 1e5, 0.5),
    ] {
        let body = Alone { oil, k, d, mu };
        let mut q = body.neutral();
        q[2] = 0.3;
        rises(&format!("{body:?}"), &body, (q, v), 1e-8);
    }
}

/// Where the forces of turning are those of the beginning, energy drifts: in proportion to h, but with time.
#[test]
fn what_turns_what_it_carries_drifts() {
    let pendulum = DoublePendulum { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5 };
    c("double pendulum", &pendulum, (vector![1.5, 0.3], vector![1.0, 1.0]), 2.0);
    c("flat bodies, tied", &Tied { i: 0.01 }, tied(0.01), 2.0);
}

#[test]
#[ignore = "prints the table for ten seconds"]
fn ten_seconds() {
    let slides = Slides { k: 100.0, d: 0.0, f: 0.0, r: 10.0 };
    c("slides", &slides, (vector![0.01, -0.02], vector![1.0, 0.5]), 10.0);
    c("hinge", &Hinge { d: 0.0, f: 0.0 }, (vector![0.9], vector![2.0]), 10.0);
    c("rods", &Rods, (vector![0.8, -0.6, 0.8, -1.3], vector![0.0, 0.0, 3.0, 0.0]), 10.0);
    c("round bodies", &Tied { i: 0.0 }, tied(0.0), 10.0);
    let body = Alone { oil: 0.0, k: 100.0, d: 0.0, mu: 0.0 };
    let mut q = body.neutral();
    q[2] = 0.395;
    c("tether", &body, (q, vector![0.3, -0.2, 0.1, 3.0, -4.0, 5.0]), 10.0);
    let pendulum = DoublePendulum { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5 };
    c("double pendulum", &pendulum, (vector![1.5, 0.3], vector![1.0, 1.0]), 10.0);
    c("flat bodies, tied", &Tied { i: 0.01 }, tied(0.01), 10.0);
}
