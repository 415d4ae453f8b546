//! From active set to active set.

use alloc::vec::Vec;

use super::factors::Factors;
use super::polyhedron::Polyhedron;
use super::{ACCEPTED, FAR};
use crate::slices::{add, copy, norm, zeros};
use crate::watch::Watcher;

/// A unit normal of which less is orthogonal to the active ones depends on them.
const DEPENDENT: f64 = 1e-10;
/// A multiplier whose rate is below this times all of them does not fall.
const FALLING: f64 = 1e-12;
/// A violation below this times the largest number of the problem is none.
const SATISFIED: f64 = 1e-12;
/// Corrections of y by what the active constraints leave over.
const REFINEMENTS: usize = 2;

/// Where a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Solution,
    Infeasible,
    Unsolved,
}

/// A constraint that holds, nᵀ y = b.
#[derive(Clone, Copy, Debug)]
struct Active {
    constraint: usize,
    /// 1 or −1: an equation pushes in the sense in which it was violated.
    sense: f64,
    /// u ≥ 0.
    multiplier: f64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    factors: Factors,
    active: Vec<Active>,
    /// The one that contradicts the active ones.
    entering: Option<Active>,
    /// Constraints that hold but for rounding, and depend on active ones.
    skipped: Vec<bool>,
    y: Vec<f64>,
    z: Vec<f64>,
    /// How fast the multipliers of active constraints fall.
    r: Vec<f64>,
    room: Vec<f64>,
    half: Vec<f64>,
    pivots: usize,
}

impl Search {
    pub(super) fn with_capacity(n: usize, constraints: usize) -> Self {
        let row = || Vec::with_capacity(n);
        Self {
            factors: Factors::with_capacity(n),
            active: Vec::with_capacity(n.min(constraints)),
            entering: None,
            skipped: Vec::with_capacity(constraints),
            y: row(),
            z: row(),
            r: row(),
            room: row(),
            half: row(),
            pivots: 0,
        }
    }

    pub(super) fn forget(&mut self) {
        self.active.clear();
    }

    pub(super) fn pivots(&self) -> usize {
        self.pivots
    }

    /// y.
    pub(super) fn point(&self) -> &[f64] {
        &self.y
    }

    /// Writes λ and ν.
    pub(super) fn multipliers(&self, of: &Polyhedron, lambda: &mut [f64], nu: &mut [f64]) {
        for active in &self.active {
            of.write_multiplier(active.constraint, active.sense * active.multiplier, lambda, nu);
        }
    }

    /// Writes the multipliers that contradict one another: 1 of the violated constraint, −r of the active ones.
    pub(super) fn contradiction(&self, of: &Polyhedron, y: &mut [f64], z: &mut [f64]) {
        for (active, r) in self.active.iter().zip(&self.r) {
            of.write_multiplier(active.constraint, -active.sense * r, y, z);
        }
        if let Some(entering) = self.entering {
            of.write_multiplier(entering.constraint, entering.sense, y, z);
        }
    }

    /// Goes to the nearest point, from the constraints that are active.
    pub(super) fn run(&mut self, of: &Polyhedron, watcher: &mut Watcher<'_>) -> End {
        self.pivots = 0;
        self.begin(of);
        while let Some(entering) = self.most_violated(of) {
            let end = self.satisfy(of, entering, watcher);
            if end != End::Solution {
                return end;
            }
        }
        self.refine(of);
        let allowed = ACCEPTED * self.size(of);
        let violated = (0..of.constraints()).any(|k| self.violation(of, k).abs() > allowed);
        let pulls =
            |active: &Active| active.multiplier < -allowed && !of.is_equation(active.constraint);
        if violated || self.active.iter().any(pulls) { End::Unsolved } else { End::Solution }
    }

    /// Takes the active constraints of before, as far as there still are such, and drops those whose
    /// multiplier has the wrong sign.
    fn begin(&mut self, of: &Polyhedron) {
        let n = of.variables();
        self.factors.reset(n);
        zeros(&mut self.z, n);
        self.skipped.clear();
        self.skipped.resize(of.constraints(), false);
        let mut kept = 0;
        for k in 0..self.active.len() {
            let active = self.active[k];
            let exists = active.constraint < of.constraints()
                && (active.sense > 0.0 || of.is_equation(active.constraint));
            if exists && kept < n && self.project(of, active).is_some() {
                self.factors.push();
                self.active[kept] = active;
                kept += 1;
            }
        }
        self.active.truncate(kept);
        self.refine(of);
        while let Some(place) = self
            .active
            .iter()
            .position(|active| active.multiplier < 0.0 && !of.is_equation(active.constraint))
        {
            self.drop_active(place);
            self.refine(of);
        }
    }

    fn drop_active(&mut self, place: usize) {
        self.factors.remove(place);
        self.active.remove(place);
    }

    /// The largest number in coordinates of y.
    fn size(&self, of: &Polyhedron) -> f64 {
        of.size().max(norm(&self.y))
    }

    /// By how much a constraint is violated; of an equation, with the sign of what is missing.
    fn violation(&self, of: &Polyhedron, k: usize) -> f64 {
        let missing = -of.slack(k, &self.y);
        if of.is_equation(k) { missing } else { missing.max(0.0) }
    }

    /// The equation that is violated most, or else the inequality.
    fn most_violated(&self, of: &Polyhedron) -> Option<Active> {
        let least = SATISFIED * self.size(of);
        let worst = |equations: bool| {
            let all = (0..of.constraints()).filter(|&k| of.is_equation(k) == equations);
            let violated = all.map(|k| (k, self.violation(of, k)));
            let violated = violated.filter(|(k, miss)| miss.abs() > least && !self.skipped[*k]);
            violated.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
        };
        worst(true).or_else(|| worst(false)).map(|(constraint, miss)| Active {
            constraint,
            sense: if miss > 0.0 { 1.0 } else { -1.0 },
            multiplier: 0.0,
        })
    }

    /// Computes z and r of a normal. Returns ‖z‖², if the normal does not depend on the active ones.
    fn project(&mut self, of: &Polyhedron, normal: Active) -> Option<f64> {
        let (constraint, sense) = (normal.constraint, normal.sense);
        let length = self.factors.project(of.normal(constraint), sense, &mut self.z, &mut self.r);
        let weights = norm(&self.r).max(1.0);
        (length > DEPENDENT * weights).then_some(length * length)
    }

    /// Goes along z until the constraint holds, and drops active ones on the way.
    fn satisfy(&mut self, of: &Polyhedron, mut entering: Active, watcher: &mut Watcher<'_>) -> End {
        let k = entering.constraint;
        loop {
            let missing = -entering.sense * of.slack(k, &self.y);
            if !watcher.goes_on(missing) {
                return End::Unsolved;
            }
            self.pivots += 1;
            let square = self.project(of, entering);
            let full = square.map(|square| missing / square);
            let partial = self.first_to_fall(of);
            let step = match (full, partial) {
                (Some(full), Some((_, partial))) => full.min(partial),
                (Some(step), None) | (None, Some((_, step))) => step,
                (None, None) if missing <= ACCEPTED * self.size(of) => {
                    self.skipped[k] = true;
                    return End::Solution;
                }
                (None, None) => {
                    self.entering = Some(entering);
                    let is_proof = missing >= FAR * self.size(of) * norm(&self.z);
                    return if is_proof { End::Infeasible } else { End::Unsolved };
                }
            };
            let falling = self.active.iter_mut().zip(&self.r);
            falling.for_each(|(active, r)| active.multiplier -= step * r);
            entering.multiplier += step;
            if square.is_some() {
                add(&mut self.y, step, &self.z);
            }
            match (full, partial) {
                (Some(full), _) if full <= step => {
                    self.factors.push();
                    self.active.push(entering);
                    return End::Solution;
                }
                (_, Some((place, _))) => self.drop_active(place),
                _ => return End::Unsolved,
            }
        }
    }

    /// The place of the inequality whose multiplier is zero first, and after what step.
    fn first_to_fall(&self, of: &Polyhedron) -> Option<(usize, f64)> {
        let least = FALLING * norm(&self.r).max(1.0);
        let falling = self
            .active
            .iter()
            .zip(&self.r)
            .enumerate()
            .filter(|(_, (active, r))| **r > least && !of.is_equation(active.constraint));
        let steps = falling.map(|(place, (active, r))| (place, active.multiplier.max(0.0) / r));
        steps.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Computes y and the multipliers of the active constraints from the origin.
    fn refine(&mut self, of: &Polyhedron) {
        let Self { factors, active, y, room, half, .. } = self;
        copy(y, of.origin());
        active.iter_mut().for_each(|active| active.multiplier = 0.0);
        for _ in 0..=REFINEMENTS {
            room.clear();
            room.extend(active.iter().map(|active| -active.sense * of.slack(active.constraint, y)));
            factors.solve_normal(room, half);
            active.iter_mut().zip(&*room).for_each(|(active, u)| active.multiplier += u);
            factors.add_along(half, y);
        }
    }
}
