//! Solids on the crest of ground that falls to both sides between the points of a grid.

use jourdain::contact::{Anitescu, Ground, Touching};
use jourdain::geometry::{Feature, Grid};
use jourdain::prelude::*;
use nalgebra::{SVector, Vector3};

use crate::{Vector0, run};

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(slab, mass = 3, box(size = [0.8, 0.4, 0.1])), joint(base, floating(world -> slab)),
    shape(plank, on = slab, box = [0.8, 0.4, 0.1]),
)]
struct Slab;

#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    link(body, mass = 2, sphere(radius = 0.2)), joint(base, floating(world -> body)),
    shape(ball, on = body, sphere = 0.2),
)]
struct Ball;

/// z = −|x|/2, with points a metre apart.
fn roof() -> Ground {
    let heights = (0..15).map(|k| -0.5 * f64::from((k % 5 - 2_i32).abs()));
    let grid = Grid::new([-2.0, -1.0], [1.0; 2], 5, heights.collect()).unwrap();
    Ground::grid(grid, 0.6, 0.0).unwrap()
}

/// It falls a little, comes to rest and stays, on one point of each of the edges that cross the crest.
#[test]
fn a_box_rests_across_a_ridge() -> Result<(), SimulationError> {
    let mut q = Slab.neutral();
    (q[1], q[2]) = (0.3, 0.06);
    let mut slab = Simulation::new(Slab)?.ground(roof())?.state(q, SVector::zeros())?;
    assert!(run(&mut slab, 200)? < 1e-9);
    let rested = slab.current().q;
    assert!((rested[2] - 0.05).abs() < 1e-9, "{rested}");
    assert!(run(&mut slab, 300)? < 1e-9);
    assert!((slab.current().q - rested).norm() < 1e-9);
    let pressed: Vec<_> =
        slab.impulse().pairs.iter().filter(|point| point.impulse[0] > 1e-9).collect();
    assert_eq!(pressed.len(), 2, "{pressed:?}");
    for (point, y) in pressed.iter().zip([0.1, 0.5]) {
        assert!(point.of == Touching::Ground(0) && matches!(point.feature, Feature::Crest { .. }));
        assert!((point.point - Vector3::new(0.0, y, 0.0)).norm() < 1e-9);
        // Along the crest they may press against each other.
        let force = point.world() / slab.time_step();
        assert!((force.z - 0.5 * 3.0 * 9.81).abs() < 1e-6 && force.x.abs() < 1e-6, "{force}");
    }
    Ok(())
}

/// Beside the crest it tips: its centre of mass is over neither of the points that it touches.
#[test]
fn a_box_tips_over_a_ridge() -> Result<(), SimulationError> {
    let mut q = Slab.neutral();
    (q[0], q[2]) = (0.1, 0.05);
    let mut slab = Simulation::new(Slab)?.ground(roof())?.state(q, SVector::zeros())?;
    assert!(run(&mut slab, 2)? < 1e-9);
    // About the crest: (I + m (c² + h²)) ω̇ = m g c.
    let (c, h, m) = (0.1, 0.05, 3.0);
    let inertia = m / 12.0 * (0.8 * 0.8 + 0.1 * 0.1) + m * (c * c + h * h);
    let expected = m * 9.81 * c / inertia * 2e-3;
    let turning = slab.current().v[4];
    assert!((turning - expected).abs() < 1e-3 * expected, "{turning} {expected}");
    Ok(())
}

#[test]
fn a_ball_balances_on_a_crest() -> Result<(), SimulationError> {
    let mut q = Ball.neutral();
    (q[1], q[2]) = (0.3, 0.2);
    let mut ball = Simulation::new(Ball)?.ground(roof())?.state(q, SVector::zeros())?;
    assert!(run(&mut ball, 100)? < 1e-9);
    assert!((ball.current().q - q).norm() < 1e-9, "{}", ball.current().q);
    let force = ball.impulse().pairs[0].world() / ball.time_step();
    assert!((force - Vector3::z() * (2.0 * 9.81)).norm() < 1e-6, "{force}");
    Ok(())
}

/// z = 0.05 sin 3x cos 2y, with points 10 cm apart.
fn waves() -> Ground {
    let at = |k: usize| -2.0 + 0.1 * k as f64;
    let height = |k: usize| 0.05 * (3.0 * at(k % 41)).sin() * (2.0 * at(k / 41)).cos();
    let grid = Grid::new([-2.0; 2], [0.1; 2], 41, (0..41 * 41).map(height).collect()).unwrap();
    Ground::grid(grid, 0.6, 0.0).unwrap()
}

/// A slab over them that turns.
fn thrown(law: Formulation, recovery: f64) -> Result<Simulation<Slab>, SimulationError> {
    let mut q = Slab.neutral();
    (q[0], q[1], q[2]) = (1.0, -0.3, 0.3);
    let v = SVector::from([0.0, 0.5, 0.0, 0.0, 0.0, 1.0]);
    let slab = Simulation::new(Slab)?.ground(waves())?.formulation(law).recovery(recovery)?;
    slab.state(q, v)
}

/// Between lines of the grid edges sink in. Where a crest is met then, what has sunk is lifted there by a displacement, which
/// gives no more than the lift takes; by and by or at once, what falls comes to rest.
#[test]
fn what_has_sunk_in_is_lifted_and_not_thrown() -> Result<(), SimulationError> {
    let mut lifted = 0;
    for (law, share) in [(Formulation::coulomb(), 1.0), (anitescu(1e-2)?, 0.1)] {
        let mut slab = thrown(law, share)?;
        for _ in 0..1200 {
            let before = slab.energy();
            slab.step(&Vector0::zeros())?;
            let displacement = &slab.impulse().displacement;
            let lift: f64 = displacement.iter().take(3).map(|x| x * x).sum::<f64>().sqrt();
            let (gain, weight) = (slab.energy() - before, 3.0 * 9.81);
            assert!(gain < 1.01 * weight * lift + 0.01, "{law:?}, {share}: {gain} J by {lift} m");
            lifted += usize::from(lift > 5e-4);
        }
        assert!(run(&mut slab, 400)? < 1e-9, "{law:?}, {share}");
        let rested = slab.current().q;
        assert!(run(&mut slab, 200)? < 1e-9, "{law:?}, {share}");
        let moved = (slab.current().q - rested).norm();
        assert!(moved < 1e-9, "{law:?}, {share}: {moved:e}");
    }
    assert!(lifted > 0, "{lifted}");
    Ok(())
}

fn anitescu(margin: f64) -> Result<Formulation, SimulationError> {
    Anitescu::new(margin).map(Formulation::Anitescu).map_err(SimulationError::Setup)
}
