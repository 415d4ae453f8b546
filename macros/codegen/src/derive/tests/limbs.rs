//! Alike limbs in lanes give what they give one by one.

use fastrand::Rng;

use super::{Numbers, close, describe, with};
use crate::derive::{Mechanism, Solver};
use crate::expr::Expr;

/// Four legs, two arms with three fingers each, and two rotors of which one drives a follower: what
/// is alike differs in all its numbers.
fn creature() -> String {
    let mut text = String::from(
        "link(torso, mass = 5, com = [0.1, -0.05, 0.2], inertia = [0.3, 0.25, 0.2, 0.01, -0.02, 0.03]),
         joint(base, floating(world -> torso)),",
    );
    let mut limb = |k: usize, parent: &str, name: &str, joints: &[&str]| {
        let mut parent = parent.to_owned();
        for (i, joint) in joints.iter().enumerate() {
            let child = format!("{name}_{i}");
            let (k, x) = (k as f64 + 0.3 * i as f64, 0.1 + 0.01 * i as f64);
            let side = if (k as usize).is_multiple_of(2) { 1.0 } else { -1.0 };
            text += &format!(
                "link({child}, mass = {}, com = [{x}, {}, -0.1], inertia = [{}, 0.03, 0.02, 0.001, 0, {}]),
                 joint({child}_joint, {}({parent} -> {child}), at = [{}, {}, -0.1], rpy = [{}, 0, 0.3],
                     armature = {}),",
                1.0 + 0.1 * k, side * x, 0.03 + 1e-3 * k, 1e-4 * side,
                joint.split_once(' ').map_or(*joint, |(family, _)| family), 0.1 * k, 0.2 * side, 0.1 * side,
                0.01 * k,
            )
            .replace("armature", &match joint.split_once(' ') {
                Some((_, rest)) => format!("{}, armature", rest.replace("SIDE", &format!("{side}"))),
                None => "armature".to_owned(),
            });
            parent = child;
        }
    };
    for k in 0..4 {
        let knee = "revolute axis = [0, SIDE, 0]";
        limb(
            k,
            "torso",
            &format!("leg{k}"),
            &["revolute axis = [1, 0, 0]", "revolute axis = [0.1, 1, SIDE]", knee],
        );
    }
    for k in 0..2 {
        let arm = format!("arm{k}");
        limb(
            k,
            "torso",
            &arm,
            &["revolute axis = [0, 0, SIDE]", "prismatic axis = [0.2, SIDE, 0]"],
        );
        for finger in 0..3 {
            limb(
                finger,
                &format!("{arm}_1"),
                &format!("{arm}_finger{finger}"),
                &["universal axes = [[1, 0, 0], [0, 1, 0]]"],
            );
        }
        limb(k, "torso", &format!("rotor{k}"), &["continuous axis = [0, 0, 1]"]);
    }
    text
}

fn state(rng: &mut Rng, m: &Mechanism<'_>) -> Numbers {
    let mut numbers = |n: usize| (0..n).map(|_| 2.0 * rng.f64() - 1.0).collect::<Vec<_>>();
    let mut state = Numbers { q: numbers(m.nq()), v: numbers(m.nv()), a: numbers(m.nv()) };
    let norm = state.q[3..7].iter().map(|x| x * x).sum::<f64>().sqrt();
    state.q[3..7].iter_mut().for_each(|x| *x /= norm);
    state
}

#[test]
fn limbs_in_lanes_move_as_limbs_one_by_one() {
    with(&describe(&creature()), |full| {
        let folded = full.folded().expect("alike limbs");
        let widths: Vec<_> = folded.bodies.iter().map(|body| body.lanes).collect();
        assert_eq!(widths, [1, 4, 4, 4, 2, 2, 2, 2, 2, 2]);
        let (v, a) = (&full.state.v, &full.state.a);
        let own = (&folded.state.v, &folded.state.a);
        let derivatives = full.analytical_derivatives(a);
        let in_lanes = folded.analytical_derivatives(own.1);
        let pairs = [
            ("∂ID/∂q", derivatives.by_q.concat(), in_lanes.by_q.concat()),
            ("∂ID/∂v", derivatives.by_v.concat(), in_lanes.by_v.concat()),
            ("M", full.mass_matrix().concat(), folded.mass_matrix().concat()),
            ("C", full.coriolis_matrix().concat(), folded.coriolis_matrix().concat()),
            ("ID", full.inverse_dynamics(v, a), folded.inverse_dynamics(own.0, own.1)),
            ("bias", full.bias_force(), folded.bias_force()),
            ("gravity", full.gravity_force(), folded.gravity_force()),
            (
                "LᵀDL",
                full.forward_dynamics(Solver::Factorization),
                folded.forward_dynamics(Solver::Factorization),
            ),
            (
                "articulated",
                full.forward_dynamics(Solver::ArticulatedBodies),
                folded.forward_dynamics(Solver::ArticulatedBodies),
            ),
            ("M⁻¹", full.inverse_mass_matrix().concat(), folded.inverse_mass_matrix().concat()),
            ("Ṁ", full.mass_matrix_rate().concat(), folded.mass_matrix_rate().concat()),
            ("A_G", full.centroidal_matrix().concat(), folded.centroidal_matrix().concat()),
            ("Ȧ_G v", full.centroidal_bias(), folded.centroidal_bias()),
            ("Y", full.torque_regressor().concat(), folded.torque_regressor().concat()),
            ("J", full.joint_jacobians(), folded.joint_jacobians()),
            ("T", vec![full.kinetic_energy()], vec![folded.kinetic_energy()]),
            ("U", vec![full.potential_energy()], vec![folded.potential_energy()]),
            ("momentum", full.momentum(), folded.momentum()),
        ];
        let rng = &mut Rng::with_seed(5);
        for (what, one_by_one, in_lanes) in &pairs {
            let count = |x: &[Expr<'_>]| full.graph.operations(x).arithmetic();
            println!("{what}: {} operations, {} in lanes", count(one_by_one), count(in_lanes));
            for _ in 0..20 {
                let state = state(rng, full);
                let values = |x: &[Expr<'_>]| state.of(x, full.graph);
                close(what, &values(in_lanes), &values(one_by_one), 1e-11);
            }
        }
    });
}
