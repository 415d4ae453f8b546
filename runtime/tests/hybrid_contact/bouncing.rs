//! What bounces.

use jourdain::hybrid::contact::HybridSimulation;
use jourdain::prelude::*;
use nalgebra::vector;

use crate::nothing;

const G: f64 = 9.81;

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(ball, mass = 2),
    joint(height, prismatic(world -> ball), axis = [0, 0, 1], passive),
    contact(ground, on = ball, restitution = e),
)]
struct Ball {
    e: f64,
}

/// A point bounces infinitely often, and then rests.
#[test]
fn bounces_come_to_their_limit() {
    for e in [0.9, 0.5, 0.1] {
        let mut ball = HybridSimulation::new(Ball { e }).unwrap();
        ball = ball.tolerance(1e-10).unwrap().state(vector![1.0], vector![0.0]).unwrap();
        ball.run(10.0, nothing).unwrap();
        let (first, events) = ((2.0 / G).sqrt(), ball.events());
        let mut time = first;
        let mut flight = 2.0 * first;
        for event in &events[..12.min(events.len() - 1)] {
            assert!((event.time() - time).abs() < 1e-9, "{} {time}", event.time());
            assert!((event.phase_after.v[0] + e * event.phase_before.v[0]).abs() < 1e-12);
            flight *= e;
            time += flight;
        }
        let limit = first * (1.0 + e) / (1.0 - e);
        let last = events.last().unwrap();
        assert!((last.time() - limit).abs() < 1e-9, "{e}: {} {limit}", last.time());
        assert_eq!(ball.mode_name(), "ground closed");
        assert!(ball.current().q[0].abs() < 1e-9 && ball.current().v[0].abs() < 1e-9);
    }
}
