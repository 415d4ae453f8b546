//! The compass gait of the textbook: m_h = 10, m = 5, a = b = ½, on a slope of 0.0525.

use jourdain::hybrid::{Cycle, Hybrid, ReturnMap};
use jourdain::integrate::{CrossingKind, Phase, Space, Tolerance};
use jourdain_models::compass_gait::Swing;
use jourdain_models::{CompassGait, CompassWalk};
use nalgebra::{DMatrix, DVector};

type Done = Result<(), Box<dyn std::error::Error>>;

const SLOPE: f64 = 0.0525;

/// Right after a step, near the published cycle for 3°.
fn start() -> (Space, Phase) {
    let space = Space::of::<CompassGait>(0);
    let (stance, swing) = (SLOPE - 0.271, SLOPE + 0.271);
    let phase = Phase {
        q: vec![stance, swing - stance],
        v: vec![1.0918, 0.3772 - 1.0918],
        ..Phase::neutral(&space)
    };
    (space, phase)
}

fn walker() -> CompassWalk {
    CompassWalk::new(CompassGait::TEXTBOOK, SLOPE)
}

fn cycle() -> Result<Cycle, Box<dyn std::error::Error>> {
    let (space, start) = start();
    let tolerance = Tolerance::new(1e-14, 1e-14)?;
    let touchdown = CompassWalk::TOUCHDOWN;
    let mut map = ReturnMap::new(walker(), &space, Swing::Early, touchdown, tolerance);
    Ok(map.cycle(&start, 1e-12)?)
}

/// The phase right after the next step.
fn next_step(phase: &Phase, tolerance: f64) -> Result<Phase, Box<dyn std::error::Error>> {
    let (space, tolerance) = (start().0, Tolerance::new(tolerance, tolerance)?);
    let mut walk = Hybrid::new(walker(), &space, Swing::Early, phase.clone(), tolerance)?;
    while !walk.advance(10.0)?.is_some_and(|event| event.has_fired(CompassWalk::TOUCHDOWN)) {}
    Ok(walk.phase().clone())
}

#[test]
fn limit_cycle() -> Done {
    let cycle = cycle()?;
    println!("{cycle:?} {:?} {:?}", cycle.period.eigenvalues(), cycle.period.multipliers());
    let again = next_step(&cycle.start, 1e-14)?;
    println!("{again:?}");
    panic!();
}
