//! A quantity is derived in every form that may be worth it, and the cheapest is kept.
//!
//! No form is the best for all mechanisms: which axes a run of parallel joints is best seen from, and
//! which algorithm solves for accelerations in fewer operations, depends on the tree. Deriving takes
//! milliseconds; what the choice goes by is a model of the machine.

use crate::expr::{Expr, Operations};

use super::equations::Quantity;
use super::forms::{Axes, Forms, Limbs, Masses};
use super::mechanism::Mechanism;
use super::parallel::Runs;
use super::prepare::is_field;

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
        let runs = self.runs();
        let mut candidates = Vec::new();
        for masses in forms.masses.map_or(self.masses_to_try(), |masses| vec![masses]) {
            let massive = match masses {
                Masses::Described => self.clone(),
                Masses::Regrouped => self.regrouped(),
            };
            for axes in massive.axes_to_try(&runs, forms.axes) {
                let name = format!("{}{}", masses.name(), Axes::names(&axes));
                let seen = massive.in_axes(&runs, &axes);
                let folded = match forms.limbs {
                    Some(Limbs::OneByOne) => None,
                    _ => seen.folded(),
                };
                if folded.is_none() || forms.limbs != Some(Limbs::InLanes) {
                    candidates.push(Candidate { name: name.clone(), mechanism: seen });
                }
                let name = format!("{name}, alike limbs in lanes");
                candidates.extend(folded.map(|mechanism| Candidate { name, mechanism }));
            }
        }
        candidates
    }

    /// Axes for each kind of run. The best for a recursion on vectors and the best for one on
    /// composites differ, and are searched for one kind after the other.
    fn axes_to_try(&self, runs: &Runs, asked: Option<Axes>) -> Vec<Vec<Axes>> {
        match (runs.kinds, asked) {
            (0, _) => vec![Vec::new()],
            (kinds, Some(axes)) => vec![vec![axes; kinds]],
            (1, None) => Axes::ALL.map(|axes| vec![axes]).to_vec(),
            (kinds, None) => {
                let forces = self.best_axes(runs, |m| m.bias_force());
                let inertia = self.best_axes(runs, |m| m.mass_matrix().concat());
                let mut all = vec![vec![Axes::Own; kinds], forces, inertia];
                all.dedup();
                all
            }
        }
    }

    fn best_axes(&self, runs: &Runs, derive: fn(&Self) -> Vec<Expr<'g>>) -> Vec<Axes> {
        let measure = |axes: &[Axes]| {
            let outputs = derive(&self.in_axes(runs, axes));
            cost(&self.graph.operations_beyond(&outputs, is_field), outputs.len())
        };
        let mut best = vec![Axes::Own; runs.kinds];
        let mut least = measure(&best);
        for kind in 0..runs.kinds {
            for axes in [Axes::Outer, Axes::Inner] {
                let mut trial = best.clone();
                trial[kind] = axes;
                let cost = measure(&trial);
                if cost < least {
                    (best, least) = (trial, cost);
                }
            }
        }
        best
    }

    /// Regrouped masses hardly ever cost operations: only where they fill a parent that had zeros.
    fn masses_to_try(&self) -> Vec<Masses> {
        match self.bodies.len() {
            0..=SMALL => Masses::ALL.to_vec(),
            _ => vec![Masses::Regrouped],
        }
    }
}

/// The cheapest of several forms of a quantity; the first of equals.
pub(super) fn cheapest<'g>(forms: impl Iterator<Item = Quantity<'g>>) -> Option<Quantity<'g>> {
    forms.min_by(|a, b| a.cost.total_cmp(&b.cost))
}

/// What it takes to compute `outputs` numbers, in additions: operations after contraction to
/// multiply-adds, numbers to move and to store, and code beyond what the processor keeps at hand.
pub(super) fn cost(count: &Operations, outputs: usize) -> f64 {
    let simple =
        count.additions + count.multiplications - count.contractions + count.moves + outputs;
    let slow = count.divisions + count.roots;
    let [simple, slow, turns] = [simple, slow, count.trigonometric].map(|n| n as f64);
    let excess = BYTES * (simple + slow) - CACHE;
    simple + DIVISION * slow + TURN * turns + FETCH * excess.max(0.0)
}
