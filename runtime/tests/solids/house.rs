//! A card house of seven cards.
//!
//! Two pairs of cards lean on each other, a card lies on them, and a pair stands on it. Each card's frame has its length
//! along y and its thickness along z; leaning to the right or the left by α from upright it is turned about x.

use jourdain::prelude::*;
use nalgebra::{SVector, UnitQuaternion, Vector3};

use crate::run;

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(b0, mass = 0.002, box(size = [0.06, 0.09, 0.002])), joint(j0, floating(world -> b0)),
    shape(s0, on = b0, box = [0.06, 0.09, 0.002], friction = 0.7),
    link(b1, mass = 0.002, box(size = [0.06, 0.09, 0.002])), joint(j1, floating(world -> b1)),
    shape(s1, on = b1, box = [0.06, 0.09, 0.002], friction = 0.7),
    link(b2, mass = 0.002, box(size = [0.06, 0.09, 0.002])), joint(j2, floating(world -> b2)),
    shape(s2, on = b2, box = [0.06, 0.09, 0.002], friction = 0.7),
    link(b3, mass = 0.002, box(size = [0.06, 0.09, 0.002])), joint(j3, floating(world -> b3)),
    shape(s3, on = b3, box = [0.06, 0.09, 0.002], friction = 0.7),
    link(b4, mass = 0.002, box(size = [0.06, 0.09, 0.002])), joint(j4, floating(world -> b4)),
    shape(s4, on = b4, box = [0.06, 0.09, 0.002], friction = 0.7),
    link(b5, mass = 0.002, box(size = [0.06, 0.09, 0.002])), joint(j5, floating(world -> b5)),
    shape(s5, on = b5, box = [0.06, 0.09, 0.002], friction = 0.7),
    link(floor, mass = 0.003, box(size = [0.06, 0.13, 0.002])), joint(f, floating(world -> floor)),
    shape(deck, on = floor, box = [0.06, 0.13, 0.002], friction = 0.7),
    contact(foot0, on = b0, box = [0.06, 0.09, 0.002], friction = 0.7),
    contact(foot1, on = b1, box = [0.06, 0.09, 0.002], friction = 0.7),
    contact(foot2, on = b2, box = [0.06, 0.09, 0.002], friction = 0.7),
    contact(foot3, on = b3, box = [0.06, 0.09, 0.002], friction = 0.7),
    pair(s0, s1), pair(s2, s3), pair(s4, s5),
    pair(deck, s0), pair(deck, s1), pair(deck, s2), pair(deck, s3), pair(s4, deck), pair(s5, deck),
)]
struct House;

const LENGTH: f64 = 0.09;
const THICKNESS: f64 = 0.002;
/// From upright, rad.
const LEAN: f64 = 0.3;

/// Centre and rotation of a card that leans to the right, or mirrored, towards a pair's middle.
fn card(middle: f64, floor: f64, mirrored: bool) -> (Vector3<f64>, UnitQuaternion<f64>) {
    let side = if mirrored { -1.0 } else { 1.0 };
    let (sine, cosine) = LEAN.sin_cos();
    // From the vertex that touches the other card, and from the edge it stands on.
    let across = 0.5 * (LENGTH * sine + THICKNESS * cosine);
    let up = 0.5 * (LENGTH * cosine + THICKNESS * sine);
    let turn = side * (std::f64::consts::FRAC_PI_2 - LEAN);
    let rotation = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), turn);
    (Vector3::new(0.0, middle - side * across, floor + up), rotation)
}

/// All cards where they touch.
fn built() -> SVector<f64, 49> {
    let height = LENGTH * LEAN.cos() + THICKNESS * LEAN.sin();
    let width = LENGTH * LEAN.sin() + THICKNESS * LEAN.cos();
    let middles = [(-width, 0.0), (width, 0.0), (0.0, height + THICKNESS)];
    let leaning = middles.iter().flat_map(|&(y, z)| [card(y, z, false), card(y, z, true)]);
    let deck = (Vector3::new(0.0, 0.0, height + 0.5 * THICKNESS), UnitQuaternion::identity());
    let mut q = SVector::<f64, 49>::zeros();
    for (k, (position, rotation)) in leaning.chain([deck]).enumerate() {
        q.fixed_rows_mut::<3>(7 * k).copy_from(&position);
        q.fixed_rows_mut::<4>(7 * k + 3).copy_from(&rotation.coords);
    }
    q
}

#[test]
fn it_stands_for_a_minute() -> Result<(), SimulationError> {
    let q = built();
    let mut house = Simulation::new(House)?.step_size(1e-2)?.state(q, SVector::zeros())?;
    let worst = run(&mut house, 10)?;
    assert!(worst < 1e-9, "{worst:e}");
    let report = house.run(crate::MINUTE, |_: &State<House>| SVector::zeros())?;
    let drift = (house.current().q - q).amax();
    println!("card house: drift {drift:.1e}, residual {:.1e}", report.residual.max());
    assert!(drift < 1e-4, "{drift:e} {report:?}");
    Ok(())
}
