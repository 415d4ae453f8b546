//! Springs have a potential: τ_p = −∂U/∂q where nothing moves.

use fastrand::Rng;

use super::{Numbers, close, describe, with};
use crate::derive::symbols;

const LEG: &str = "
    link(trunk, mass = 2, inertia = [0.01, 0.02, 0.02]),
    joint(rail, prismatic(world -> trunk), axis = [0, 0, 1], stiffness = 30, rest = 0.4, damping = 2),
    link(thigh, mass = 0.4, com = [0, 0, -0.1], inertia = [1e-3, 1e-3, 1e-4]),
    joint(hip, revolute(trunk -> thigh), at = [0.1, 0, 0], axis = [0, 1, 0.2], stiffness = 3, rest = -0.3),
    link(shank, mass = 0.2, com = [0, 0, -0.1], inertia = [1e-3, 1e-3, 1e-4]),
    joint(knee, revolute(thigh -> shank), at = [0, 0.02, -0.2], axis = [0, 1, 0]),
    link(toe, mass = 0.1, inertia = [1e-4, 1e-4, 1e-4]),
    joint(ankle, revolute(shank -> toe), at = [0, 0, -0.2], axis = [0, 1, 0],
        mimic(knee, multiplier = -0.5, offset = 0.2), stiffness = 4, rest = 0.1),
    spring(tendon, a = trunk @ [0, 0, -0.1], b = shank @ [-0.05, 0, -0.1], stiffness = 100, damping = 2, rest = 0.3),
    spring(rubber, a = world @ [0.3, 0.1, 0], b = toe, stiffness = 20)";

#[test]
fn springs_have_a_potential() {
    let rng = &mut Rng::with_seed(11);
    with(&describe(LEG), |m| {
        let q = (0..m.nq()).map(|k| m.graph.symbol(symbols::Q, k));
        let energy = m.elastic_energy();
        let slope: Vec<_> = q.map(|q| -energy.derivative(q)).collect();
        for _ in 0..20 {
            let q = (0..m.nq()).map(|_| 2.0 * rng.f64() - 1.0).collect();
            let state = Numbers { q, v: vec![0.0; m.nv()], a: Vec::new() };
            let found = state.of(&m.passive_force(), m.graph);
            close("τ_p", &found, &state.of(&slope, m.graph), 1e-12);
        }
        let still = Numbers { q: vec![0.0; m.nq()], ..Numbers::default() };
        assert!(still.of(&[energy], m.graph)[0] > 0.0);
    });
}
