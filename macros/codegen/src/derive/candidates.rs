//! The forms that a quantity can be derived in, and the choice among them.
//!
//! No form is the best for all mechanisms: regrouping masses saves a tenth of most robots and costs
//! where masses are symbols, and which algorithm solves for accelerations in fewer operations depends
//! on the tree. Every form that may be worth it is derived, which takes milliseconds, and the one
//! that a model of the machine finds cheapest is kept.

use crate::expr::{Expr, Graph};

use super::equations::Quantity;
use super::mechanism::Mechanism;

/// What a division or square root costs, in additions.
const DIVISION: f64 = 6.0;
/// What a sine or cosine costs, all being computed at once in vectors, in additions.
const TURN: f64 = 5.0;
/// Bytes of code of one operation.
const BYTES: f64 = 8.5;
/// Bytes of code that the processor keeps at hand.
const CACHE: f64 = 30e3;
/// What it takes to fetch one more byte, in additions: 16 ns a kilobyte, at 10 additions a
/// nanosecond.
const FETCH: f64 = 0.16;

/// Bodies of a mechanism so small that everything is tried.
const SMALL: usize = 6;

/// The forms to try; what is `None` is chosen by its cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Forms {
    /// Which masses the bodies are given.
    pub masses: Option<Masses>,
    /// How accelerations are solved for.
    pub solver: Option<Solver>,
    /// How alike limbs are computed.
    pub limbs: Option<Limbs>,
}

/// How alike limbs are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limbs {
    /// One after the other.
    OneByOne,
    /// At once, each in a lane; where no limb repeats, one by one nevertheless.
    InLanes,
}

/// Which masses the bodies are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Masses {
    /// Those of their links.
    Described,
    /// Without what their parents can carry.
    Regrouped,
}

/// How accelerations are solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// M = Lᵀ D L, factorised along the tree.
    Factorization,
    /// Articulated bodies; where joints share a coordinate, by factorisation nevertheless.
    ArticulatedBodies,
}

impl Forms {
    /// Each form of a mechanism by itself, with the cheapest solver.
    pub fn each() -> impl Iterator<Item = Self> {
        let all = Masses::ALL.into_iter().flat_map(|m| Limbs::ALL.map(|l| (m, l)));
        all.map(|(m, l)| Self { masses: Some(m), limbs: Some(l), solver: None })
    }
}

impl Solver {
    /// All of them.
    pub const ALL: [Self; 2] = [Solver::Factorization, Solver::ArticulatedBodies];

    pub(super) fn name(self) -> &'static str {
        match self {
            Solver::Factorization => "sparse LᵀDL",
            Solver::ArticulatedBodies => "articulated bodies",
        }
    }
}

impl Limbs {
    /// All of them.
    pub const ALL: [Self; 2] = [Limbs::OneByOne, Limbs::InLanes];
}

impl Masses {
    /// All of them.
    pub const ALL: [Self; 2] = [Masses::Regrouped, Masses::Described];

    fn name(self) -> &'static str {
        match self {
            Masses::Described => "masses as described",
            Masses::Regrouped => "masses regrouped",
        }
    }
}

/// A mechanism in one form: its motion and its generalised forces are the described one's.
#[derive(Debug)]
pub struct Candidate<'g> {
    /// What the form is called.
    pub name: String,
    /// The mechanism in this form.
    pub mechanism: Mechanism<'g>,
}

impl<'g> Mechanism<'g> {
    /// This mechanism in every form that is asked for, or else worth trying.
    pub fn candidates(&self, forms: &Forms) -> Vec<Candidate<'g>> {
        let mut candidates = Vec::new();
        let asked = forms.masses.map_or(self.masses_to_try(), |masses| vec![masses]);
        for masses in asked {
            let mechanism = match masses {
                Masses::Described => self.clone(),
                Masses::Regrouped => self.regrouped(),
            };
            let folded =
                if forms.limbs == Some(Limbs::OneByOne) { None } else { mechanism.folded() };
            let name = masses.name();
            let folded = folded.map(|mechanism| Candidate {
                name: format!("{name}, alike limbs in lanes"),
                mechanism,
            });
            if folded.is_none() || forms.limbs != Some(Limbs::InLanes) {
                candidates.push(Candidate { name: name.to_owned(), mechanism });
            }
            candidates.extend(folded);
        }
        candidates
    }

    /// Regrouping constants hardly ever costs operations; what is regrouped of symbols has to be
    /// computed.
    fn masses_to_try(&self) -> Vec<Masses> {
        let small = self.bodies.len() <= SMALL;
        if small || !self.description.fields.is_empty() {
            Masses::ALL.to_vec()
        } else {
            vec![Masses::Regrouped]
        }
    }
}

/// The cheapest of several forms of a quantity; the first of equals.
pub(super) fn cheapest<'g>(forms: impl Iterator<Item = Quantity<'g>>) -> Option<Quantity<'g>> {
    forms.min_by(|a, b| a.cost.total_cmp(&b.cost))
}

/// What it takes to compute `outputs`, in additions: operations after contraction to multiply-adds,
/// numbers to store, and code beyond what the processor keeps at hand.
pub(super) fn cost(graph: &Graph, outputs: &[Expr<'_>]) -> f64 {
    let count = graph.operations(outputs);
    let [simple, slow, turns] = [
        count.additions + count.multiplications - graph.contractions(outputs)
            + graph.moves(outputs)
            + outputs.len(),
        count.divisions + count.roots,
        count.trigonometric,
    ]
    .map(|n| n as f64);
    let excess = BYTES * (simple + slow) - CACHE;
    simple + DIVISION * slow + TURN * turns + FETCH * excess.max(0.0)
}
