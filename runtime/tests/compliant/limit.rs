//! Energy, and what springs tend to as they become stiff.

use nalgebra::vector;

use super::robots::Cube;
use super::*;

/// Solo 12 on its feet.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    urdf = "../models/urdf/solo12.urdf",
    base = floating,
    contact(fl, on = FL_FOOT, sphere = 0.016, friction = 0.8),
    contact(fr, on = FR_FOOT, sphere = 0.016, friction = 0.8),
    contact(hl, on = HL_FOOT, sphere = 0.016, friction = 0.8),
    contact(hr, on = HR_FOOT, sphere = 0.016, friction = 0.8),
)]
struct Solo;

fn standing() -> SVector<f64, 19> {
    let base = [0.0, 0.0, 0.24, 0.0, 0.0, 0.0, 1.0];
    let (front, hind) = ([0.0, 0.8, -1.6], [0.0, -0.8, 1.6]);
    SVector::from_iterator(base.into_iter().chain([front, front, hind, hind].into_iter().flatten()))
}

fn thrown() -> (SVector<f64, 7>, SVector<f64, 6>) {
    (
        vector![
            0.0,
            0.0,
            0.3,
            0.18257418583505536,
            0.3651483716701107,
            0.5477225575051661,
            0.7302967433402214
        ],
        vector![1.0, 0.5, 0.0, 3.0, -2.0, 4.0],
    )
}

/// T + U and what springs have stored never grow, where friction is regularised.
#[test]
fn a_thrown_cube_gains_no_energy() {
    let spring = Spring::hunt_crossley(1e6, 1.5, 0.3).unwrap();
    let friction = Regularised::new(Stribeck::new(0.5, 0.4, 0.1).unwrap(), 1e-3).unwrap();
    let (q, v) = thrown();
    let simulation =
        CompliantSimulation::new(Cube).unwrap().springs(spring).friction(friction).unwrap();
    let mut simulation = simulation.tolerance(1e-8).unwrap().state(q, v).unwrap();
    let mut recording = Recording::new(2000.0).unwrap();
    simulation.run_recorded(1.5, idle, &mut recording).unwrap();
    let energies: Vec<f64> = recording
        .samples()
        .iter()
        .map(|s| {
            let stored: f64 = s.gaps.iter().map(|gap| spring.energy(-gap)).sum();
            s.kinetic_energy + s.potential_energy + stored
        })
        .collect();
    let gained = energies.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    assert!(gained < 1e-7, "{gained:e}");
    assert!(energies[0] - energies[energies.len() - 1] > 2.0, "{energies:?}");
    assert!(simulation.event_count() > 10);
}

/// By bristles too: what they store is more than nothing only while they are loaded.
#[test]
fn a_thrown_cube_never_has_more_energy_than_at_first() {
    let (q, v) = thrown();
    let mut simulation =
        CompliantSimulation::new(Cube).unwrap().tolerance(1e-8).unwrap().state(q, v).unwrap();
    let mut recording = Recording::new(2000.0).unwrap();
    simulation.run_recorded(3.0, idle, &mut recording).unwrap();
    let energy = |s: &jourdain::record::Sample<Cube>| s.kinetic_energy + s.potential_energy;
    let (first, last) = (&recording.samples()[0], recording.samples().last().unwrap());
    let most = recording.samples().iter().map(energy).fold(0.0, f64::max);
    assert!(most <= energy(first) + 1e-7, "{most}");
    // It lies on a face, with its centre a decimetre above the ground.
    assert!(last.kinetic_energy < 1e-12, "{:e}", last.kinetic_energy);
    assert!((last.potential_energy / (1.5 * G) - 0.1).abs() < 1e-3, "{}", last.potential_energy);
}

/// From where rigid feet stand, springs of feet and of bristles give way by 1/k.
#[test]
fn a_quadruped_tends_to_its_rigid_posture_as_one_by_stiffness() {
    let control = || Pd::new(&Solo, standing(), 10.0, 0.3);
    let start = (standing(), SVector::<f64, 18>::zeros());
    let mut rigid = Simulation::new(Solo).unwrap().state(start.0, start.1).unwrap();
    rigid.run(5.0, control()).unwrap();
    let posture = rigid.current().q;
    assert!(rigid.current().v.amax() < 1e-9);
    let error = |stiffness: f64| {
        let curve = Stribeck::constant(0.8).unwrap();
        let bristles = stiffness / 20.0;
        let friction = Bristles::new(curve, bristles, 2.0 * f64::sqrt(bristles / G)).unwrap();
        let spring = Spring::linear(stiffness, f64::sqrt(stiffness)).unwrap();
        let simulation = CompliantSimulation::new(Solo).unwrap().springs(spring);
        let simulation = simulation.friction(friction).unwrap().tolerance(1e-10).unwrap();
        let mut simulation = simulation.state(posture, start.1).unwrap();
        simulation.run(4.0, control()).unwrap();
        let State { q, v, .. } = simulation.current();
        assert!(v.amax() < 1e-8, "{stiffness}: {}", v.amax());
        (q - posture).amax()
    };
    let errors = [1e5, 1e6, 1e7].map(error);
    println!("{errors:?}");
    let orders = [0, 1].map(|k| f64::log10(errors[k] / errors[k + 1]));
    assert!(orders.iter().all(|order| (order - 1.0).abs() < 0.02), "{errors:?} {orders:?}");
}

/// For ten minutes on its springs nothing moves, once it has come to rest.
#[test]
fn a_quadruped_stands_without_drift() {
    let simulation = CompliantSimulation::new(Solo).unwrap();
    let mut simulation = simulation.state(standing(), SVector::zeros()).unwrap();
    let control = || Pd::new(&Solo, standing(), 10.0, 0.3);
    simulation.run(5.0, control()).unwrap();
    let before = simulation.current().q;
    let effort = simulation.effort();
    simulation.run(600.0, control()).unwrap();
    let moved = (simulation.current().q - before).amax();
    assert!(moved < 1e-9, "{moved:e}");
    println!("{effort:?}, then {:?}", simulation.effort());
    let weight: f64 = simulation.contact_forces().iter().map(|of| of.force.z).sum();
    assert!((weight / (G * 2.5) - 1.0).abs() < 0.1, "{weight}");
}
