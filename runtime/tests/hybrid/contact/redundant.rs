//! More contacts than forces can be told of.

use jourdain::prelude::*;
use nalgebra::SVector;

use super::nothing;

/// A plate on four feet, and a weight that is driven over it along a line that is no axis of symmetry.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(plate, mass = 1, inertia = [0.03, 0.03, 0.06]),
    joint(base, floating(world -> plate)),
    link(weight, mass = 3),
    joint(track, prismatic(plate -> weight), axis = [0.8, 0.6, 0], passive),
    drive(motor, joint = track, rate = 0.5),
    contact(ne, on = plate, at = [0.3, 0.3, -0.2], friction = 0.5),
    contact(nw, on = plate, at = [-0.3, 0.3, -0.2], friction = 0.5),
    contact(se, on = plate, at = [0.3, -0.3, -0.2], friction = 0.5),
    contact(sw, on = plate, at = [-0.3, -0.3, -0.2], friction = 0.5),
)]
struct Table;

/// It stands until the centre of mass is above an edge, although the smallest forces are negative at one foot long before
/// that, and then tips over that edge.
#[test]
fn a_table_tips_when_its_centre_of_mass_leaves_it() {
    let mut q = SVector::<f64, 8>::zeros();
    (q[2], q[6]) = (0.2, 1.0);
    let mut v = SVector::<f64, 7>::zeros();
    v[6] = 0.5;
    // The weight starts at once, and so the plate is pushed back, but does not slip.
    let mut table = HybridSimulation::new(Table).unwrap().stiff().state(q, v).unwrap();
    let tips = 0.3 * 4.0 / 3.0 / 0.8 / 0.5;
    let mut recording = Recording::new(100.0).unwrap();
    table.run_recorded(tips + 0.05, nothing, &mut recording).unwrap();
    let event = &table.events()[0];
    // It is told when feet rise with 10⁻⁷ of the largest acceleration: with the moment m g v t of the weights about the edge,
    // the inertia about it of the plate, 0.03 + 0.3² + 0.2², and of the weight, 3 (0.1² + 0.2²), and an arm of 0.6 m.
    let rising = 0.6 * (4.0 * 9.81 * 0.75 * 0.4) / (0.03 + 0.13 + 3.0 * 0.05);
    let late = event.time() - tips;
    assert!((0.5..2.0).contains(&(late * rising / (1.1e-7 * 9.81))), "{late:e}");
    assert_eq!(table.modes()[1].1, "ne stick, nw open, se stick, sw open");
    let least = recording.samples().iter().map(|sample| sample.forces[3].z).fold(0.0, f64::min);
    assert!(least < -1.0, "{least}");
    assert!(table.current().q[4] > 0.0);
}
