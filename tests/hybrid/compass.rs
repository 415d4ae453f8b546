//! The compass gait of the textbook.

use jourdain::hybrid::Hybrid;
use jourdain::integrate::{Phase, Space, Tolerance};
use jourdain_models::compass_gait::Swing;
use jourdain_models::{CompassGait, CompassWalk};
use nalgebra::{Vector2, vector};

type Done = Result<(), Box<dyn std::error::Error>>;

const SLOPE: f64 = 0.0525;

/// After a step, near the limit cycle.
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

fn walk(tolerance: f64) -> Result<Hybrid<CompassWalk>, Box<dyn std::error::Error>> {
    let (space, phase) = start();
    let walker = CompassWalk::new(CompassGait::TEXTBOOK, SLOPE);
    Ok(Hybrid::new(walker, &space, Swing::Early, phase, Tolerance::new(tolerance, tolerance)?)?)
}

#[test]
fn walks() -> Done {
    let mut walk = walk(1e-10)?;
    walk.run_to(100.0)?;
    for e in walk.history().events().iter().rev().take(3) {
        println!("{e:?}");
    }
    println!("{:?} {}", walk.effort(), walk.history().events().len());
    panic!();
}
