//! The direct method.
//!
//! > u = K⁻¹ (p + Gᵀ Λ),  w = G u − target + σ Λ = A Λ + b,  A = G K⁻¹ Gᵀ + σ
//!
//! K⁻¹ is the elimination along the trees of joints, under which these hold exactly; G are the rows l of joints that
//! close loops, couplings and constraints, and the rows o of limits, motors and contacts. The former are eliminated once more,
//!
//! > w_o = (A_oo − A_ol A_ll⁺ A_lo) Λ_o + b_o − A_ol A_ll⁺ b_l,  Λ_l = −A_ll⁺ (b_l + A_lo Λ_o),
//!
//! and Λ_o is that of [`cone`], with Coulomb's law on the round cone. The cost is linear in the bodies for each row
//! of G, and cubic in these.

use alloc::vec::Vec;

use nalgebra::Vector6;

use super::Error;
use super::dependent::Dependent;
use super::elimination::Elimination;
use super::forest::Forest;
use super::problem::{Group, Law, Problem, Source};
use super::residual::mobility;
use crate::cone::{self, Block, Law as Friction, Matrix, Settings};
use crate::slices::{self, copy, dot, multiply};

/// What the solver of cones aims at, as a share of the residual that a step may have.
const SHARE: f64 = 0.1;

/// Room for the method.
#[derive(Clone, Debug, Default)]
pub(super) struct Direct {
    elimination: Elimination,
    dependent: Dependent,
    workspace: cone::Workspace,
    blocks: Vec<Block>,
    /// The rows of G: first those of loops.
    rows: Vec<usize>,
    loops: usize,
    /// A, column by column, and b.
    matrix: Vec<f64>,
    b: Vec<f64>,
    /// A_lo, column by column, and A_ll⁺ of that and b_l.
    across: Vec<f64>,
    solved: Vec<f64>,
    /// A and b of the rows o without loops, then Λ of all rows of G.
    reduced: Vec<f64>,
    offset: Vec<f64>,
    lambda: Vec<f64>,
    response: Vec<Vector6<f64>>,
    /// Of the joints in a response; nobody reads them.
    tension: Vec<f64>,
}

impl Direct {
    /// u and λ, and the iterations that they took, for a residual of the world below `tolerance`.
    ///
    /// # Errors
    ///
    /// [`Error::Singular`] and [`Error::Cone`].
    pub(super) fn solve(
        &mut self,
        (problem, forest): (&Problem, &Forest),
        tolerance: f64,
        velocity: &mut Vec<Vector6<f64>>,
        impulse: &mut Vec<f64>,
    ) -> Result<usize, Error> {
        self.elimination.factor(problem, forest)?;
        self.list(problem, forest);
        slices::zeros(impulse, problem.rows());
        velocity.clone_from(&problem.momentum);
        self.elimination.solve(problem, true, velocity, impulse);
        if self.rows.is_empty() {
            return Ok(0);
        }
        self.assemble(problem, velocity);
        self.reduce(problem);
        let iterations = self.complement(tolerance)?;
        velocity.clone_from(&problem.momentum);
        for (&row, &lambda) in self.rows.iter().zip(&self.lambda) {
            problem.add_impulse(row, lambda, velocity);
        }
        self.elimination.solve(problem, true, velocity, impulse);
        for (&row, &lambda) in self.rows.iter().zip(&self.lambda) {
            impulse[row] = lambda;
        }
        Ok(iterations)
    }

    /// The rows that no tree has, and their laws.
    fn list(&mut self, problem: &Problem, forest: &Forest) {
        let closes = |group: &&Group| match group.source {
            Source::Joint(k) => forest.closes[k],
            _ => group.law == Law::Holds,
        };
        let rows = |group: &Group| group.first..group.first + group.count;
        self.rows.clear();
        self.rows.extend(problem.groups.iter().filter(closes).flat_map(rows));
        self.loops = self.rows.len();
        self.blocks.clear();
        for group in &problem.groups {
            let row = |lower, upper| core::iter::repeat_n(Block::Row { lower, upper }, group.count);
            match group.law {
                Law::Holds => continue,
                Law::Bounded([lower, upper]) => self.blocks.extend(row(lower, upper)),
                Law::Ball(radius) => self.blocks.push(Block::Ball { radius }),
                Law::Contact(friction) => {
                    self.blocks.push(Block::Contact { friction, torsion: None });
                }
            }
            self.rows.extend(rows(group));
        }
    }

    /// A, column by column, and b.
    fn assemble(&mut self, problem: &Problem, velocity: &[Vector6<f64>]) {
        let Self { elimination, rows, matrix, b, response, tension, .. } = self;
        let n = rows.len();
        slices::zeros(matrix, n * n);
        slices::zeros(tension, problem.rows());
        b.clear();
        for (j, &row) in rows.iter().enumerate() {
            b.push(problem.rate(row, velocity) - problem.target[row]);
            response.clear();
            response.resize(velocity.len(), Vector6::zeros());
            problem.add_impulse(row, 1.0, response);
            elimination.solve(problem, false, response, tension);
            for (i, &other) in rows.iter().enumerate().skip(j) {
                let entry = problem.rate(other, response);
                (matrix[j * n + i], matrix[i * n + j]) = (entry, entry);
            }
            matrix[j * n + j] += problem.softness[row];
        }
    }

    /// What is left for the rows o.
    fn reduce(&mut self, problem: &Problem) {
        let (n, loops) = (self.rows.len(), self.loops);
        let column = |j: usize| &self.matrix[j * n..][..n];
        self.across.clear();
        (0..loops).for_each(|j| self.across.extend_from_slice(&column(j)[..loops]));
        self.solved.clear();
        // A row of nothing is soft, of which one is the whole diagonal.
        let scale = |&row: &usize| mobility(problem, row) + problem.softness[row];
        self.solved.extend(self.rows[..loops].iter().map(scale));
        self.dependent.factor(&self.solved, &self.across);
        self.across.clear();
        (loops..n).for_each(|j| self.across.extend_from_slice(&column(j)[..loops]));
        let solved = copy(&mut self.solved, &self.across);
        solved.chunks_exact_mut(loops.max(1)).for_each(|x| self.dependent.solve(x));
        self.reduced.clear();
        self.offset.clear();
        for j in loops..n {
            // Rows of A_ol are columns of A_lo; there are none of no loops.
            let x = &self.solved[(j - loops) * loops..][..loops];
            let own = |i: usize| &self.across[(i - loops) * loops..][..loops];
            let column = &self.matrix[j * n..][..n];
            self.reduced.extend((loops..n).map(|i| column[i] - dot(own(i), x)));
            self.offset.push(self.b[j] - dot(x, &self.b[..loops]));
        }
    }

    /// Λ of all rows of G, and the iterations that it took.
    fn complement(&mut self, tolerance: f64) -> Result<usize, Error> {
        let Self { workspace, reduced, offset, blocks, loops, .. } = self;
        self.lambda.clear();
        self.lambda.extend_from_slice(&self.b[..*loops]);
        let mut iterations = 0;
        if !blocks.is_empty() {
            let (matrix, law) = (Matrix::Delassus(reduced), Friction::Coulomb);
            let reduced = cone::Problem { matrix, b: offset, blocks, law };
            let aim = f64::max(SHARE * tolerance, f64::MIN_POSITIVE);
            let settings = Settings { aim, ..Settings::default() };
            let solution = cone::solve(&reduced, &settings, workspace)?;
            multiply(&mut self.lambda, &self.across, solution.z);
            self.solved.clear();
            self.solved.extend_from_slice(solution.z);
            iterations = solution.iterations + solution.sweeps;
        } else {
            self.solved.clear();
        }
        self.dependent.solve(&mut self.lambda);
        self.lambda.iter_mut().for_each(|x| *x = -*x);
        self.lambda.extend_from_slice(&self.solved);
        Ok(iterations)
    }
}
