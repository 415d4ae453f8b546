//! Slides over ground that is no plane: gaps are linear in a step, and the ground is not.

use jourdain::contact::{Formulation, Normal};
use jourdain::prelude::*;
use nalgebra::{SVector, vector};

const G: f64 = 10.0;

/// A bead on a bowl, or with k < 0 on a crest: z = k x²/2, of the curvature k at its bottom or top.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -10],
    ground(height = 0.5 * k * x * x),
    link(bead, mass = 1, inertia = [0.01, 0.01, 0.01]),
    joint(base, floating(world -> bead)),
    contact(tip, on = bead),
)]
struct Bead {
    k: f64,
}

/// A bead in a valley of two slopes.
#[derive(Robot, Clone, Copy, Debug)]
#[robot(
    gravity = [0, 0, -10],
    ground(height = slope * sqrt(x * x + 1e-16)),
    link(bead, mass = 1, inertia = [0.01, 0.01, 0.01]),
    joint(base, floating(world -> bead)),
    contact(tip, on = bead),
)]
struct Valley {
    slope: f64,
}

/// Laws that act on gaps, and on what touches.
fn laws() -> [Formulation; 5] {
    [
        Formulation::coulomb(),
        Formulation::stewart_trinkle(),
        Formulation::frictionless(),
        Formulation::anitescu_potra(),
        Formulation::Coulomb(Normal::Velocity(Default::default())),
    ]
}

fn start([x, z]: [f64; 2], [u, w]: [f64; 2]) -> (SVector<f64, 7>, SVector<f64, 6>) {
    (vector![x, 0.0, z, 0.0, 0.0, 0.0, 1.0], vector![u, 0.0, w, 0.0, 0.0, 0.0])
}

/// By how much T + U is off at most in two seconds of swings, by that at the start, and the largest and the least gap by
/// h² κ v² of the fastest.
fn swing(law: Formulation, h: f64) -> [f64; 3] {
    let bead = Bead { k: 2.0 };
    let (q, v) = start([0.5, 0.25], [0.0, 0.0]);
    let simulation = Simulation::new(bead).unwrap().formulation(law).step_size(h).unwrap();
    let mut simulation = simulation.state(q, v).unwrap();
    let whole = simulation.energy();
    let mut off = [0.0_f64; 3];
    let unit = h * h * 2.0 * 2.0 * G * 0.25;
    while simulation.current().time < 2.0 {
        simulation.step(&SVector::zeros()).unwrap();
        let gap = simulation.gaps()[0];
        off[0] = off[0].max((simulation.energy() / whole - 1.0).abs());
        off[1] = off[1].max(gap / unit);
        off[2] = off[2].min(gap / unit);
    }
    off
}

/// In a bowl energy is kept to the order of h; the bead neither hops nor sinks by more than h² κ v².
#[test]
fn a_bowl_keeps_energy_to_the_order_of_the_step() {
    for law in laws() {
        let [coarse, fine, finest] = [4e-3, 2e-3, 1e-3].map(|h| swing(law, h));
        for (coarse, fine) in [(coarse, fine), (fine, finest)] {
            assert!(fine[0] < 0.6 * coarse[0], "{law:?}: {} {}", coarse[0], fine[0]);
        }
        for [energy, highest, lowest] in [coarse, fine, finest] {
            assert!(energy < 0.05 && highest < 1.0 && lowest > -1.0, "{law:?}");
        }
    }
}

/// What rests at the bottom, or anywhere on a crest that it is held on, does not start.
#[test]
fn what_rests_on_curved_ground_does_not_start() {
    for law in laws() {
        for k in [2.0, -2.0, 50.0, -50.0] {
            let (q, v) = start([0.0, 0.0], [0.0, 0.0]);
            let simulation = Simulation::new(Bead { k }).unwrap().formulation(law);
            let mut simulation = simulation.state(q, v).unwrap();
            simulation.run(0.5, |_: &State<Bead>| SVector::zeros()).unwrap();
            assert!(simulation.current().v.norm() < 1e-12, "{law:?}, {k}");
        }
    }
}

/// Over a crest of the radius R a bead with v² > g R flies, along its parabola; a slower one stays on the ground, whose
/// parabola is the steeper one, and keeps its energy to the order of h.
#[test]
fn a_bead_leaves_a_crest_where_it_is_too_fast() {
    let radius = 0.5;
    for law in laws() {
        for speed in [1.5, 2.1, 2.4, 3.0] {
            let flies = speed * speed > G * radius;
            let off = [2e-3, 1e-3].map(|h| {
                let (q, v) = start([0.0, 0.0], [speed, 0.0]);
                let simulation = Simulation::new(Bead { k: -1.0 / radius }).unwrap();
                let simulation = simulation.formulation(law).step_size(h).unwrap();
                let mut simulation = simulation.state(q, v).unwrap();
                let (whole, mut off) = (simulation.energy(), [0.0_f64; 2]);
                while simulation.current().time < 0.3 {
                    simulation.step(&SVector::zeros()).unwrap();
                    let State { time, q, .. } = simulation.current();
                    let height = if flies { -0.5 * G * time * time } else { -q[0] * q[0] };
                    off[0] = off[0].max((q[2] - height).abs());
                    off[1] = off[1].max((simulation.energy() - whole).abs());
                }
                off
            });
            // In flight semi-implicit Euler is g h t/2 low.
            assert!(
                off[1][0] < if flies { 0.51 * G * 1e-3 * 0.3 } else { 1e-3 },
                "{law:?}, {speed}"
            );
            assert!(off[1][1] < 0.6 * off[0][1] && off[1][1] < 0.1, "{law:?}, {speed}: {off:?}");
        }
    }
}

/// Where two facets meet, what came along the one keeps what of its velocity is along the other. Below the edge it is seen
/// by up to a step too late, and hops no faster than it came, v sin α: without gain, and it lands again.
#[test]
fn a_bead_keeps_what_is_along_the_next_facet() {
    for law in laws() {
        for slope in [0.05_f64, 0.3] {
            for k in 0..8 {
                let (h, angle) = (1e-3, slope.atan());
                let away = 0.02 + 1.3e-4 * f64::from(k);
                let (q, v) = start([-away, slope * away], [angle.cos(), -angle.sin()]);
                let simulation = Simulation::new(Valley { slope }).unwrap().formulation(law);
                let mut simulation = simulation.step_size(h).unwrap().state(q, v).unwrap();
                let whole = simulation.energy();
                let (mut rise, mut crossed) = (0.0_f64, 0.0);
                let time = 0.06;
                while simulation.current().time < time {
                    simulation.step(&SVector::zeros()).unwrap();
                    let State { q, v, .. } = simulation.current();
                    rise = rise.max(simulation.energy() - whole);
                    if q[0] > 0.0 && crossed == 0.0 {
                        crossed = v[0] * angle.cos() + v[2] * angle.sin();
                        let away = -v[0] * angle.sin() + v[2] * angle.cos();
                        assert!(away.abs() < (2.0 * angle).sin() * 1.1, "{law:?}, {slope}");
                    }
                }
                let along = simulation.current().v;
                let along = along[0] * angle.cos() + along[2] * angle.sin();
                // Down the first facet and up the other by weight.
                let arrived = (1.0 + 2.0 * G * slope * away).sqrt();
                let up = time - 2.0 * away / (1.0 + arrived);
                let expected = arrived * (2.0 * angle).cos() - G * angle.sin() * up;
                assert!(rise < 2.0 * G * slope * h, "{law:?}, {slope}, {k}: {rise:e}");
                assert!((along - expected).abs() < 0.03 * slope + 0.01, "{law:?}, {slope}, {k}");
            }
        }
    }
}
