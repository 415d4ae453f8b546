//! A follower is an exact coupling: with v = G v', M' = Gᵀ M G and every force is Gᵀ of the free
//! mechanism's, where the velocity-dependent part has no more because G is constant.

use fastrand::Rng;

use super::{Numbers, close, describe, dot, with};
use crate::derive::Solver;

const HAND: &str = "
    gravity = [1, 2, -9.81],
    link(wrist, mass = 0.8, com = [0.02, 0.01, 0.05], inertia = [0.003, 0.004, 0.005, 1e-4, 0, -2e-4]),
    joint(turn, revolute(world -> wrist), at = [0.1, 0, 0.4], axis = [0.3, 0.4, 1]),
    link(left, mass = 0.2, com = [0, 0.03, 0.06], inertia = [2e-4, 2e-4, 1e-4]),
    joint(left_slide, prismatic(wrist -> left), at = [0, 0.01, 0.1], axis = [0, 1, 0],
        damping = 0.3, stiffness = 5, rest = 0.01),
    link(tip, mass = 0.1, com = [0.01, 0, 0.02], inertia = [1e-4, 1e-4, 1e-4]),";

fn coupled() -> String {
    format!(
        "{HAND}
        link(right, mass = 0.2, com = [0, -0.03, 0.06], inertia = [2e-4, 2e-4, 1e-4]),
        joint(right_slide, prismatic(wrist -> right), at = [0, -0.01, 0.1], axis = [0, -1, 0],
            mimic(left_slide, multiplier = 1.5, offset = 0.02), damping = 0.2, stiffness = 4),
        joint(tip_turn, revolute(right -> tip), at = [0, 0, 0.1], axis = [1, 0, 1],
            mimic(turn, multiplier = -0.5, offset = 0.3), armature = 0.01)"
    )
}

fn free() -> String {
    format!(
        "{HAND}
        link(right, mass = 0.2, com = [0, -0.03, 0.06], inertia = [2e-4, 2e-4, 1e-4]),
        joint(right_slide, prismatic(wrist -> right), at = [0, -0.01, 0.1], axis = [0, -1, 0],
            damping = 0.2, stiffness = 4),
        joint(tip_turn, revolute(right -> tip), at = [0, 0, 0.1], axis = [1, 0, 1], armature = 0.01)"
    )
}

/// Columns of G: what the coordinates of the free hand do for those of the coupled one.
const G: [[f64; 4]; 2] = [[1.0, 0.0, 0.0, -0.5], [0.0, 1.0, 1.5, 0.0]];
const OFFSET: [f64; 4] = [0.0, 0.0, 0.02, 0.3];

fn expand(x: &[f64]) -> Vec<f64> {
    (0..4).map(|i| G[0][i] * x[0] + G[1][i] * x[1]).collect()
}

fn project(x: &[f64]) -> Vec<f64> {
    G.iter().map(|column| dot(column, x)).collect()
}

#[test]
fn a_follower_is_an_exact_coupling() {
    let (coupled, free) = (describe(&coupled()), describe(&free()));
    let rng = &mut Rng::with_seed(5);
    for _ in 0..20 {
        let mut pair = || vec![2.0 * rng.f64() - 1.0, 2.0 * rng.f64() - 1.0];
        let reduced = Numbers { q: pair(), v: pair(), a: pair() };
        let mut full =
            Numbers { q: expand(&reduced.q), v: expand(&reduced.v), a: expand(&reduced.a) };
        full.q.iter_mut().zip(OFFSET).for_each(|(q, offset)| *q += offset);
        let [mass, tau, passive, energy] = with(&free, |m| {
            let mass = full.of(&m.mass_matrix().concat(), m.graph);
            let columns = G.iter().map(|g| {
                let times: Vec<_> = mass.chunks_exact(4).map(|row| dot(row, g)).collect();
                project(&times)
            });
            let tau = full.of(&m.inverse_dynamics(&m.state.v, &m.state.a), m.graph);
            [
                columns.flatten().collect(),
                project(&tau),
                project(&full.of(&m.passive_force(), m.graph)),
                full.of(&[m.kinetic_energy(), m.potential_energy()], m.graph),
            ]
        });
        with(&coupled, |m| {
            assert_eq!((m.nq(), m.nv()), (2, 2));
            let of = |x: &[_]| reduced.of(x, m.graph);
            close("M", &of(&m.mass_matrix().concat()), &mass, 1e-14);
            let found = of(&m.inverse_dynamics(&m.state.v, &m.state.a));
            close("τ", &found, &tau, 1e-13);
            close("τ_p", &of(&m.passive_force()), &passive, 1e-13);
            let found = of(&[m.kinetic_energy(), m.potential_energy()]);
            close("T, U", &found, &energy, 1e-13);
            let solved = Numbers { a: tau.clone(), ..reduced.clone() };
            let found = solved.of(&m.forward_dynamics(Solver::Factorization), m.graph);
            close("v̇", &found, &reduced.a, 1e-11);
        });
    }
}
