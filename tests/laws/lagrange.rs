//! Euler–Lagrange equations by differentiation on the graph, in Hamel's form.
//!
//! With p = ∂T/∂v and q̇ = N v, a joint with q̇ = v has ṗ − ∂L/∂q = τ; one on the rotations, with
//! the angular velocity ω in the child's frame, ṗ + ω × p − Nᵀ ∂L/∂q = τ; one on the poses, with
//! v = (u, ω), ṗ_u + ω × p_u − … = τ_u and ṗ_ω + ω × p_ω + u × p_u − … = τ_ω.
//!
//! Source: Hamel, Die Lagrange-Eulerschen Gleichungen der Mechanik (1904); Bloch, Marsden, Zenkov,
//! Quasivelocities and Symmetries in Non-Holonomic Systems (2009), section 2.

use std::ops::AddAssign;

use jourdain_codegen::derive::symbols;
use jourdain_codegen::expr::{Expr, Rotation, Symbol, Vector3};
use jourdain_codegen::joint::Chart;
use nalgebra::DVector;

use crate::law::Case;

/// The generalised force for the motion v, v̇ of the state.
pub(crate) fn force<'g>(case: &Case<'g>) -> Vec<Expr<'g>> {
    let mechanism = case.mechanism;
    let kinetic = mechanism.kinetic_energy();
    let lagrangian = kinetic - mechanism.potential_energy();
    let velocities = variables(symbols::V, mechanism.nv());
    let momentum = mechanism.graph.gradient(kinetic, &velocities);
    let mut force = case.rate_expressions(&momentum);
    for (force, slope) in force.iter_mut().zip(projected_gradient(case, lagrangian)) {
        *force -= slope;
    }
    add_turning(case, &momentum, &mut force);
    force
}

/// Nᵀ ∂f/∂q.
pub(crate) fn projected_gradient<'g>(case: &Case<'g>, f: Expr<'g>) -> Vec<Expr<'g>> {
    let mechanism = case.mechanism;
    let gradient = mechanism.graph.gradient(f, &variables(symbols::Q, mechanism.nq()));
    let unit = |k: usize, j: usize| mechanism.graph.constant(if k == j { 1.0 } else { 0.0 });
    let project = |k: usize| {
        let direction: Vec<_> = (0..mechanism.nv()).map(|j| unit(k, j)).collect();
        let rate = configuration_rate(case, &direction);
        let products = gradient.iter().zip(rate).map(|(&g, r)| g * r);
        products.fold(mechanism.graph.zero(), |sum, x| sum + x)
    };
    (0..mechanism.nv()).map(project).collect()
}

/// q̇ = N(q) v.
pub(crate) fn configuration_rate<'g>(case: &Case<'g>, v: &[Expr<'g>]) -> Vec<Expr<'g>> {
    let mechanism = case.mechanism;
    let mut rate = Vec::new();
    for (joint, &(q, first)) in mechanism.description.joints.iter().zip(&mechanism.coordinates) {
        if joint.mimic.is_some() {
            continue;
        }
        let v = &v[first..first + joint.family.nv()];
        let q = &mechanism.state.q[q..q + joint.family.nq()];
        match joint.family.chart() {
            Chart::Vector => rate.extend(v),
            Chart::Quaternion => rate.extend(quaternion_rate(q, v)),
            Chart::Pose => {
                let rotation = Rotation::quaternion([q[3], q[4], q[5], q[6]]);
                rate.extend(rotation.times(Vector3([v[0], v[1], v[2]])).0);
                rate.extend(quaternion_rate(&q[3..], &v[3..]));
            }
        }
    }
    rate
}

/// ½ q ⊗ (ω, 0).
fn quaternion_rate<'g>(q: &[Expr<'g>], w: &[Expr<'g>]) -> [Expr<'g>; 4] {
    let axis = Vector3([q[0], q[1], q[2]]);
    let w = Vector3([w[0], w[1], w[2]]);
    let [x, y, z] = (w * q[3] + axis.cross(w)).0;
    [x, y, z, -axis.dot(w)].map(|x| 0.5 * x)
}

/// The brackets [X_a, X_b] of the derivatives along velocity coordinates, as velocities: zero where
/// q̇ = v, a × b on the rotations, the cross product of twists on the poses.
pub(crate) fn brackets(case: &Case<'_>) -> impl Fn(usize, usize) -> DVector<f64> {
    let nv = case.mechanism.nv();
    let joints = case.mechanism.description.joints.iter().zip(&case.mechanism.coordinates);
    let groups = joints.filter_map(|(joint, &(_, v))| match joint.family.chart() {
        Chart::Vector => None,
        Chart::Quaternion => Some((v, v)),
        Chart::Pose => Some((v, v + 3)),
    });
    let groups: Vec<(usize, usize)> = groups.collect();
    let unit = |first: usize, k: usize| {
        let place = k.checked_sub(first).filter(|place| *place < 3)?;
        Some(nalgebra::Vector3::ith(place, 1.0))
    };
    move |a, b| {
        let mut bracket = DVector::zeros(nv);
        for &(linear, angular) in &groups {
            let mut add = |first: usize, x: nalgebra::Vector3<f64>| {
                bracket.rows_mut(first, 3).add_assign(&x);
            };
            if let (Some(a), Some(b)) = (unit(angular, a), unit(angular, b)) {
                add(angular, a.cross(&b));
            } else if let (Some(a), Some(b), true) =
                (unit(angular, a), unit(linear, b), linear < angular)
            {
                add(linear, a.cross(&b));
            } else if let (Some(a), Some(b), true) =
                (unit(linear, a), unit(angular, b), linear < angular)
            {
                add(linear, a.cross(&b));
            }
        }
        bracket
    }
}

fn add_turning<'g>(case: &Case<'g>, momentum: &[Expr<'g>], force: &mut [Expr<'g>]) {
    let mechanism = case.mechanism;
    let v = &mechanism.state.v;
    let at = |x: &[Expr<'g>], k: usize| Vector3([x[k], x[k + 1], x[k + 2]]);
    for (joint, &(_, k)) in mechanism.description.joints.iter().zip(&mechanism.coordinates) {
        let turned = match joint.family.chart() {
            Chart::Vector => continue,
            Chart::Quaternion => at(v, k).cross(at(momentum, k)).0.to_vec(),
            Chart::Pose => {
                let (u, w) = (at(v, k), at(v, k + 3));
                let (p, l) = (at(momentum, k), at(momentum, k + 3));
                let moment = w.cross(l) + u.cross(p);
                w.cross(p).0.into_iter().chain(moment.0).collect()
            }
        };
        for (force, turned) in force[k..].iter_mut().zip(turned) {
            *force += turned;
        }
    }
}

fn variables(set: u8, count: usize) -> Vec<Symbol> {
    (0..count as u32).map(|index| Symbol { set, index }).collect()
}
