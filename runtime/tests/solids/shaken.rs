//! What friction can hold stays where it is while it is shaken, under every law.

use jourdain::prelude::*;
use jourdain::space::Storage;
use nalgebra::{SVector, Vector3, Vector6};

use super::numbers::Numbers;
use super::rest::{Five, Foot, Four, Grasp, Overhang, Stack, laws};

const STEPS: usize = if cfg!(debug_assertions) { 100 } else { 2000 };

/// What the pads hold: across them motors at their limits hold nothing more.
const PUSH: ([f64; 3], f64) = ([3.0, 0.0, 3.0], 0.0);

/// How far a robot comes while another force along the axes, N, and another moment, N m, act on a link in each step, up to
/// these sizes; and the worst residual.
fn shake<M: Model>(
    simulation: &mut Simulation<M>,
    link: &str,
    (force, moment): ([f64; 3], f64),
) -> Result<[f64; 2], SimulationError>
where
    M::Q: Clone,
{
    let (q, u) = (simulation.current().q.clone(), M::U::zeros());
    let numbers = &mut Numbers(0x5eed);
    let (mut far, mut worst) = (0.0_f64, 0.0_f64);
    for _ in 0..STEPS {
        let size = |k: usize| if k < 3 { force[k] } else { moment };
        let wrench = Vector6::from_fn(|k, _| size(k) * numbers.next());
        simulation.clear_wrenches();
        simulation.apply_to_link(
            link,
            Vector3::zeros(),
            ReferenceFrame::LocalWorldAligned,
            wrench,
        )?;
        worst = worst.max(simulation.step(&u)?.residual.max());
        let pairs = simulation.current().q.as_slice().iter().zip(q.as_slice());
        far = pairs.fold(far, |far: f64, (x, y)| far.max((x - y).abs()));
    }
    Ok([far, worst])
}

fn stays<M: Model>(
    robot: impl Fn(Formulation) -> Result<Simulation<M>, SimulationError>,
    link: &str,
    size: ([f64; 3], f64),
) -> Result<(), SimulationError>
where
    M::Q: Clone,
{
    for law in laws() {
        let [far, worst] = shake(&mut robot(law)?, link, size)?;
        assert!(far < 1e-9 && worst < 1e-9, "{law:?}: {far:e} {worst:e}");
    }
    Ok(())
}

fn grasp(law: Formulation) -> Result<Simulation<Grasp>, SimulationError> {
    let mut q = Grasp.neutral();
    (q[0], q[1]) = (-0.009, -0.009);
    let mut grasp = Simulation::new(Grasp)?.formulation(law).state(q, SVector::zeros())?;
    for joint in ["close_left", "close_right"] {
        let motor = Motor::Position { position: -0.0089, reduction: 0.5, force: 12.0 };
        grasp.set_motor(joint, Some(motor))?;
    }
    Ok(grasp)
}

#[test]
fn a_grasp_holds() -> Result<(), SimulationError> {
    stays(grasp, "pill", PUSH)
}

#[test]
fn tables_stand() -> Result<(), SimulationError> {
    let (mut four, mut five) = (Four.neutral(), Five.neutral());
    (four[2], five[2]) = (0.7, 0.7);
    stays(
        |law| Simulation::new(Four)?.formulation(law).state(four, SVector::zeros()),
        "top",
        ([2.0; 3], 2.0),
    )?;
    stays(
        |law| Simulation::new(Five)?.formulation(law).state(five, SVector::zeros()),
        "top",
        ([2.0; 3], 2.0),
    )
}

#[test]
fn a_foot_stands() -> Result<(), SimulationError> {
    let mut q = Foot.neutral();
    q[2] = 0.02;
    let foot = |law| {
        let mut foot = Simulation::new(Foot)?.formulation(law).state(q, SVector::zeros())?;
        foot.set_motor("ankle", Some(Motor::Velocity { velocity: 0.0, force: f64::INFINITY }))?;
        Ok(foot)
    };
    stays(foot, "shank", ([1.0; 3], 0.3))
}

#[test]
fn a_box_on_an_edge_stays() -> Result<(), SimulationError> {
    let mut q = Overhang.neutral();
    (q[0], q[1], q[2]) = (0.45, 0.0, 0.15);
    let book = |law| Simulation::new(Overhang)?.formulation(law).state(q, SVector::zeros());
    stays(book, "book", ([0.3; 3], 0.1))
}

/// Without the brick that slides.
#[test]
fn a_stack_stays() -> Result<(), SimulationError> {
    let mut q = Stack.neutral();
    for k in 0..3 {
        (q[7 * k], q[7 * k + 2]) = (0.04 * k as f64, 0.05 + 0.1 * k as f64);
    }
    (q[22], q[23]) = (1.0, 5000.0);
    for law in laws() {
        let mut stack = Simulation::new(Stack)?.formulation(law).state(q, SVector::zeros())?;
        for link in ["a", "b", "c"] {
            let before = stack.current().q.fixed_rows::<21>(0).clone_owned();
            let [_, worst] = shake(&mut stack, link, ([0.7; 3], 0.02))?;
            let far = (stack.current().q.fixed_rows::<21>(0) - before).amax();
            assert!(far < 1e-9 && worst < 1e-9, "{law:?}: {far:e} {worst:e}");
        }
    }
    Ok(())
}

/// Pulled by more than friction holds, a table slides; let go, it comes to rest, and stays there.
#[test]
fn what_was_pulled_away_is_held_again() -> Result<(), SimulationError> {
    let mut q = Four.neutral();
    q[2] = 0.7;
    for law in laws().into_iter().filter(|law| !matches!(law, Formulation::Sticking(_))) {
        let mut table = Simulation::new(Four)?.formulation(law).state(q, SVector::zeros())?;
        let pull = Vector6::new(60.0, 0.0, 0.0, 0.0, 0.0, 0.0);
        table.apply_to_link("top", Vector3::zeros(), ReferenceFrame::LocalWorldAligned, pull)?;
        for _ in 0..5 {
            table.step(&SVector::zeros())?;
        }
        let slid = table.current().v.fixed_rows::<3>(0).norm();
        assert!(slid > 0.01, "{law:?}: {slid}");
        table.clear_wrenches();
        for _ in 0..400 {
            table.step(&SVector::zeros())?;
        }
        let [far, worst] = shake(&mut table, "top", ([2.0; 3], 2.0))?;
        assert!(far < 1e-9 && worst < 1e-9, "{law:?}: {far:e} {worst:e}");
    }
    Ok(())
}
