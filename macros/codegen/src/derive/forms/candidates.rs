//! A quantity is derived in every form that may be worth it, and the cheapest is kept.
//!
//! No form is the best for all mechanisms: which axes a run of parallel joints is best seen from, and
//! which algorithm solves for accelerations in fewer operations, depends on the tree. Deriving takes
//! milliseconds; what the choice goes by is a model of the machine.

use crate::derive::cost::cost;
use crate::derive::mechanism::Mechanism;
use crate::derive::prepare::is_field;
use crate::expr::Expr;

use super::{Axes, Forms, Limbs, Masses};

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
        let limbs_to_try = forms.limbs.map_or_else(|| self.limbs_to_try(), |limbs| vec![limbs]);
        let mut candidates = Vec::new();
        for masses in forms.masses.map_or(self.masses_to_try(), |masses| vec![masses]) {
            let massive = match masses {
                Masses::Described => self.clone(),
                Masses::Regrouped => self.regrouped().with_better_origins().with_leaf_axes(),
            };
            for &limbs in &limbs_to_try {
                let in_form = |axes: &[Axes]| massive.in_axes(&runs, axes).with_limbs(limbs);
                for axes in axes_to_try(runs.kinds, forms.axes, in_form) {
                    let mechanism = in_form(&axes);
                    let limbs = if mechanism.has_lanes() { limbs.name() } else { "" };
                    let name = format!("{}{}{limbs}", masses.name(), Axes::names(&axes));
                    candidates.push(Candidate { name, mechanism });
                }
            }
        }
        candidates
    }

    fn with_limbs(self, limbs: Limbs) -> Self {
        match limbs {
            Limbs::OneByOne => self,
            Limbs::InLanes => self.folded().unwrap_or(self),
        }
    }

    /// Lanes save more than they cost where they leave out a quarter of all bodies.
    fn limbs_to_try(&self) -> Vec<Limbs> {
        match self.folded() {
            None => vec![Limbs::OneByOne],
            Some(folded) if 4 * folded.bodies.len() <= 3 * self.bodies.len() => {
                vec![Limbs::InLanes]
            }
            Some(_) => Limbs::ALL.to_vec(),
        }
    }

    /// Regrouped masses hardly ever cost operations: only where they fill a parent that had zeros.
    fn masses_to_try(&self) -> Vec<Masses> {
        match self.bodies.len() {
            0..=SMALL => Masses::ALL.to_vec(),
            _ => vec![Masses::Regrouped],
        }
    }
}

/// Axes for each kind of run. The best for a recursion on vectors and the best for one on composites
/// differ, and are searched for one kind after the other.
fn axes_to_try<'g>(
    kinds: usize,
    asked: Option<Axes>,
    in_form: impl Fn(&[Axes]) -> Mechanism<'g>,
) -> Vec<Vec<Axes>> {
    match (kinds, asked) {
        (0, _) => vec![Vec::new()],
        (_, Some(axes)) => vec![vec![axes; kinds]],
        (1, None) => Axes::ALL.map(|axes| vec![axes]).to_vec(),
        (_, None) => {
            let forces = best_axes(kinds, &in_form, |m| m.bias_force());
            let inertia = best_axes(kinds, &in_form, |m| m.mass_matrix().concat());
            let mut all = vec![vec![Axes::Own; kinds], forces, inertia];
            all.sort();
            all.dedup();
            all
        }
    }
}

fn best_axes<'g>(
    kinds: usize,
    in_form: impl Fn(&[Axes]) -> Mechanism<'g>,
    derive: fn(&Mechanism<'g>) -> Vec<Expr<'g>>,
) -> Vec<Axes> {
    let measure = |axes: &[Axes]| {
        let mechanism = in_form(axes);
        let outputs = derive(&mechanism);
        cost(&mechanism.graph.operations_beyond(&outputs, is_field), outputs.len())
    };
    let mut best = vec![Axes::Own; kinds];
    let mut least = measure(&best);
    for kind in 0..kinds {
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
