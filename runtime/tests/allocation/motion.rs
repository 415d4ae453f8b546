//! Smooth steps, and accelerations in modes of contact.

use jourdain::hybrid::Automaton;
use jourdain::integrate::{
    Adaptive, At, Driven, Phase, RungeKutta4, SemiImplicitEuler, Space, Tolerance,
};
use jourdain::prelude::*;
use nalgebra::{SVector, Vector3};

use super::{Plate, allocations, askew};

/// Of the plate in free flight, by every method, with its dense output and a guard that falls.
#[test]
fn smooth_steps() {
    let model = Plate { e: 0.0 }.prepare();
    let space = Space::of::<Plate>(0);
    let (q, _) = askew(1.0);
    let v = vec![0.3, 0.1, 0.5, 1.0, -2.0, 0.7];
    let start = Phase { time: 0.0, q: q.as_slice().to_vec(), v, z: vec![] };
    let mut system = Driven::new(&model, |_: &State<Plate>| SVector::<f64, 0>::zeros());
    let (mut phase, mut room) = (start.clone(), start.clone());
    let mut fixed = (RungeKutta4::new(&space), SemiImplicitEuler::new(&space));
    let steps = || {
        fixed.0.step(&mut system, &mut phase, 1e-2).unwrap();
        fixed.1.step(&mut system, &mut phase, 1e-2).unwrap();
    };
    assert_eq!(allocations(steps), 0);
    let mut explicit = Adaptive::new(&space, start.clone(), Tolerance::default()).unwrap();
    let mut implicit = Adaptive::stiff(&space, start.clone(), Tolerance::default()).unwrap();
    let mut falls = 0;
    let runs = || {
        explicit.run_to(&mut system, 1.0, 1000).unwrap();
        implicit.run_to(&mut system, 1.0, 1000).unwrap();
        for dense in [explicit.dense().unwrap(), implicit.dense().unwrap()] {
            let height = dense.end() - 1e-6;
            let mut guard = |at: At<'_>| height - at.time;
            let found = dense.first_crossing(&mut guard, dense.start(), &mut room).unwrap();
            falls += usize::from(found.is_some());
        }
        explicit.restart(&start, None).unwrap();
    };
    assert_eq!(allocations(runs), 0);
    assert_eq!(falls, 2);
}

/// Four corners at rest, in which rows are redundant, and one on which a tilted box slides.
#[test]
fn accelerations_in_modes_of_contact() {
    #[derive(Robot, Clone, Copy)]
    #[robot(
        link(body, box(size = [0.4, 0.2, 0.1]), mass = 2),
        joint(base, floating(world -> body)),
        contact(corner, on = body, box = [0.4, 0.2, 0.1], friction = 0.3),
    )]
    struct Brick;

    let tilted = nalgebra::UnitQuaternion::from_euler_angles(0.3, 0.2, 0.0);
    let corners = [0.2, -0.2].into_iter().flat_map(|x| [0.1, -0.1].map(|y| (x, y)));
    let lowest = corners.map(|(x, y)| (tilted * Vector3::new(x, y, -0.05)).z).fold(0.0, f64::min);
    for (height, turn) in [(0.05, nalgebra::UnitQuaternion::identity()), (-lowest, tilted)] {
        let mut q = SVector::<f64, 7>::zeros();
        q[2] = height;
        q.fixed_rows_mut::<4>(3).copy_from(&turn.coords);
        let v = SVector::<f64, 6>::zeros();
        let still = |_: &State<Brick>| SVector::<f64, 0>::zeros();
        let mut brick = HybridSimulation::new(Brick).unwrap().state(q, v).unwrap();
        brick.run(1e-3, still).unwrap();
        let (mode, state) = (brick.mode().unwrap().clone(), brick.current().clone());
        let mut automaton = brick.automaton(still);
        let (mut v_dot, mut guards) = ([0.0; 6], Vec::new());
        automaton.guards(&mode, &mut guards);
        let mut evaluate = |count: usize| {
            for k in 0..count {
                let time = 1e-3 * k as f64;
                let at = At { time, q: state.q.as_slice(), v: state.v.as_slice(), z: &[] };
                automaton.rates(&mode, at, &mut v_dot, &mut []);
                guards.iter().for_each(|guard| assert!(automaton.guard(&mode, *guard, at) > -1e-6));
            }
        };
        evaluate(20);
        assert_eq!(allocations(|| evaluate(40)), 0);
    }
}
