//! Proximal points in impulses, Newton's method in velocities.
//!
//! > Λ⁺ = P_K((D Λ − J v + target − μ s(v_t) n)/τ),  D = τ − σ,  M̂ (v − v_free) = Jᵀ Λ⁺
//!
//! is solved for v, and Λ⁺ put in the place of Λ, until D (Λ⁺ − Λ), the error of w, is rounding. σ of contacts is in J, as
//! slacks with a mass, so that P_K is the projection of their cone. s is zero for convex laws: then v minimises a strictly convex function with a
//! continuous slope, and a search along Newton's direction always converges. For maximum dissipation, s is how fast a contact
//! slips, as its polygon has it. Newton's method is tried with s as it depends on v, and else as a fixed point with s known.
//!
//! # Source
//!
//! Rockafellar: Augmented Lagrangians and Applications of the Proximal Point Algorithm in Convex Programming, Mathematics of
//! Operations Research 1 (1976). Acary, Cadoux, Lemaréchal, Malick: A Formulation of the Linear Discrete Coulomb Friction
//! Problem via Convex Optimization, ZAMM 91 (2011), for s.

use super::cones::Projection;
use super::linear::{Square, add, dot, largest};
use super::problem::{Block, Problem};

/// τ by the mobility of a block, at first, at least, and by which factor it becomes smaller.
const FIRST: f64 = 1e-2;
const LEAST: f64 = 1e-10;
const LESS: f64 = 0.1;
/// τ of the last proximal points: Λ is rounding of w, divided by τ.
const LAST: f64 = 1e-3;
const LASTS: usize = 6;
/// Proximal points, Newton's steps for one, and values of s.
const POINTS: usize = 40;
const STEPS: usize = 40;
const SLIPS: usize = 8;
/// What is left of velocities, by the fastest, if that is above 1 m/s.
const LEFT: f64 = 1e-13;
/// The same where nothing becomes better.
const ENOUGH: f64 = 1e-11;

/// v⁺ and Λ.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    pub(super) velocity: Vec<f64>,
    pub(super) impulses: Vec<[f64; 3]>,
}

/// A solution that is reached from another one, if it is.
pub(super) fn solve(problem: &Problem, start: &Solution) -> Option<Solution> {
    if !problem.blocks.iter().any(|block| block.is_maximal) {
        let (problem, mut start) = (problem.with_slacks(), start.clone());
        let size = start.velocity.len();
        start.velocity.resize(problem.mass.size, 0.0);
        let mut search = Search::new(&problem, &start);
        search.find(Slip::Known, FIRST).then_some(())?;
        search.velocity.truncate(size);
        return Some(search.solution());
    }
    let mut search = Search::new(problem, start);
    if search.find(Slip::Depends, FIRST) {
        return Some(search.solution());
    }
    search = Search::new(problem, start);
    for _ in 0..SLIPS {
        search.slips = search.slips_of(&search.velocity);
        if !search.find(Slip::Known, FIRST) {
            return None;
        }
        let mut last = Search::new(problem, &search.solution());
        if last.find(Slip::Depends, LAST) {
            return Some(last.solution());
        }
    }
    None
}

struct Search<'a> {
    problem: &'a Problem,
    /// Λ of the last proximal point.
    center: Vec<[f64; 3]>,
    velocity: Vec<f64>,
    /// μ s of each block where they are known.
    slips: Vec<f64>,
    tau: f64,
    scale: f64,
}

/// Whether s depends on v.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Slip {
    Depends,
    Known,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem, start: &Solution) -> Self {
        let Solution { velocity, impulses } = start.clone();
        let slips = vec![0.0; problem.blocks.len()];
        let scale = largest(&problem.free).max(1.0);
        Self { problem, center: impulses, velocity, slips, tau: FIRST, scale }
    }

    fn solution(&self) -> Solution {
        Solution { velocity: self.velocity.clone(), impulses: self.center.clone() }
    }

    /// Proximal points until they stay; whether they do.
    fn find(&mut self, slip: Slip, first: f64) -> bool {
        self.tau = first;
        let (mut before, mut least) = (f64::INFINITY, LEAST);
        for _ in 0..POINTS {
            let velocity = self.velocity.clone();
            if !self.descend(slip) {
                // With little τ, rounding is all that Newton's method finds.
                self.velocity = velocity;
                least = 10.0 * self.tau;
                self.tau = least;
                if least > FIRST {
                    return false;
                }
                continue;
            }
            let error = self.renew(slip);
            if error <= LEFT || (error <= ENOUGH && error >= 0.5 * before) {
                self.tau = LAST;
                return (0..LASTS).any(|_| self.descend(slip) && self.renew(slip) <= ENOUGH);
            }
            before = error;
            self.tau = (LESS * self.tau).max(least);
        }
        false
    }

    /// Newton's method; whether it converges.
    fn descend(&mut self, slip: Slip) -> bool {
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let (force, matrix) = self.linearise(slip);
            let mut step = matrix.solve(&force);
            step.iter_mut().for_each(|x| *x = -*x);
            let size = largest(&step) / self.scale;
            if !size.is_finite() {
                return false;
            }
            if size <= LEFT || (size <= ENOUGH && size >= 0.5 * last) {
                add(&mut self.velocity, 1.0, &step);
                return true;
            }
            last = size;
            let share = match slip {
                Slip::Known => self.search_slope(&step, dot(&force, &step)),
                Slip::Depends => self.search_norm(&step, self.norm(&force)),
            };
            let Some(share) = share else { return false };
            add(&mut self.velocity, share, &step);
        }
        false
    }

    /// How far to go along a direction of descent, until the slope is less than half, by bisection.
    fn search_slope(&self, step: &[f64], slope: f64) -> Option<f64> {
        let (mut from, mut to, mut share) = (0.0, 1.0, 1.0);
        for _ in 0..40 {
            let mut v = self.velocity.clone();
            add(&mut v, share, step);
            let here = dot(&self.force(&v, Slip::Known), step);
            if here.abs() <= 0.5 * slope.abs() || (share == 1.0 && here < 0.0) {
                return Some(share);
            }
            if here < 0.0 {
                from = share;
            } else {
                to = share;
            }
            share = 0.5 * (from + to);
        }
        Some(share)
    }

    /// How far to go until what is missing of momentum is less.
    fn search_norm(&self, step: &[f64], norm: f64) -> Option<f64> {
        let shares = (0..8).map(|k| 0.5_f64.powi(k));
        shares.into_iter().find(|&share| {
            let mut v = self.velocity.clone();
            add(&mut v, share, step);
            self.norm(&self.force(&v, Slip::Depends)) <= (1.0 - 0.1 * share) * norm
        })
    }

    /// The square of a momentum, by M's diagonal.
    fn norm(&self, momentum: &[f64]) -> f64 {
        let mass = &self.problem.mass;
        let part = |(i, p): (usize, &f64)| p * p / mass.entries[(mass.size + 1) * i];
        momentum.iter().enumerate().map(part).sum::<f64>().sqrt()
    }

    /// M̂ (v − v_free) − Jᵀ Λ⁺.
    fn force(&self, v: &[f64], slip: Slip) -> Vec<f64> {
        let Problem { mass, free, blocks, .. } = self.problem;
        let change: Vec<f64> = v.iter().zip(free).map(|(v, free)| v - free).collect();
        let mut force = mass.times(&change);
        for (k, block) in blocks.iter().enumerate() {
            let (projection, _) = self.impulses(k, v, slip);
            for (row, impulse) in block.rows.iter().zip(projection.point) {
                if impulse != 0.0 {
                    add(&mut force, -impulse, row);
                }
            }
        }
        force
    }

    /// The same at v, with its slope.
    fn linearise(&self, slip: Slip) -> (Vec<f64>, Square) {
        let Problem { mass, blocks, .. } = self.problem;
        let (force, mut matrix) = (self.force(&self.velocity, slip), mass.clone());
        for (k, block) in blocks.iter().enumerate() {
            let (projection, along) = self.impulses(k, &self.velocity, slip);
            if projection.slope != [[0.0; 3]; 3] {
                add_block(&mut matrix, block, &projection.slope, (self.tau_of(block), along));
            }
        }
        (force, matrix)
    }

    /// τ of a block.
    fn tau_of(&self, block: &Block) -> f64 {
        let most = block.sigma.iter().fold(0.0, |most, sigma| f64::max(most, *sigma));
        f64::max(self.tau * block.mobility, most)
    }

    /// J v − target of a block.
    fn end(block: &Block, v: &[f64]) -> [f64; 3] {
        let mut w = block.target.map(|target| -target);
        block.rows.iter().zip(&mut w).for_each(|(row, w)| *w += dot(row, v));
        w
    }

    /// Λ⁺ of a block, and the slope of μ s by the slip.
    fn impulses(&self, k: usize, v: &[f64], slip: Slip) -> (Projection, [f64; 2]) {
        let block = &self.problem.blocks[k];
        let (tau, mut w) = (self.tau_of(block), Self::end(block, v));
        let (mut shift, mut along) = (self.slips[k], [0.0; 2]);
        if block.is_maximal && slip == Slip::Depends {
            (shift, along) = block.law.dissipation([w[1], w[2]]);
        }
        w[0] += shift;
        let x = [0, 1, 2].map(|i| ((tau - block.sigma[i]) * self.center[k][i] - w[i]) / tau);
        (block.law.project(x), along)
    }

    /// μ s of each block.
    fn slips_of(&self, v: &[f64]) -> Vec<f64> {
        let slip = |block: &Block| {
            let w = Self::end(block, v);
            if block.is_maximal { block.law.dissipation([w[1], w[2]]).0 } else { 0.0 }
        };
        self.problem.blocks.iter().map(slip).collect()
    }

    /// Takes Λ⁺ for Λ; the largest D (Λ⁺ − Λ).
    fn renew(&mut self, slip: Slip) -> f64 {
        let mut error = 0.0;
        for (k, block) in self.problem.blocks.iter().enumerate() {
            let (next, tau) = (self.impulses(k, &self.velocity, slip).0, self.tau_of(block));
            let lack = |i: usize| (tau - block.sigma[i]) * (next.point[i] - self.center[k][i]);
            error = largest(&[error, lack(0), lack(1), lack(2)]);
            self.center[k] = next.point;
        }
        error / self.scale
    }
}

/// Adds Jᵀ P′ (1 + n aᵀ) J/τ.
fn add_block(
    matrix: &mut Square,
    block: &Block,
    slope: &[[f64; 3]; 3],
    (tau, along): (f64, [f64; 2]),
) {
    let n = matrix.size;
    for (row, slope) in block.rows.iter().zip(slope) {
        let factors = [slope[0], slope[1] + slope[0] * along[0], slope[2] + slope[0] * along[1]];
        let mut product = vec![0.0; n];
        for (factor, row) in factors.iter().zip(&block.rows) {
            add(&mut product, factor / tau, row);
        }
        for (i, &entry) in row.iter().enumerate().filter(|(_, entry)| **entry != 0.0) {
            add(&mut matrix.entries[n * i..n * (i + 1)], entry, &product);
        }
    }
}
