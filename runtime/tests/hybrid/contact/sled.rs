//! A sled whose friction alone would lift one of its feet, event-driven and by steps.
//!
//! With m = I = 1, feet at xᵢ ahead of the centre of mass and h below it, and slip along +x, a unit of the normal force of
//! foot j makes foot i faster along the normal by
//!
//! > Aᵢⱼ = 1 + xᵢ (xⱼ − μ h),  x = (½, 1/10),  μ h = 0.45:  A = [1.025 0.825; 1.005 0.965],  det A = 0.16
//!
//! Both feet stay on the ground with A λ = g (1, 1)ᵀ, λ = g (0.875, 0.125). A has positive principal minors, so that
//! nothing else is a solution, and in no sense is it Painlevé's paradox; but of 1 + K with K = S⁻¹ (A − S),
//! S = 1 + x xᵀ, which is [−0.125 −1.125; 1.125 2.125], the first pivot is negative in one order of the feet and
//! positive in the other.

use jourdain::prelude::*;
use nalgebra::{SVector, vector};

use super::nothing;

const G: f64 = 9.81;
const FRONT: f64 = 0.5;
const REAR: f64 = 0.1;

/// A body in a plane with two feet, in the order of their places.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slide, massless),
    joint(x, prismatic(world -> slide), axis = [1, 0, 0], passive),
    link(lift, massless),
    joint(z, prismatic(slide -> lift), axis = [0, 0, 1], passive),
    link(sled, mass = 1, inertia = [1, 1, 1]),
    joint(angle, revolute(lift -> sled), axis = [0, 1, 0], passive),
    contact(first, on = sled, at = [first, 0, -0.9], friction = 0.5),
    contact(second, on = sled, at = [second, 0, -0.9], friction = 0.5),
)]
struct Sled {
    first: f64,
    second: f64,
}

/// Both orders of the feet, with what carries them.
fn sleds() -> [(Sled, [f64; 2]); 2] {
    let [front, rear] = [0.875 * G, 0.125 * G];
    [
        (Sled { first: FRONT, second: REAR }, [front, rear]),
        (Sled { first: REAR, second: FRONT }, [rear, front]),
    ]
}

/// It slides at 1 m/s on both feet.
fn sliding() -> (SVector<f64, 3>, SVector<f64, 3>) {
    (vector![0.0, 0.9, 0.0], vector![1.0, 0.0, 0.0])
}

#[test]
fn feet_slide_in_any_order() {
    for (sled, expected) in sleds() {
        let (q, v) = sliding();
        let mut simulation = HybridSimulation::new(sled).unwrap().state(q, v).unwrap();
        let mut recording = Recording::new(100.0).unwrap();
        simulation.run_recorded(0.1, nothing, &mut recording).unwrap();
        assert_eq!(simulation.mode_name(), "first slide, second slide");
        assert!(simulation.events().is_empty() && simulation.impacts().is_empty());
        assert_eq!(recording.samples().len(), 11);
        for sample in recording.samples() {
            for (force, expected) in sample.forces.iter().zip(expected) {
                assert!((force.z - expected).abs() < 1e-9, "{force}");
                assert!((force.x + 0.5 * expected).abs() < 1e-9, "{force}");
            }
        }
        let speed = simulation.current().v[0];
        assert!((speed - (1.0 - 0.05 * G)).abs() < 1e-9, "{speed}");
    }
}

/// Steps have these forces at whatever size, so that they are the limit too.
#[test]
fn steps_of_any_size_have_the_same_forces() {
    let laws = [Formulation::coulomb(), Formulation::stewart_trinkle()];
    for ((sled, expected), law) in sleds().into_iter().flat_map(|of| laws.map(|law| (of, law))) {
        for h in [1e-2, 1e-3, 1e-4, 1e-5] {
            let (q, v) = sliding();
            let simulation = Simulation::new(sled).unwrap().formulation(law).step_size(h).unwrap();
            let mut simulation = simulation.state(q, v).unwrap();
            for _ in 0..5 {
                simulation.step(&SVector::zeros()).unwrap();
                for (contact, expected) in expected.iter().enumerate() {
                    // As exact as steps are, 10⁻⁹ N s.
                    let normal = simulation.impulse().local(contact).x;
                    assert!((normal - expected * h).abs() < 1e-9, "{law:?} {h}: {normal}");
                }
            }
            let speed = 1.0 - 5.0 * h * 0.5 * G;
            assert!((simulation.current().v[0] - speed).abs() < 5e-9, "{law:?} {h}");
        }
    }
}
