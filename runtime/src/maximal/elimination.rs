//! Block elimination along trees of joints.
//!
//! > M_c u_c − Jᵀ_cc λ_c − Σ (its children) = f_c,  −J_cc u_c − J_cp u_p − σ λ_c = −g_c
//!
//! for a body c on its parent p by a joint with the rows J = (J_cc, J_cp). From the leaves inwards,
//!
//! > K = [M̂_c, −J_ccᵀ; −J_cc, −σ],  (u_c, λ_c) = K⁻¹ ((f_c, −g_c) − B u_p),  B = [0; −J_cp]
//! > M̂_p = M_p − Σ Bᵀ K⁻¹ B,  f_p ← f_p − Bᵀ K⁻¹ (f_c, −g_c)
//!
//! so that the cost is linear in the number of bodies. M̂ is the articulated inertia. K is regular where M̂_c is
//! positive definite on the motions that the joint leaves, though M_c itself be singular.
//!
//! # Source
//!
//! Baraff: Linear-Time Dynamics using Lagrange Multipliers (1996), sections 6 and 7; Featherstone: Rigid Body
//! Dynamics Algorithms (2008), chapter 7, for M̂.

use alloc::vec::Vec;

use nalgebra::{Matrix6, Vector6};

use super::Error;
use super::forest::Forest;
use super::problem::Problem;
use crate::lu::Lu;

/// Six numbers of a body and as many as a joint has rows, at most.
const LARGEST: usize = 12;

/// A body and the joint that it hangs on.
#[derive(Clone, Debug, Default)]
struct Node {
    body: usize,
    parent: Option<usize>,
    /// First row of the joint, and how many.
    first: usize,
    count: usize,
    factors: Lu,
    /// J_cp.
    coupling: [Vector6<f64>; 6],
    /// K⁻¹ B, column by column.
    response: [[f64; LARGEST]; 6],
    /// K⁻¹ (f, −g).
    solution: [f64; LARGEST],
}

/// The factors of trees, in storage that is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Elimination {
    /// Parents first.
    nodes: Vec<Node>,
    inertia: Vec<Matrix6<f64>>,
}

impl Elimination {
    /// # Errors
    ///
    /// [`Error::Singular`] names the body at which it breaks down.
    pub(super) fn factor(&mut self, problem: &Problem, forest: &Forest) -> Result<(), Error> {
        self.nodes.resize_with(forest.order.len(), Node::default);
        self.inertia.clone_from(&problem.mass);
        for (node, &body) in self.nodes.iter_mut().zip(&forest.order).rev() {
            let joint = forest.joint[body].and_then(|joint| problem.groups.get(joint));
            (node.body, node.parent) = (body, forest.parent[body]);
            (node.first, node.count) = joint.map_or((0, 0), |group| (group.first, group.count));
            if !node.factor(problem, &self.inertia[body]) {
                return Err(Error::Singular { body });
            }
            if let Some(parent) = node.parent {
                self.inertia[parent] += node.carried();
            }
        }
        Ok(())
    }

    /// Solves for u, in the place of f, and the impulses of the joints, with the targets g where `targets` says so
    /// and zero elsewhere.
    pub(super) fn solve(
        &mut self,
        problem: &Problem,
        targets: bool,
        velocity: &mut [Vector6<f64>],
        impulse: &mut [f64],
    ) {
        for node in self.nodes.iter_mut().rev() {
            let target = |k: usize| if targets { problem.target[node.first + k] } else { 0.0 };
            let force = &velocity[node.body];
            node.solution[..6].copy_from_slice(force.as_slice());
            (0..node.count).for_each(|k| node.solution[6 + k] = -target(k));
            let used = &mut node.solution[..6 + node.count];
            // Rows act on few bodies, and most of the others have nothing to solve.
            if used.iter().all(|&x| x == 0.0) {
                continue;
            }
            node.factors.solve(used);
            if let Some(parent) = node.parent {
                let tension = node.coupling.iter().zip(&node.solution[6..]).take(node.count);
                tension.for_each(|(row, lambda)| velocity[parent] += *lambda * row);
            }
        }
        for node in &mut self.nodes {
            if let Some(parent) = node.parent {
                let above = velocity[parent];
                for (column, u) in node.response.iter().zip(above.iter()) {
                    let entries = node.solution.iter_mut().zip(column).take(6 + node.count);
                    entries.for_each(|(x, response)| *x -= response * u);
                }
            }
            velocity[node.body].copy_from_slice(&node.solution[..6]);
            impulse[node.first..][..node.count].copy_from_slice(&node.solution[6..][..node.count]);
        }
    }
}

impl Node {
    /// Factors K; whether it is regular.
    fn factor(&mut self, problem: &Problem, inertia: &Matrix6<f64>) -> bool {
        let (body, n) = (self.body, 6 + self.count);
        let mut own = [Vector6::zeros(); 6];
        self.coupling = own;
        let rows = own.iter_mut().zip(&mut self.coupling).zip(self.first..);
        for ((own, coupling), row) in rows.take(self.count) {
            for (at, part) in problem.row(row) {
                *(if *at == body { &mut *own } else { &mut *coupling }) = *part;
            }
        }
        let softness = &problem.softness[self.first..];
        let entry = |i: usize, j: usize| match (i < 6, j < 6) {
            (true, true) => inertia[(i, j)],
            (false, true) => -own[i - 6][j],
            (true, false) => -own[j - 6][i],
            (false, false) if i == j => -softness[i - 6],
            (false, false) => 0.0,
        };
        if self.factors.factor(n, (0..n * n).map(|k| entry(k % n, k / n))) == 0.0 {
            return false;
        }
        if self.parent.is_some() {
            for (j, column) in self.response.iter_mut().enumerate() {
                column.fill(0.0);
                (0..self.count).for_each(|k| column[6 + k] = -self.coupling[k][j]);
                self.factors.solve(&mut column[..n]);
            }
        }
        true
    }

    /// −Bᵀ K⁻¹ B: what the parent carries of it.
    fn carried(&self) -> Matrix6<f64> {
        let mut carried = Matrix6::zeros();
        for (j, column) in self.response.iter().enumerate() {
            for (row, x) in self.coupling.iter().zip(&column[6..]).take(self.count) {
                (0..6).for_each(|i| carried[(i, j)] += row[i] * x);
            }
        }
        // The two triangles differ by rounding, which would grow on the way.
        0.5 * (carried + carried.transpose())
    }
}
