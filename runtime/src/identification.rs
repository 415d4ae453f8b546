//! Which inertial parameters motion reveals.
//!
//! The force of inverse dynamics is Y(q, v, v̇) π, but the columns of Y are dependent: some of the
//! parameters π have no influence, others only together. With Y stacked over states enough, W, and its
//! columns taken in order, a column is independent if it has a part at right angles to those before
//! it, and W_d = W_i β gives the others by the independent ones; then
//!
//! > Y π = Y_i π_b,  π_b = π_i + β π_d
//!
//! for all states: the base parameters π_b. Taken in order, parameters of an outer body are moved to
//! the bodies that it hangs on.
//!
//! Source: Gautier, Numerical Calculation of the Base Inertial Parameters of Robots (1991), section 3,
//! with Gram–Schmidt (twice, for orthogonality to rounding) in the place of Householder's reflections.

use alloc::vec::Vec;

use nalgebra::{DMatrix, DVector};

use crate::kernels::Regressor;
use crate::numbers::Numbers;
use crate::space::{Storage, Vector};

/// A column whose part at right angles to the others is smaller than so many times the column is
/// dependent.
const DEPENDENT: f64 = 1e-9;

/// One whose part is larger is independent; between the two, it is not known.
const INDEPENDENT: f64 = 1e-6;

/// Rows of W for each of its columns.
const ROWS: usize = 3;

/// Angles, displacements, velocities and accelerations are up to so many of their units.
const RANGE: f64 = 3.0;

/// Why no base parameters are known.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum IdentificationError {
    /// The regressor is not finite at a state: a field is not.
    #[error("the regressor has an entry that is not finite in the column of parameter {parameter}")]
    NotFinite {
        /// Place in π.
        parameter: usize,
    },
    /// The numbers do not tell whether a parameter is independent.
    #[error(
        "parameter {parameter} may or may not be independent of those before it: the part of its \
         column that they do not explain is {part:.2e} of the whole"
    )]
    Undecided {
        /// Place in π.
        parameter: usize,
        /// What is left of the column, relative to it.
        part: f64,
    },
}

/// The base parameters of a robot: π_b = K π.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseParameters {
    independent: Vec<usize>,
    combinations: DMatrix<f64>,
}

impl BaseParameters {
    /// Finds them numerically, over seeded states within ±3 rad, m, and their units of velocity and
    /// acceleration; limits of joints are not looked at.
    ///
    /// They do not depend on the inertial parameters themselves, but on what else fields say, such as
    /// lengths.
    ///
    /// # Errors
    ///
    /// [`IdentificationError`], where the regressor is not finite, or where a column is neither clearly
    /// dependent (to 1e-9) nor clearly independent (to 1e-6).
    pub fn of<M: Regressor>(model: &M, seed: u64) -> Result<Self, IdentificationError> {
        let observed = observations(model, seed);
        let count = observed.ncols();
        let mut basis: Vec<DVector<f64>> = Vec::new();
        let mut independent = Vec::new();
        // Column k of W by the basis.
        let mut explained: Vec<DVector<f64>> = Vec::new();
        for k in 0..count {
            let column = observed.column(k).into_owned();
            let whole = column.norm();
            if !whole.is_finite() {
                return Err(IdentificationError::NotFinite { parameter: k });
            }
            let (part, shares) = split(column, &basis);
            let left = part.norm();
            let mut shares = DVector::from_vec(shares);
            if left > INDEPENDENT * whole {
                independent.push(k);
                basis.push(part / left);
                shares = shares.push(left);
            } else if left > DEPENDENT * whole {
                let part = left / whole;
                return Err(IdentificationError::Undecided { parameter: k, part });
            }
            explained.push(shares);
        }
        Ok(Self { combinations: combinations(&independent, &explained), independent })
    }

    /// Places in π of the parameters that stand for the base parameters: the columns of Y that multiply
    /// them.
    pub fn independent(&self) -> &[usize] {
        &self.independent
    }

    /// K: π_b = K π, one row for each base parameter.
    pub fn combinations(&self) -> &DMatrix<f64> {
        &self.combinations
    }
}

/// The regressors at random states, one below the other.
fn observations<M: Regressor>(model: &M, seed: u64) -> DMatrix<f64> {
    let numbers = &mut Numbers(seed);
    let width = M::TorqueRegressor::zeros().as_slice().len() / M::NV.max(1);
    let states = (ROWS * width).div_ceil(M::NV.max(1));
    let mut all = DMatrix::zeros(states * M::NV, width);
    for k in 0..states {
        let q = model.integrate(&model.neutral(), &vector(numbers));
        let regressor = model.torque_regressor(&q, &vector(numbers), &vector(numbers));
        let block = DMatrix::from_column_slice(M::NV, width, regressor.as_slice());
        all.rows_mut(k * M::NV, M::NV).copy_from(&block);
    }
    all
}

/// What of a column is at right angles to the basis, and its shares of the basis.
fn split(mut column: DVector<f64>, basis: &[DVector<f64>]) -> (DVector<f64>, Vec<f64>) {
    let mut shares = alloc::vec![0.0; basis.len()];
    for _ in 0..2 {
        for (share, direction) in shares.iter_mut().zip(basis) {
            let along = direction.dot(&column);
            column.axpy(-along, direction, 1.0);
            *share += along;
        }
    }
    (column, shares)
}

/// K from the columns of R: [1 | β] with R_i β = R_d.
fn combinations(independent: &[usize], explained: &[DVector<f64>]) -> DMatrix<f64> {
    let count = independent.len();
    let tall = |column: &DVector<f64>| column.clone().resize_vertically(count, 0.0);
    let columns: Vec<_> = explained.iter().map(tall).collect();
    let all = match columns.is_empty() {
        true => DMatrix::zeros(count, 0),
        false => DMatrix::from_columns(&columns),
    };
    let triangle = all.select_columns(independent);
    let mut combinations = triangle.solve_upper_triangular(&all).unwrap_or(all);
    // The independent ones stand for themselves, but for rounding.
    for (row, &place) in independent.iter().enumerate() {
        combinations.column_mut(place).fill(0.0);
        combinations[(row, place)] = 1.0;
    }
    combinations
}

/// Numbers within ±[`RANGE`].
fn vector<V: Vector>(numbers: &mut Numbers) -> V {
    let mut vector = V::zeros();
    vector.as_mut_slice().iter_mut().for_each(|x| *x = RANGE * numbers.next());
    vector
}
