//! Where Lemke's paths end, and what is returned then.

use alloc::vec;
use alloc::vec::Vec;

use super::Workspace;
use crate::lcp::boxed::Problem;
use crate::lcp::{Error, Method, Solution, Status, infeasible};
use crate::watch::Watcher;

/// Where a path ends, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Solution,
    /// A solution near the basis of the last problem.
    Resumed,
    /// A ray whose direction is a vector of Farkas.
    Infeasible,
    Ray,
    Unsolved,
}

impl Workspace {
    pub(super) fn solution(&self, end: End, residual: f64) -> Option<Solution<'_>> {
        let status = match end {
            End::Solution => Status::Solved(Method::Lemke),
            End::Resumed => Status::Resumed(Method::Lemke),
            End::Infeasible | End::Ray | End::Unsolved => return None,
        };
        Some(Solution { z: &self.z, residual, pivots: self.pivots, status })
    }

    /// What is returned of the problem of `m` and `q` where there is no solution to return.
    pub(super) fn failure(
        &self,
        m: &[f64],
        q: &[f64],
        (end, residual): (End, f64),
        watcher: &mut Watcher<'_>,
    ) -> Error {
        let pivots = self.pivots;
        let restored = |balanced: &[f64]| {
            let mut vector = balanced.to_vec();
            restore(&mut vector, &self.unit);
            vector
        };
        let direction = || restored(&self.direction);
        match end {
            End::Infeasible => Error::Infeasible { y: direction(), pivots },
            End::Ray => match self.proof(m, q, watcher) {
                Some(y) => Error::Infeasible { y, pivots },
                None => Error::Ray { z: restored(&self.point), direction: direction(), pivots },
            },
            _ => Error::Unsolved { z: self.z.clone(), residual, pivots },
        }
    }

    /// A vector of Farkas that the ray is not.
    fn proof(&self, m: &[f64], q: &[f64], watcher: &mut Watcher<'_>) -> Option<Vec<f64>> {
        watcher.allow(self.max_pivots);
        let (lo, hi) = (vec![0.0; q.len()], vec![f64::INFINITY; q.len()]);
        infeasible::proof(&Problem { a: m, b: q, lo: &lo, hi: &hi }, watcher)
    }
}

/// z, or a direction, from what it is in balanced units.
pub(super) fn restore(z: &mut [f64], unit: &[f64]) {
    z.iter_mut().zip(unit).for_each(|(z, unit)| *z *= unit);
}
