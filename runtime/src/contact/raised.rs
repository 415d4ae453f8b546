//! A problem of contacts whose normal impulses have floors, as one of such that start at zero.
//!
//! > λ_n = y,  y = floor + x,  0 ≤ x ⟂ w_n ≥ 0,  ‖λ_t‖ ≤ μ y
//!
//! The contact keeps y, of which its friction is, and x is a row of its own beside it, in the place of the contact
//! as all others see it. A spring of any stiffness a > 0 ties them,
//!
//! > w_y = a (y − floor − x),  w_x = w_n − w_y,
//!
//! so that what presses, y > 0 and w_y = 0, has y = floor + x and w_x = w_n. The matrix stays symmetric and positive
//! semidefinite: a (y − x)²/2 is added to the energy. So no solver has to know of floors.

use alloc::vec::Vec;

use super::problem::Problem;
use crate::cone::{Block, Settings};
use crate::slices;

/// The largest residual by the largest velocity, which that of a floor's rebound alone may be.
const TOLERANCE: f64 = 1e-12;

/// The other problem, and its impulses.
#[derive(Clone, Debug, Default)]
pub(super) struct Raised {
    /// Of each row of the problem, where it is in this one: the row x of a contact that has a floor.
    places: Vec<usize>,
    pub(super) problem: Problem,
    pub(super) impulses: Vec<f64>,
}

impl Raised {
    /// Takes a problem whose matrix is given by its entries.
    pub(super) fn write(&mut self, problem: &Problem) {
        self.list(problem);
        self.assemble(problem);
        slices::zeros(&mut self.impulses, self.problem.b.len());
    }

    /// Writes Λ of the problem, (n).
    pub(super) fn read(&self, problem: &Problem, impulses: &mut [f64]) {
        for (i, (impulse, &place)) in impulses.iter_mut().zip(&self.places).enumerate() {
            let floor = if place == i { 0.0 } else { problem.floor(i) };
            *impulse = self.impulses[place] + floor;
        }
    }

    /// Lists the blocks, those of the problem first.
    fn list(&mut self, problem: &Problem) {
        let Self { places, problem: raised, .. } = self;
        raised.clear();
        raised.settings = Settings { tolerance: TOLERANCE, ..problem.settings };
        raised.blocks.clone_from(&problem.blocks);
        raised.firsts.clone_from(&problem.firsts);
        raised.directions.clone_from(&problem.directions);
        places.clear();
        places.extend(0..problem.rows());
        let mut size = problem.rows();
        for (first, block, _) in problem.each() {
            if block.coefficients().is_some() && problem.floor(first) > 0.0 {
                places[first] = size;
                raised.blocks.push(Block::Row { lower: 0.0, upper: f64::INFINITY });
                raised.firsts.push(size);
                raised.directions.push(0);
                size += 1;
            }
        }
        slices::zeros(&mut raised.b, size);
    }

    fn assemble(&mut self, problem: &Problem) {
        let Self { places, problem: Problem { a, b, .. }, .. } = self;
        let (n, size) = (places.len(), b.len());
        slices::zeros(a, size * size);
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
