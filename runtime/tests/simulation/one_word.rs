//! A user changes one word to have other mechanics: all five have the same names for the same things.

use std::error::Error;

use jourdain::prelude::*;
use nalgebra::{SVector, vector};

/// A post that falls upon its foot.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -10],
    link(post, mass = 2),
    joint(height, prismatic(world -> post), axis = [0, 0, 1], passive),
    contact(foot, on = post, friction = 0.5),
)]
struct Post;

/// What is the same in all, whatever it is called for.
#[derive(Debug)]
struct Seen {
    name: &'static str,
    /// T + U, at the start and at the end.
    energies: [f64; 2],
    height: f64,
    gap: f64,
    /// Time of the end, and those of the first and the last sample.
    times: [f64; 3],
    samples: usize,
    /// After going back to the start.
    again: f64,
}

fn idle(_: &State<Post>) -> SVector<f64, 0> {
    SVector::zeros()
}

macro_rules! seen {
    ($simulation:ident) => {{
        let start = (vector![0.2], vector![0.0]);
        let mut simulation = $simulation::new(Post)?.tolerance(1e-9)?.state(start.0, start.1)?;
        let mut recording = Recording::new(100.0)?;
        let energy = simulation.energy();
        simulation.run_recorded(1.0, idle, &mut recording)?;
        simulation.run(0.5, idle)?;
        let samples = recording.samples();
        let (State { time, q, .. }, gap) = (simulation.current().clone(), simulation.gaps()[0]);
        let at = |k: usize| samples[k].state.time;
        let energies = [energy, simulation.energy()];
        let _: &Post = simulation.model();
        simulation.reset(start.0, start.1)?;
        let seen = Seen {
            name: stringify!($simulation),
            energies,
            height: q[0],
            gap,
            times: [time, at(0), at(samples.len() - 1)],
            samples: samples.len(),
            again: simulation.energy(),
        };
        let mut table = Vec::new();
        jourdain::csv::write(&recording, &mut table)?;
        assert_eq!(String::from_utf8(table)?.lines().count(), seen.samples + 1);
        let _: Scene = Scene::film(simulation.model(), &recording);
        seen
    }};
}

/// What presses at the end of a run, and what does so in the one after another start.
macro_rules! forces {
    ($simulation:ident) => {{
        let mut simulation = $simulation::new(Post)?.state(vector![0.2], vector![0.0])?;
        let before = simulation.contact_forces().len();
        simulation.run(2.0, idle)?;
        let forces = simulation.contact_forces();
        simulation.reset(vector![1.0], vector![0.0])?;
        assert!(simulation.contact_forces().is_empty(), stringify!($simulation));
        (before, forces)
    }};
}

/// What is wrong is told in the same words by all.
macro_rules! refusals {
    ($simulation:ident) => {{
        let new = || $simulation::new(Post);
        let none = new()?.run(0.0, idle).err().map(|error| error.to_string());
        let lost =
            new()?.state(vector![f64::NAN], vector![0.0]).err().map(|error| error.to_string());
        let tolerance = new()?.tolerance(-1.0).err().map(|error| error.to_string());
        [none, lost, tolerance]
    }};
}

#[test]
fn refusals_have_one_wording() -> Result<(), Box<dyn Error>> {
    let (expected, range) =
        ("expected a finite number greater than 0", "expected a number from 1e-14 to 0.1");
    for (texts, of_tolerance) in [
        (refusals!(Simulation), expected),
        (refusals!(Variational), expected),
        (refusals!(HybridSimulation), range),
        (refusals!(CompliantSimulation), range),
        (refusals!(SmoothSimulation), range),
    ] {
        let [none, lost, tolerance] = texts;
        assert_eq!(none, Some(format!("duration is 0, {expected}")));
        assert_eq!(lost.as_deref(), Some("q[0] is NaN, expected a finite number"));
        assert_eq!(tolerance, Some(format!("tolerance is -1, {of_tolerance}")));
    }
    Ok(())
}

#[test]
fn one_word_is_enough() -> Result<(), Box<dyn Error>> {
    let all = [
        seen!(Simulation),
        seen!(Variational),
        seen!(HybridSimulation),
        seen!(CompliantSimulation),
        seen!(SmoothSimulation),
    ];
    for seen in &all {
        let falls = seen.name == "SmoothSimulation";
        let [start, end] = seen.energies;
        assert!((start - 4.0).abs() < 1e-12 && seen.again == start, "{seen:?}");
        // On springs it stands a little deeper, and without contact it falls for ever.
        let height = if falls { 0.2 - 0.5 * 10.0 * 1.5 * 1.5 } else { 0.0 };
        let allowed = if falls { 1e-8 } else { 1e-3 };
        assert!((seen.height - height).abs() < allowed && seen.gap == seen.height, "{seen:?}");
        assert!((end - if falls { 4.0 } else { 0.0 }).abs() < 0.03, "{seen:?}");
        let [time, first, last] = seen.times;
        assert!((time - 1.5).abs() < 1e-9 && first < 2e-3 && last > 0.98, "{seen:?}");
        assert!((100..=101).contains(&seen.samples), "{seen:?}");
    }
    for (before, forces) in [
        forces!(Simulation),
        forces!(Variational),
        forces!(HybridSimulation),
        forces!(CompliantSimulation),
    ] {
        let [force] = &forces[..] else { panic!("{forces:?}") };
        assert_eq!((before, force.name, force.links), (0, "foot", ("post", None)));
        assert!((force.force.z - 20.0).abs() < 1e-3, "{force:?}");
    }
    Ok(())
}

/// A post that a motor lifts.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(post, mass = 2),
    joint(height, prismatic(world -> post), axis = [0, 0, 1], actuated),
    contact(foot, on = post, friction = 0.5),
)]
struct Lift;

/// A controller that has no answer is what is to blame, in all five.
#[test]
fn inputs_that_are_none_are_named() -> Result<(), Box<dyn Error>> {
    macro_rules! blamed {
        ($simulation:ident) => {{
            let mut simulation = $simulation::new(Lift)?.state(vector![0.2], vector![0.0])?;
            let lift =
                |state: &State<Lift>| vector![if state.time > 0.05 { f64::NAN } else { 1.0 }];
            let error = simulation.run(1.0, lift).unwrap_err().to_string();
            let time = simulation.current().time;
            let says = "s: u[0] of the controller is NaN, expected a finite number";
            assert!(error.starts_with("at 0.05") && error.ends_with(says), "{error}");
            assert!((0.0..0.06).contains(&time), "{}: {time}", stringify!($simulation));
        }};
    }
    blamed!(Simulation);
    blamed!(Variational);
    blamed!(HybridSimulation);
    blamed!(CompliantSimulation);
    blamed!(SmoothSimulation);
    Ok(())
}
