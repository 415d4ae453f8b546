//! One motion by every simulation: from event to event, in continuous time, by time stepping, by discrete mechanics, and
//! on springs. Each tends to the first at the order that its documentation states.

mod contact;
mod loops;
mod smooth;

use jourdain::compliant::{Bristles, Spring, Stribeck};
use jourdain::prelude::*;
use nalgebra::SVector;

type Failure = Box<dyn std::error::Error>;
type Outcome = Result<(), Failure>;

/// How many steps a scene is done in, each twice as many as those before.
const STEPS: [usize; 4] = [100, 200, 400, 800];
/// Errors below which no order is seen, for a tolerance of 1e-12.
const FLOOR: f64 = 1e-8;

/// Where a scene ends, from how many steps it is done in.
type Way<M> = fn(&Scene<M>, usize) -> Result<<M as Model>::Q, Failure>;

/// A motion from a state, and what is expected of each way.
#[derive(Clone, Copy, Debug)]
struct Scene<M: Model> {
    robot: M,
    q: M::Q,
    v: M::V,
    seconds: f64,
    input: fn(f64) -> M::U,
    /// The order of time stepping, and that of discrete mechanics.
    orders: [f64; 2],
    others: Others,
}

/// The other two ways: in continuous time, and on springs.
#[derive(Clone, Copy, Debug)]
enum Others {
    /// Both, as nothing touches.
    Both,
    /// Without contact, where loops are closed.
    Closed,
    /// On springs that are made for a mass, kg, with friction.
    Springs(f64, f64),
    /// Neither: what touches is thrown back by a law of impact.
    Neither,
}

impl<M: Model + Copy> Scene<M> {
    /// From event to event.
    fn by_events(&self) -> Result<M::Q, Failure> {
        let run = HybridSimulation::new(self.robot)?.tolerance(1e-12)?;
        let mut run = run.state(self.q.clone(), self.v.clone())?;
        run.run(self.seconds, |state: &State<M>| (self.input)(state.time))?;
        Ok(run.current().q.clone())
    }

    /// In continuous time, where nothing touches.
    fn smooth(&self, tolerance: f64) -> Result<M::Q, Failure> {
        let run = SmoothSimulation::new(self.robot)?.tolerance(tolerance)?;
        let mut run = run.state(self.q.clone(), self.v.clone())?;
        run.run(self.seconds, |state: &State<M>| (self.input)(state.time))?;
        Ok(run.current().q.clone())
    }

    fn stepped(&self, steps: usize) -> Result<M::Q, Failure> {
        let run = Simulation::new(self.robot)?.step_size(self.seconds / steps as f64)?;
        let mut run = run.state(self.q.clone(), self.v.clone())?;
        for _ in 0..steps {
            let u = (self.input)(run.current().time);
            run.step(&u)?;
        }
        Ok(run.current().q.clone())
    }

    fn discrete(&self, steps: usize) -> Result<M::Q, Failure> {
        let h = self.seconds / steps as f64;
        let run = Variational::new(self.robot)?.step_size(h)?;
        let mut run = run.state(self.q.clone(), self.v.clone())?;
        for _ in 0..steps {
            // As the mean of a step.
            let u = (self.input)(run.current().time + 0.5 * h);
            run.step(&u)?;
        }
        Ok(run.current().q.clone())
    }

    /// On springs that give way within `time` seconds, damped so that they throw nothing back.
    fn sprung(&self, time: f64) -> Result<M::Q, Failure> {
        let mut run = CompliantSimulation::new(self.robot)?.tolerance(1e-9)?;
        if let Others::Springs(mass, friction) = self.others {
            let stiffness = 0.1 * mass / time.powi(3);
            let bristles = stiffness / 60.0;
            let law = Bristles::new(Stribeck::constant(friction)?, bristles, bristles * time)?;
            run = run.springs(Spring::linear(stiffness, stiffness * time)?).friction(law)?;
            run = run.stops(Spring::linear(stiffness, stiffness * time)?);
        }
        let mut run = run.state(self.q.clone(), self.v.clone())?;
        run.run(self.seconds, |state: &State<M>| (self.input)(state.time))?;
        Ok(run.current().q.clone())
    }

    /// Every way tends to the motion from event to event.
    fn agrees(&self, name: &str) -> Outcome {
        self.compare(name, tends)
    }

    /// The same of steps that round the times of impacts, which blurs the order: no error is above `most` times h.
    fn agrees_within(&self, name: &str, most: f64) -> Outcome {
        self.compare(name, |what, errors, _| {
            println!("{what}: {errors:?}");
            let by_steps = errors.iter().zip(STEPS).map(|(x, steps)| x * steps as f64);
            let largest = by_steps.fold(0.0, f64::max) / self.seconds;
            assert!(largest < most, "{what}: {errors:?}, {largest} h");
            Ok(())
        })
    }

    fn compare(&self, name: &str, judge: impl Fn(&str, [f64; 4], f64) -> Outcome) -> Outcome {
        let exact = self.by_events()?;
        let distance = |q: M::Q| {
            let difference = self.robot.difference(&exact, &q);
            (0..M::NV).fold(0.0_f64, |most, i| most.max(difference[i].abs()))
        };
        let ways: [(&str, Way<M>); 2] =
            [("by steps", Self::stepped), ("discretely", Self::discrete)];
        for ((way, run), order) in ways.into_iter().zip(self.orders) {
            let what = format!("{name} {way}");
            let mut errors = [0.0; 4];
            for (error, steps) in errors.iter_mut().zip(STEPS) {
                let end = run(self, steps).map_err(|error| format!("{what}: {error}"))?;
                *error = distance(end);
            }
            judge(&what, errors, order)?;
        }
        match self.others {
            Others::Both => {
                let errors = [distance(self.smooth(1e-10)?), distance(self.sprung(0.0)?)];
                assert!(errors.iter().all(|error| *error < 1e-6), "{name}: {errors:?}");
            }
            Others::Closed => {
                let error = distance(self.sprung(0.0)?);
                assert!(error < 1e-6, "{name} without springs: {error:e}");
            }
            Others::Springs(..) => {
                let mut errors = [16e-3, 8e-3, 4e-3, 2e-3];
                for error in &mut errors {
                    *error = distance(self.sprung(*error)?);
                }
                tends(&format!("{name} on springs"), errors, 0.7)?;
            }
            Others::Neither => {}
        }
        Ok(())
    }
}

/// No input at all.
fn nothing<const N: usize>(_: f64) -> SVector<f64, N> {
    SVector::zeros()
}

/// Whether errors fall by an order, as the last two show, or are below what shows one.
fn tends(what: &str, errors: [f64; 4], order: f64) -> Outcome {
    let seen = (errors[1] / errors[3]).log2() / 2.0;
    println!("{what}: {errors:?}, of order {seen:.2}");
    assert!(errors[3] < FLOOR || seen > order - 0.15, "{what}: {errors:?} of order {seen}");
    assert!(errors[3] < 0.05, "{what}: {errors:?}");
    Ok(())
}
