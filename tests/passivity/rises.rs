//! By how much T + U rises in runs of scenes of each kind, as the table of `jourdain::contact` has it.

use jourdain::constrained::Constrained;
use jourdain::contact::Formulation;
use jourdain::prelude::*;
use jourdain_models::DoublePendulum;
use nalgebra::vector;

use crate::run::{run, simulation};

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

/// By how much T + U may rise beyond half a step of the power of weight and springs, by that: terms of second order.
const HIGHER: f64 = 0.1;

/// The largest c of what drifts with half the step, by c.
const HALVES: f64 = 1.25;

/// The largest c of what weight and springs give, by half the range of their power, 1/s.
pub(crate) fn power_bound(half_range: f64) -> f64 {
    half_range * (1.0 + HIGHER)
}

/// c in 1/s and, without what weight and springs give, with steps of 1 ms and of half of it.
fn rises<M: Model + Clone>(
    what: &str,
    robot: &M,
    (q, v): (M::Q, M::V),
    (seconds, is_symplectic): (f64, bool),
) -> [[f64; 2]; 2] {
    [1e-3, 5e-4].map(|h| {
        let simulation = simulation(robot, (&q, &v), h, Formulation::coulomb());
        let found = run(simulation.symplectic(is_symplectic), seconds);
        assert!(found.errors.is_empty(), "{what}: {:?}", found.errors);
        let [first, second] = found.rises.map(|rise| rise / h);
        let (c, power) = (first.max(second), found.power);
        println!("{what}: c {c:.3} 1/s, {first:.3} before {second:.3}, of {power:.3}, {h} s");
        [c, c - power_bound(power)]
    })
}

/// Nothing but what weight and springs give.
fn rises_by_power<M: Model + Clone>(what: &str, robot: &M, from: (M::Q, M::V), seconds: f64) {
    for [c, beyond] in rises(what, robot, from, (seconds, true)) {
        assert!(beyond <= ROUNDED, "{what}: {c}, {beyond} beyond");
    }
}

/// Nothing.
fn only_falls<M: Model + Clone>(what: &str, robot: &M, from: (M::Q, M::V), seconds: f64) {
    for [c, _] in rises(what, robot, from, (seconds, true)) {
        assert!(c <= ROUNDED, "{what}: {c}");
    }
}

/// What rounding makes of c at most, 1/s.
pub(crate) const ROUNDED: f64 = 1e-8;

/// All scenes, for so many seconds.
fn conservative(seconds: f64) {
    for k in [0.0, 1e2, 1e3] {
        for (d, f, r) in [
            (0.0, 0.0, 10.0),
            (0.1, 0.0, 10.0),
            (0.0, 0.3, 10.0),
            (0.0, 0.0, 0.05),
            (0.1, 0.3, 0.05),
        ] {
            let slides = Slides { k, d, f, r };
            let from = (vector![0.01, -0.02], vector![1.0, 0.5]);
            rises_by_power(&format!("{slides:?}"), &slides, from, seconds);
        }
    }
    rises_by_power("hinge", &Hinge { d: 0.0, f: 0.0 }, (vector![0.9], vector![2.0]), seconds);
    for (oil, k, d, mu) in
        [(0.0, 1e2, 0.0, 0.0), (0.01, 1e2, 0.0, 0.5), (0.0, 1e2, 1.0, 0.0), (0.0, 1e3, 0.0, 0.5)]
    {
        let body = Alone { oil, k, d, mu };
        rises_by_power(&format!("{body:?}"), &body, tumbling(0.395), seconds);
    }
    rises_by_power(
        "rods",
        &Rods,
        (vector![0.8, -0.6, 0.8, -1.3], vector![0.0, 0.0, 3.0, 0.0]),
        seconds,
    );
    rises_by_power("round bodies, tied", &Tied { i: 0.0 }, tied(0.0), seconds);
}

fn dissipative(seconds: f64) {
    for (d, f, r) in
        [(1.0, 0.0, 10.0), (1e4, 0.0, 10.0), (0.0, 2.0, 10.0), (0.0, 0.0, 0.05), (1.0, 2.0, 0.05)]
    {
        let slides = Slides { k: 0.0, d, f, r };
        let from = (vector![0.01, -0.02], vector![1.0, 0.5]);
        only_falls(&format!("{slides:?}"), &slides, from, seconds);
    }
    for (d, f) in [(1.0, 0.0), (1e4, 0.0), (0.0, 3.0)] {
        let hinge = Hinge { d, f };
        only_falls(&format!("{hinge:?}"), &hinge, (vector![0.9], vector![2.0]), seconds);
    }
    for (oil, d, mu) in
        [(1e4, 0.0, 0.5), (0.0, 0.0, 0.0), (0.0, 0.0, 0.5), (0.0, 1e3, 0.5), (0.0, 1e5, 0.5)]
    {
        let body = Alone { oil, k: 0.0, d, mu };
        only_falls(&format!("{body:?}"), &body, tumbling(0.3), seconds);
    }
}

fn tumbling(height: f64) -> (<Alone as Model>::Q, <Alone as Model>::V) {
    let mut q = Alone { oil: 0.0, k: 0.0, d: 0.0, mu: 0.0 }.neutral();
    q[2] = height;
    (q, vector![0.3, -0.2, 0.1, 3.0, -4.0, 5.0])
}

fn tied(i: f64) -> (<Tied as Model>::Q, <Tied as Model>::V) {
    let robot = Tied { i };
    let (mut q, mut v) = (robot.neutral(), <Tied as Model>::V::zeros());
    (q[0], q[2], q[7], q[9]) = (0.3, -0.3, 0.1, -0.3);
    (0..12).for_each(|k| v[k] = 2.0 * (1.3 * k as f64 + 0.7).sin());
    Constrained::new(robot).project(&q, &v, 0.0).expect("a place")
}

/// Where M is constant, or a body alone, weight and springs give half a step of what their power changes by; constraints,
/// dampers, dry friction, ends and ground give nothing.
#[test]
fn springs_and_weight_give_half_a_step_of_their_power() {
    conservative(1.0);
}

#[test]
fn what_resists_only_takes() {
    dissipative(1.0);
}

/// Where the forces of turning are those of the beginning, energy drifts, in proportion to h, but with time. By the leapfrog it does
/// not.
#[test]
fn what_turns_what_it_carries_drifts() {
    let pendulum = DoublePendulum { m1: 1.0, m2: 1.0, l1: 0.5, l2: 0.5 };
    let (from, flat) = ((vector![1.5, 0.3], vector![1.0, 1.0]), Tied { i: 0.01 });
    for [[coarse, _], [fine, _]] in [
        rises("double pendulum", &pendulum, from, (1.0, false)),
        rises("flat bodies, tied", &flat, tied(flat.i), (1.0, false)),
    ] {
        assert!((0.8..HALVES).contains(&(fine / coarse)), "{coarse}, {fine}");
    }
    rises_by_power("double pendulum", &pendulum, from, 1.0);
    rises_by_power("flat bodies, tied", &flat, tied(flat.i), 1.0);
}

#[test]
#[ignore = "takes minutes without optimisation"]
fn nothing_has_a_trend_in_ten_seconds() {
    conservative(10.0);
    dissipative(10.0);
}
