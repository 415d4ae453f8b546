//! A block on a spring that a belt drags along: it sticks and slips, in closed form.

use jourdain::hybrid::{Closures, Hybrid, ReturnMap};
use jourdain::integrate::{Phase, Space, Tolerance};

type Done = Result<(), Box<dyn std::error::Error>>;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Block {
    Sticking,
    Slipping,
}

const STIFFNESS: f64 = 40.0;
const BELT: f64 = 0.3;
/// The largest friction of a block of 1 kg that sticks, and that of one that slips, in N.
const STATIC: f64 = 6.0;
const DYNAMIC: f64 = 4.0;

fn block() -> Closures<Block> {
    use Block::{Slipping, Sticking};
    Closures::new()
        .mode(Sticking, |_, v_dot, _| v_dot[0] = 0.0)
        .mode(Slipping, |at, v_dot, _| v_dot[0] = DYNAMIC - STIFFNESS * at.q[0])
        .guard(Sticking, "breaks loose", |at| STATIC - STIFFNESS * at.q[0], |_| Slipping)
        .guard(
            Slipping,
            "sticks",
            |at| BELT - at.v[0],
            |phase| {
                phase.v[0] = BELT;
                Sticking
            },
        )
}

#[test]
fn stick_and_slip() -> Done {
    let omega = STIFFNESS.sqrt();
    let sticking = 2.0 * (STATIC - DYNAMIC) / (STIFFNESS * BELT);
    let lag = ((STATIC - DYNAMIC) * omega / (STIFFNESS * BELT)).atan();
    let slipping = 2.0 / omega * (std::f64::consts::PI - lag);
    let space = Space::flat(1, 0);
    let start = Phase { v: vec![BELT], ..Phase::neutral(&space) };
    let tolerance = Tolerance::new(1e-12, 1e-12)?;
    let mut motion = Hybrid::new(block(), &space, Block::Sticking, start.clone(), tolerance)?;
    motion.run_to(20.0)?;
    let modes: Vec<_> = motion.history().modes().collect();
    assert!((modes[1].0 - STATIC / (STIFFNESS * BELT)).abs() < 1e-12, "{modes:?}");
    for pair in modes[1..].windows(2) {
        let expected = if *pair[0].1 == Block::Sticking { sticking } else { slipping };
        assert!((pair[1].0 - pair[0].0 - expected).abs() < 1e-11, "{pair:?} {expected}");
        assert_ne!(pair[0].1, pair[1].1);
    }
    // Whatever comes to stick forgets how.
    let sticks = block().find("sticks").unwrap();
    let mut map = ReturnMap::new(block(), &space, Block::Sticking, sticks, tolerance);
    let cycle = map.cycle(&start, 1e-11)?;
    assert!((cycle.period.duration - sticking - slipping).abs() < 1e-11, "{cycle:?}");
    let [first, second] = cycle.period.eigenvalues()[..] else { panic!() };
    assert!(
        first.re.hypot(first.im) < 1e-9 && second.re.hypot(second.im) < 1e-9,
        "{first} {second}"
    );
    Ok(())
}
