//! A quantity in the cheapest of its forms.

use crate::derive::mass_matrix::Square;
use crate::derive::mechanism::Mechanism;
use crate::derive::quantity::Quantity;
use crate::expr::Expr;

use super::candidates::Candidate;
use super::{Forms, Solver};

/// Derives quantities in every form of a mechanism and keeps the cheapest.
pub(in crate::derive) struct Choice<'a, 'g> {
    pub(in crate::derive) mechanism: &'a Mechanism<'g>,
    candidates: Vec<Candidate<'g>>,
}

impl<'a, 'g> Choice<'a, 'g> {
    pub(in crate::derive) fn new(mechanism: &'a Mechanism<'g>, forms: &Forms) -> Self {
        Self { mechanism, candidates: mechanism.candidates(forms) }
    }

    pub(in crate::derive) fn number(
        &self,
        kernel: &str,
        derive: fn(&Mechanism<'g>) -> Expr<'g>,
    ) -> Quantity<'g> {
        self.choose(|m| Quantity::number(m.graph, kernel, derive(m)))
    }

    pub(in crate::derive) fn vector(
        &self,
        kernel: &str,
        derive: fn(&Mechanism<'g>) -> Vec<Expr<'g>>,
    ) -> Quantity<'g> {
        self.choose(|m| Quantity::vector(m.graph, kernel, derive(m)))
    }

    pub(in crate::derive) fn matrix(
        &self,
        kernel: &str,
        derive: fn(&Mechanism<'g>) -> Square<'g>,
    ) -> Quantity<'g> {
        self.choose(|m| Quantity::matrix(m.graph, kernel, &derive(m)))
    }

    /// By the cheapest solver.
    pub(in crate::derive) fn forward_dynamics(&self, asked: Option<Solver>) -> Quantity<'g> {
        let derive = |solver: Solver| {
            let by = |m: &Mechanism<'g>| {
                Quantity::vector(m.graph, "ForwardDynamics", m.forward_dynamics(solver))
            };
            let quantity = self.choose(by);
            Quantity { form: format!("{}, {}", quantity.form, solver.name()), ..quantity }
        };
        let solvers = Solver::ALL.into_iter().filter(|&solver| {
            self.mechanism.solves_by(solver) && asked.is_none_or(|asked| asked == solver)
        });
        cheapest(solvers.map(derive)).unwrap_or_else(|| derive(Solver::Factorization))
    }

    pub(in crate::derive) fn choose(
        &self,
        derive: impl Fn(&Mechanism<'g>) -> Quantity<'g>,
    ) -> Quantity<'g> {
        let form = |candidate: &Candidate<'g>| {
            let quantity = derive(&candidate.mechanism);
            Quantity { form: candidate.name.clone(), ..quantity }
        };
        cheapest(self.candidates.iter().map(form)).unwrap_or_else(|| derive(self.mechanism))
    }
}

impl<'g> Mechanism<'g> {
    /// What `derive` makes of this mechanism in the cheapest of the `forms`.
    pub fn in_cheapest_form(
        &self,
        forms: &Forms,
        derive: impl Fn(&Self) -> Vec<Expr<'g>>,
    ) -> Vec<Expr<'g>> {
        let vector = |m: &Self| Quantity::vector(m.graph, "", derive(m));
        Choice::new(self, forms).choose(vector).outputs
    }
}

/// The cheapest of several forms of a quantity; the first of equals.
fn cheapest<'g>(forms: impl Iterator<Item = Quantity<'g>>) -> Option<Quantity<'g>> {
    forms.min_by(|a, b| a.cost.total_cmp(&b.cost))
}
