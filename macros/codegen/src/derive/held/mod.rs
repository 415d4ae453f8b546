//! Motion under rows of which each may hold or not.
//!
//! With a number σ for each row, 1 if it holds and 0 if not, J scaled by it row by row and Σ = diag(σ),
//!
//! > M v̇ − Jᵀ λ = τ − C v + τ_g,  J v̇ + (1 − Σ) λ = Σ (g + a),
//!
//! is one symmetric system whatever rows hold: λ is zero of the others. What a is added to the target g
//! of a row is given with σ. It is factored as it is, by
//! the sparse elimination that M has. A row on alike limbs, which are lanes, is eliminated after the
//! coordinates of its limb, where these are as many as the rows need; all others are eliminated last.
//!
//! Rows that depend on one another, and limbs that cannot move what holds them, leave pivots that are
//! rounding. They cannot be avoided in straight-line code; what tells of them is computed along.
//!
//! Source: Featherstone, Rigid Body Dynamics Algorithms (2008), section 8.5; Carpentier, Budhiraja, Mansard,
//! Proximal and Sparse Resolution of Constrained Dynamic Equations (2021), on the order of
//! elimination: after the coordinates that move it, a row's pivot is −J M⁻¹ Jᵀ with M of these, less what rows
//! before it take; no zero as in the matrix, unless the row depends on those or nothing can move it.

mod beside;
mod hubs;
mod row;
mod rows;
mod runs;
mod sphere;
mod spot;
mod system;

use crate::expr::Expr;

use super::constraints::ConstraintRows;
use super::forms::Choice;
use super::mechanism::Mechanism;
use super::quantity::Quantity;

pub use hubs::Hub;
pub(super) use hubs::HubRows;
use row::Row;
pub(super) use rows::ContactRow;
pub(super) use runs::Run;
use system::System;

/// The most multiplications of an elimination that is generated: beyond, loops at run time take less of
/// the compiler's time and of the processor's instruction cache.
const MOST: usize = 4000;

/// What rows that hold make of accelerations and of impacts.
pub(super) struct Held<'g> {
    /// How many rows may hold; none, if it would take too much.
    pub(super) rows: usize,
    /// Those of v̇ and of v⁺; see [`System::outputs`].
    pub(super) quantities: [Quantity<'g>; 2],
}

impl<'g> Held<'g> {
    /// Both in the cheapest form.
    pub(super) fn derive(choice: &Choice<'_, 'g>, constraints: &ConstraintRows<'g>) -> Self {
        let m = choice.mechanism;
        let rows = m.held_rows();
        let folded = m.folded();
        let m = folded.as_ref().unwrap_or(m);
        let small = rows > 0 && System::fits(m, &m.rows_that_may_hold(constraints), MOST);
        let quantity = |name: &str, derive: Derive<'g>| match small {
            true => choice.choose(|m| Quantity::vector(m.graph, name, derive(m, constraints))),
            false => Quantity::vector(m.graph, name, Vec::new()),
        };
        let quantities = [
            quantity("ConstrainedDynamics", Mechanism::constrained_dynamics),
            quantity("ConstrainedImpact", Mechanism::constrained_impact),
        ];
        Self { rows: if small { rows } else { 0 }, quantities }
    }
}

type Derive<'g> = fn(&Mechanism<'g>, &ConstraintRows<'g>) -> Vec<Expr<'g>>;

impl<'g> Mechanism<'g> {
    /// How many rows may hold: all of constraints, three of each contact whose normal does not turn, six
    /// of each frame that is declared so.
    fn held_rows(&self) -> usize {
        let frames = self.description.frames.iter().filter(|frame| frame.held).count();
        let contacts = self.description.held_contacts().count();
        self.description.constraint_rows() + 3 * contacts + 6 * frames
    }

    /// v̇, λ, and what they are worth; `constraints` are those of the described mechanism.
    pub fn constrained_dynamics(&self, constraints: &ConstraintRows<'g>) -> Vec<Expr<'g>> {
        let rows = self.rows_that_may_hold(constraints);
        let bias = self.bias_force_in_lanes();
        let force = self.state.a.iter().zip(&bias).map(|(&tau, &bias)| tau - bias).collect();
        System::new(self, &rows).outputs(force, Row::acceleration)
    }

    /// The same of v⁺ and Λ. v⁺ − v⁻ is what the impulses make of a robot at rest.
    pub fn constrained_impact(&self, constraints: &ConstraintRows<'g>) -> Vec<Expr<'g>> {
        let rows = self.rows_that_may_hold(constraints);
        let still = vec![self.graph.zero(); self.nv()];
        let mut outputs = System::new(self, &rows).outputs(still, Row::rebound);
        let before = self.spread(&self.state.v);
        outputs.iter_mut().zip(before).for_each(|(change, before)| *change = before + *change);
        outputs
    }
}
