//! Forward dynamics by articulated bodies, or v̇ = M⁻¹ (τ − C v + τ_g) by the sparse factorisation M = Lᵀ D L.
//!
//! Coordinates are eliminated from the leaves inwards, so that L has an entry only where one
//! coordinate's body hangs on the other's; entries that are zero cost nothing on the graph. Where
//! a joint moves no inertia its pivot is zero, and the result is not finite, which
//! `check_mass_matrix` reports.
//!
//! Source: Featherstone, Rigid Body Dynamics Algorithms (2008), section 6.5.

use crate::expr::Expr;

use super::forms::Solver;
use super::mass_matrix::Square;
use super::mechanism::Mechanism;

impl<'g> Mechanism<'g> {
    /// v̇ for the generalised force `state.a`.
    pub fn forward_dynamics(&self, solver: Solver) -> Vec<Expr<'g>> {
        match solver {
            Solver::ArticulatedBodies if self.solves_by(solver) => self.articulated_dynamics(),
            _ => self.factorized_dynamics(),
        }
    }

    fn factorized_dynamics(&self) -> Vec<Expr<'g>> {
        let bias = self.bias_force();
        let force = self.state.a.iter().zip(&bias).map(|(&tau, &bias)| tau - bias).collect();
        let order = self.elimination_order();
        solve(self.mass_matrix(), force, &order)
    }

    /// The coordinates from the root outwards, whatever the order in which they are numbered.
    fn elimination_order(&self) -> Vec<usize> {
        let mut order = Vec::new();
        for column in self.bodies.iter().flat_map(|body| &body.columns) {
            if !order.contains(&column.dof) {
                order.push(column.dof);
            }
        }
        order
    }
}

/// Solves M x = b for a symmetric M whose leaves come last in `order`.
fn solve<'g>(mut m: Square<'g>, mut x: Vec<Expr<'g>>, order: &[usize]) -> Vec<Expr<'g>> {
    let one = match x.first() {
        Some(x) => x.graph().one(),
        None => return x,
    };
    let mut inverse = x.clone();
    for (rank, &k) in order.iter().enumerate().rev() {
        inverse[k] = one / m[k][k];
        let coupled: Vec<_> =
            order[..rank].iter().rev().copied().filter(|&i| !m[k][i].is_zero()).collect();
        for (place, &i) in coupled.iter().enumerate() {
            let factor = m[k][i] * inverse[k];
            for &j in &coupled[place..] {
                m[i][j] = m[i][j] - factor * m[k][j];
                m[j][i] = m[i][j];
            }
            x[i] = x[i] - factor * x[k];
            m[i][k] = factor;
        }
    }
    for (rank, &k) in order.iter().enumerate() {
        let mut sum = x[k] * inverse[k];
        for &i in &order[..rank] {
            sum -= m[i][k] * x[i];
        }
        x[k] = sum;
    }
    x
}
