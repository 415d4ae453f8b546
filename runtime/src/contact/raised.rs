//! Coulomb's law where normal impulses have floors, as a problem of cones whose impulses start at zero.
//!
//! > λ_n = y,  y = floor + x,  0 ≤ x ⟂ w_n ≥ 0,  ‖λ_t‖ ≤ μ y
//!
//! The contact keeps y, of which its friction is, and x is a row of its own beside it, in the place of the contact
//! as all others see it. A spring of any stiffness a > 0 ties them,
//!
//! > w_y = a (y − floor − x),  w_x = w_n − w_y,
//!
//! so that what presses, y > 0 and w_y = 0, has y = floor + x and w_x = w_n. The matrix stays symmetric and positive
//! semidefinite: a (y − x)²/2 is added to the energy.

use alloc::vec::Vec;

use super::Error;
use super::problem::Problem;
use crate::cone::{self, Block, Law, Matrix, Settings};
use crate::slices;

/// The largest residual by the largest velocity, which that of a floor's rebound alone may be, and be taken back.
const TOLERANCE: f64 = 1e-12;

/// Room for the problem.
#[derive(Clone, Debug, Default)]
pub(super) struct Raised {
    /// Of each row of the problem, where it is in this one: the row x of a contact that has a floor.
    places: Vec<usize>,
    blocks: Vec<Block>,
    a: Vec<f64>,
    b: Vec<f64>,
}

impl Raised {
    /// Writes Λ, (n); returns the number of iterations.
    pub(super) fn solve(
        &mut self,
        problem: &Problem,
        workspace: &mut cone::Workspace,
        impulses: &mut [f64],
    ) -> Result<usize, Error> {
        self.list(problem);
        self.assemble(problem);
        let Self { places, blocks, a, b } = self;
        let raised = cone::Problem { matrix: Matrix::Delassus(a), b, blocks, law: Law::Coulomb };
        let solution = cone::solve(&raised, &Settings { tolerance: TOLERANCE }, workspace)?;
        for (i, (impulse, &place)) in impulses.iter_mut().zip(&*places).enumerate() {
            *impulse = solution.z[place] + if place == i { 0.0 } else { problem.floor(i) };
        }
        Ok(solution.iterations + solution.sweeps)
    }

    /// Lists the blocks, those of the problem first.
    fn list(&mut self, problem: &Problem) {
        let Self { places, blocks, .. } = self;
        places.clear();
        places.extend(0..problem.rows());
        blocks.clone_from(&problem.blocks);
        for (first, block, _) in problem.each() {
            if matches!(block, Block::Contact { .. }) && problem.floor(first) > 0.0 {
                places[first] = problem.rows() + blocks.len() - problem.blocks.len();
                blocks.push(Block::Row { lower: 0.0, upper: f64::INFINITY });
            }
        }
    }

    fn assemble(&mut self, problem: &Problem) {
        let Self { places, blocks, a, b } = self;
        let (n, size) = (places.len(), places.len() + blocks.len() - problem.blocks.len());
        slices::zeros(a, size * size);
        slices::zeros(b, size);
        for (j, column) in problem.a.chunks_exact(n.max(1)).enumerate() {
            let raised = places[j] != j;
            for (i, &entry) in column.iter().enumerate() {
                a[places[j] * size + places[i]] = entry;
                b[places[i]] += if raised { entry * problem.floor(j) } else { 0.0 };
            }
            b[places[j]] += problem.b[j];
        }
        for (y, &x) in places.iter().enumerate().filter(|(y, x)| y != *x) {
            let diagonal = problem.a[y * n + y];
            let stiffness = if diagonal > 0.0 { diagonal } else { 1.0 };
            a[y * size + y] = stiffness;
            a[x * size + x] += stiffness;
            (a[y * size + x], a[x * size + y]) = (-stiffness, -stiffness);
            b[y] = -stiffness * problem.floor(y);
            b[x] += stiffness * problem.floor(y);
        }
    }
}
