//! A rod in a plane: Painlevé's paradox, and what time stepping tends to.

use jourdain::hybrid::Cause;
use jourdain::hybrid::contact::ContactError;
use jourdain::impact::{Law, Restitution};
use jourdain::integrate::Phase;
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

use super::nothing;

/// In N.
const WEIGHT: f64 = 9.81;

/// A rod of two metres with a contact at each end; its angle turns it from x towards −z.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(lift, massless),
    joint(z, prismatic(slide -> lift), axis = [0, 0, 1], passive),
    link(rod, mass = 1, inertia = [0.01, 1.0 / 3.0, 1.0 / 3.0]),
    joint(angle, revolute(lift -> rod), axis = [0, 1, 0], passive),
    contact(near, on = rod, at = [-1, 0, 0], friction = mu, restitution = e),
    contact(far, on = rod, at = [1, 0, 0], friction = mu, restitution = e),
)]
struct Rod {
    mu: f64,
    e: f64,
}

/// The far end on the ground, the near one up at the angle a.
fn leaning(a: f64) -> SVector<f64, 3> {
    vector![0.0, a.sin(), a]
}

/// Sliding such that friction turns it into the ground, a rod has no acceleration where 1 + 3 cos a (cos a − μ sin a) is
/// negative, and an impact without collision stops its end; with other coefficients, or the other way round, it has.
#[test]
fn a_rod_that_jams_stops_at_once() {
    let a = 2.0_f64.atan();
    let slide = |mu, speed| {
        let mut rod = HybridSimulation::new(Rod { mu, e: 0.0 }).unwrap();
        rod = rod.state(leaning(a), vector![speed, 0.0, 0.0]).unwrap();
        rod.run(0.005, nothing).unwrap();
        rod
    };
    let rod = slide(2.0, 1.0);
    let [(time, impact)] = rod.impacts() else { panic!("{:?}", rod.impacts()) };
    assert!(*time == 0.0 && impact.work < 0.0, "{impact:?}");
    let after = &rod.events()[0].phase_after;
    let v = vector![after.v[0], after.v[1], after.v[2]];
    let slip = rod.model().contact_jacobian(&leaning(a)) * v;
    assert!(slip.fixed_rows::<3>(3).norm() < 1e-9, "{slip}");
    assert_eq!(slide(1.2, 1.0).mode_name(), "near open, far slide");
    assert_eq!(slide(2.0, -1.0).mode_name(), "near open, far slide");
}

/// Where 1 + 3 cos a (cos a − μ sin a) is zero but for rounding, pressing moves the end neither in nor out.
#[test]
fn a_rod_at_the_edge_of_the_paradox_stops_too() {
    for (a, ulps) in
        [0.4_f64, 0.7, 1.1, 1.3].into_iter().flat_map(|a| [-2.0, 0.0, 2.0].map(|u| (a, u)))
    {
        let mu = (1.0 + 3.0 * a.cos() * a.cos()) / (3.0 * a.cos() * a.sin());
        let mu = mu * (1.0 + ulps * f64::EPSILON);
        let mut rod = HybridSimulation::new(Rod { mu, e: 0.0 }).unwrap();
        rod = rod.state(leaning(a), vector![1.0, 0.0, 0.0]).unwrap();
        rod.run(1e-3, nothing).unwrap();
        let after = &rod.events()[0].phase_after;
        let v = vector![after.v[0], after.v[1], after.v[2]];
        let slip = rod.model().contact_jacobian(&leaning(a)) * v;
        assert!(slip.fixed_rows::<3>(3).norm() < 1e-9, "{a} {ulps}: {slip}");
    }
}

/// An impact without collision has no rebound, whatever the law of those that have one.
#[test]
fn a_rod_that_jams_does_not_bounce() {
    let a = 2.0_f64.atan();
    let law = Law { restitution: Restitution::Poisson, ..Law::default() };
    let mut rod = HybridSimulation::new(Rod { mu: 2.0, e: 0.8 }).unwrap();
    rod = rod.impact_law(law).unwrap().state(leaning(a), vector![1.0, 0.0, 0.0]).unwrap();
    rod.run(0.005, nothing).unwrap();
    let after = &rod.events()[0].phase_after;
    let v = vector![after.v[0], after.v[1], after.v[2]];
    let motion = rod.model().contact_jacobian(&leaning(a)) * v;
    assert!(motion.fixed_rows::<3>(3).norm() < 1e-9, "{motion}");
}

/// The normal force of a rod that slides is that of the closed form.
#[test]
fn a_rod_that_slides_has_its_acceleration() {
    let (a, mu, g) = (0.9_f64, 0.4, 9.81);
    let mut rod = HybridSimulation::new(Rod { mu, e: 0.0 }).unwrap();
    rod = rod.state(leaning(a), vector![1.0, 0.0, 0.0]).unwrap();
    let mut recording = Recording::new(10.0).unwrap();
    rod.run_recorded(0.01, nothing, &mut recording).unwrap();
    let force = g / (1.0 + 3.0 * a.cos() * (a.cos() - mu * a.sin()));
    assert!((recording.samples()[0].forces[1].z - force).abs() < 1e-9);
    assert!((recording.samples()[0].forces[1].x + mu * force).abs() < 1e-9);
}

/// A rod falls onto its end, which sticks or slides, and then onto the other one.
fn falling(mu: f64) -> (SVector<f64, 3>, SVector<f64, 3>) {
    (leaning(0.7) + vector![0.0, 0.1, 0.0], vector![0.3 * mu, 0.0, 0.1])
}

#[test]
fn time_stepping_tends_to_it() {
    for mu in [0.3, 0.9] {
        let robot = Rod { mu, e: 0.0 };
        let (q, v) = falling(mu);
        let mut exact = HybridSimulation::new(robot).unwrap().tolerance(1e-11).unwrap();
        exact = exact.state(q, v).unwrap();
        exact.run(0.4, nothing).unwrap();
        assert!((1..3).contains(&exact.events().len()));
        let error = |h: f64| {
            let mut steps = Simulation::new(robot).unwrap().step_size(h).unwrap();
            steps = steps.state(q, v).unwrap();
            steps.run(0.4, nothing).unwrap();
            (steps.current().q - exact.current().q).norm()
        };
        let errors: Vec<(f64, f64)> =
            (0..7).map(|k| 1e-2 * 0.5_f64.powi(k)).map(|h| (h.ln(), error(h).ln())).collect();
        let mean = |of: fn(&(f64, f64)) -> f64| errors.iter().map(of).sum::<f64>() / 7.0;
        let (x, y) = (mean(|e| e.0), mean(|e| e.1));
        let products = errors.iter().map(|e| (e.0 - x) * (e.1 - y)).sum::<f64>();
        let order = products / errors.iter().map(|e| (e.0 - x).powi(2)).sum::<f64>();
        assert!((0.8..1.3).contains(&order), "{mu}: {order} {errors:?}");
    }
}

/// Between events energy is kept where nothing slides, and impacts take what they say.
#[test]
fn energy_is_lost_in_impacts_and_by_slip_alone() {
    let (q, v) = falling(0.0);
    for e in [0.0, 0.4] {
        let robot = Rod { mu: 0.0, e };
        let mut rod = HybridSimulation::new(robot).unwrap().tolerance(1e-11).unwrap();
        rod = rod.state(q, v).unwrap();
        rod.run(1.2, nothing).unwrap();
        let energy_of = |place: &Phase, motion: &Phase| {
            let (q, v) =
                (SVector::from_column_slice(&place.q), SVector::from_column_slice(&motion.v));
            robot.kinetic_energy(&q, &v) + robot.potential_energy(&q)
        };
        let energy = |phase: &Phase| energy_of(phase, phase);
        let mut last = robot.kinetic_energy(&q, &v) + robot.potential_energy(&q);
        for event in rod.events() {
            assert!((energy(&event.phase_before) - last).abs() < 1e-8, "{:?}", rod.modes());
            last = energy(&event.phase_after);
            let taken = rod.impacts().iter().filter(|(time, _)| *time == event.time());
            let taken: f64 = taken.map(|(_, impact)| impact.work).sum();
            let (before, after) = (&event.phase_before, &event.phase_after);
            // A gap errs by δ where height and angle do by the tolerances; up to 2 δ it is none, and is made none by the
            // least motion in M, which lifts the rod by no more.
            let delta = 1e-11 * (2.0 + before.q[1].abs() + before.q[2].abs());
            let raised = energy_of(after, before) - energy(before);
            assert!(raised.abs() <= 2.0 * delta * WEIGHT, "{raised} {event:?}");
            // Flights that are no higher than 4 δ are left out where bounces are lost.
            let is_lost = matches!(event.cause, Cause::Accumulation(_));
            let least = if is_lost { -4.0 * delta * WEIGHT } else { -1e-13 };
            let more = last - energy_of(after, before) - taken;
            assert!(taken <= 1e-13 && (least..1e-13).contains(&more), "{more:e} {event:?}");
        }
        assert!(!rod.impacts().is_empty());
        assert!((rod.energy() - last).abs() < 1e-8);
    }
}

#[test]
fn what_is_not_possible_is_refused() {
    let refused = HybridSimulation::new(Rod { mu: 0.1, e: 1.5 });
    assert!(matches!(refused, Err(ContactError::Model(_))));
    let rod = HybridSimulation::new(Rod { mu: 0.1, e: 0.5 }).unwrap();
    let refused = rod.impact_law(Law { limit_restitution: -0.1, ..Law::default() });
    assert!(matches!(refused, Err(ContactError::Law(_))));
    let mut rod = HybridSimulation::new(Rod { mu: 0.1, e: 0.5 }).unwrap();
    rod = rod.state(leaning(0.5) - vector![0.0, 0.01, 0.0], SVector::zeros()).unwrap();
    match rod.run(1.0, nothing) {
        Err(ContactError::Overlap { part, depth, .. }) => {
            assert!(part == "far" && (depth - 0.01).abs() < 1e-12);
        }
        other => panic!("{other:?}"),
    }
}
