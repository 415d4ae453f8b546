//! Whether the places around a stationary one are farther from the guess, to second order.
//!
//! > P L P e = μ e,  P = 1 − H⁺ H,  L = ∂(Dᵀ W d − Hᵀ λ)
//!
//! Along the rows the distance changes by ½ μ s² if q moves by s e, and by nothing to first order. Where the
//! least μ is negative, the place is a saddle or the farthest, and e leads away from it to nearer ones. From a
//! guess that is nearer than rows could bend by much, it is neither.
//!
//! # Source
//!
//! Nocedal, Wright: Numerical Optimization (2nd edition), section 12.5.

use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{DMatrix, SymmetricEigen};

use crate::kkt::{Method, Problem, Solver};
use crate::manifold;
use crate::model::Robot;
use crate::slices::largest;

use super::Core;
use super::newton::{Linearised, Metric, STRIDE, slope};
use super::place::{ARMIJO, HALVES, Place, ROUNDING};
use super::root::Root;

/// μ by the largest entries of L and of the slope: what is less may be the rounding of their differences.
const FLAT: f64 = 1e-8;

/// The least radius by which rows bend, m or rad, as far as the place is not to be looked at.
const STRAIGHT: f64 = 1e-3;

/// The iterations of an eigenvalue, by the number of coordinates.
const ITERATIONS: usize = 30;

/// What is around a stationary place.
pub(super) enum Around {
    /// Farther or as far, to second order.
    Farther,
    /// A place that is nearer.
    Nearer(Place),
    /// The distance or the rows are not smooth enough there, or the rows too nearly dependent.
    Unknown,
}

impl Core {
    /// What is around a place of which the distance changes by nothing to first order.
    pub(super) fn around(
        &mut self,
        robot: Robot<'_>,
        (guess, here): (&[f64], &Place),
        by: (&Metric, &Root),
        t: f64,
    ) -> Around {
        let (joints, q, mut away) = (robot.joints, &here.found.q, vec![0.0; robot.nv]);
        manifold::difference(joints, guess, q, &mut away);
        if largest(&away) <= STRAIGHT * by.1.evenness {
            return Around::Farther;
        }
        let Some(balance) = here.balance(joints, guess, by.0) else { return Around::Unknown };
        let curvature = self.curvature(robot, (guess, q, &balance), by.0, t);
        let flat = FLAT * (largest(&curvature) + largest(&slope(joints, (guess, q), by.0)));
        let Some((least, along)) = least(&curvature, &here.found.rows) else {
            return Around::Unknown;
        };
        if least >= -flat {
            return Around::Farther;
        }
        let mut length = STRIDE / largest(&along);
        for _ in 0..HALVES {
            let promise = -0.5 * least * length * length;
            if promise <= ROUNDING * here.cost {
                break;
            }
            for length in [length, -length] {
                if let Some(next) = self.moved(robot, (guess, here), (&along, length), by, t)
                    && next.cost <= here.cost - ARMIJO * promise
                {
                    return Around::Nearer(next);
                }
            }
            length *= 0.5;
        }
        Around::Unknown
    }
}

/// The least eigenvalue of P L P and its direction.
fn least(curvature: &[f64], rows: &Linearised) -> Option<(f64, Vec<f64>)> {
    let (n, m) = (curvature.len().isqrt(), rows.values.len());
    if n == 0 {
        return Some((0.0, Vec::new()));
    }
    let (mut ones, mut projector) = (vec![0.0; n * n], vec![0.0; n * n]);
    ones.iter_mut().step_by(n + 1).for_each(|x| *x = 1.0);
    let (force, target) = (vec![0.0; n], vec![0.0; m]);
    let problem = Problem::new(&ones, &rows.jacobian, &force, &target);
    let mut solver = Solver::new(Method::NullSpace);
    solver.project(&problem, &mut vec![0.0; m * m], &mut projector).ok()?;
    let free = DMatrix::from_vec(n, n, projector);
    let reduced = free.transpose() * DMatrix::from_column_slice(n, n, curvature) * free;
    if reduced.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let found = SymmetricEigen::try_new(reduced, f64::EPSILON, ITERATIONS * n)?;
    let (k, least) = found.eigenvalues.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1))?;
    Some((*least, found.eigenvectors.column(k).as_slice().to_vec()))
}
