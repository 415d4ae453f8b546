//! A quantity in the cheapest of its forms.

use std::cell::OnceCell;

use crate::derive::mass_matrix::Square;
use crate::derive::mechanism::Mechanism;
use crate::derive::quantity::Quantity;
use crate::expr::Expr;

use super::candidates::Candidate;
use super::{Axes, Forms, Limbs, Solver};

/// Operations on lanes that a kernel may have. LLVM brings registers out of memory in a time that
/// grows with the square of their number: 5000 operations take it 5 s, 7000 take 15 s.
const MOST_IN_LANES: usize = 6000;

/// Derives quantities in every form of a mechanism and keeps the cheapest.
pub(in crate::derive) struct Choice<'a, 'g> {
    pub(in crate::derive) mechanism: &'a Mechanism<'g>,
    forms: Forms,
    candidates: Vec<Candidate<'g>>,
    /// What is tried where lanes would take the compiler too long.
    without_lanes: OnceCell<Vec<Candidate<'g>>>,
}

impl<'a, 'g> Choice<'a, 'g> {
    pub(in crate::derive) fn new(mechanism: &'a Mechanism<'g>, forms: &Forms) -> Self {
        let candidates = mechanism.candidates(forms);
        Self { mechanism, forms: *forms, candidates, without_lanes: OnceCell::new() }
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
            let compiles = self.forms.limbs.is_some()
                || !candidate.mechanism.has_lanes()
                || quantity.operations.arithmetic() <= MOST_IN_LANES;
            compiles.then(|| Quantity { form: candidate.name.clone(), ..quantity })
        };
        let without_lanes = || {
            // Searching for the best axes takes longer than it would save.
            let axes = self.forms.axes.or(Some(Axes::Outer));
            let forms = Forms { limbs: Some(Limbs::OneByOne), axes, ..self.forms };
            self.without_lanes.get_or_init(|| self.mechanism.candidates(&forms))
        };
        cheapest(self.candidates.iter().filter_map(form))
            .or_else(|| cheapest(without_lanes().iter().filter_map(form)))
            .unwrap_or_else(|| derive(self.mechanism))
    }
}

/// The cheapest of several forms of a quantity; the first of equals.
fn cheapest<'g>(forms: impl Iterator<Item = Quantity<'g>>) -> Option<Quantity<'g>> {
    forms.min_by(|a, b| a.cost.total_cmp(&b.cost))
}
