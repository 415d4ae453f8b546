//! Time stepping under constraints that depend on time.

use jourdain::prelude::*;
use nalgebra::{SVector, Vector3, vector};

type Input = SVector<f64, 0>;

/// A bead in a plane that turns about the vertical; the second row says what the first says, on the plane.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(along, massless),
    joint(x, prismatic(world -> along), axis = [1, 0, 0]),
    link(across, massless),
    joint(y, prismatic(along -> across), axis = [0, 1, 0]),
    link(bead, mass = 0.5),
    joint(z, prismatic(across -> bead), axis = [0, 0, 1]),
    constraint(plane, h = y * cos(spin * t) - x * sin(spin * t)),
    constraint(same, h = (y * cos(spin * t) - x * sin(spin * t)) * (2 + x + 3 * z)),
)]
struct Turning {
    spin: f64,
}

/// In the plane the bead flies outward, r̈ = ω² r, and falls; where it ends after `duration`, and the largest
/// error of a row on the way.
fn flown(spin: f64, duration: f64, h: f64) -> (Vector3<f64>, f64) {
    let mut simulation = Simulation::new(Turning { spin }).unwrap().step_size(h).unwrap();
    simulation.reset(vector![1.0, 0.0, 0.0], vector![0.0, spin, 0.0]).unwrap();
    let mut worst = 0.0_f64;
    for _ in 0..(duration / h).round() as usize {
        simulation.step(&Input::zeros()).unwrap();
        let State { time, q, .. } = simulation.current();
        worst = worst.max(Turning { spin }.constraint(q, *time).amax());
    }
    (simulation.current().q, worst)
}

/// The plane must not hold the fall, however fast it turns. In the plane the steps are those of Störmer and
/// Verlet, of second order.
#[test]
fn a_bead_in_a_turning_plane_flies_as_it_must() {
    for spin in [3.0_f64, 30.0] {
        let duration = 3.0 / spin;
        let (reach, (sine, cosine)) = (3.0_f64.cosh(), 3.0_f64.sin_cos());
        let errors = [1000.0, 2000.0, 4000.0].map(|steps| {
            let h = duration / steps;
            let (end, opening) = flown(spin, duration, h);
            assert!(opening < 1e-10, "{spin}, {steps}: {opening:e}");
            let fallen = 0.5 * 9.81 * duration * (duration + h);
            assert!((end.z + fallen).abs() < 1e-10, "{spin}, {steps}: {end}");
            (end.xy() - vector![reach * cosine, reach * sine]).norm()
        });
        assert!(errors[0] < 1e-4, "{spin}: {errors:?}");
        for pair in errors.windows(2) {
            assert!((3.9..4.1).contains(&(pair[0] / pair[1])), "{spin}: {errors:?}");
        }
    }
}

/// A cart whose speed follows a law that is not linear in it, v² = 1 + (a sin ωt)².
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(cart, mass = 2),
    joint(x, prismatic(world -> cart), axis = [1, 0, 0]),
    constraint(speed, h_v = rate(x) * rate(x) - 1 - a * a * sin(omega * t) * sin(omega * t)),
)]
struct Governed {
    a: f64,
    omega: f64,
}

/// The law holds at the end of each step, not only to first order of what the step changes.
#[test]
fn rows_of_velocities_hold_at_the_end_of_each_step() {
    let robot = Governed { a: 3.0, omega: 40.0 };
    let mut simulation = Simulation::new(robot).unwrap().step_size(2e-3).unwrap();
    simulation.reset(vector![0.0], vector![1.0]).unwrap();
    for _ in 0..200 {
        simulation.step(&Input::zeros()).unwrap();
        let State { time, v, .. } = simulation.current();
        let wanted = 1.0 + (robot.a * (robot.omega * time).sin()).powi(2);
        assert!((v[0] * v[0] - wanted).abs() < 1e-9, "{time}: {v}");
    }
}
