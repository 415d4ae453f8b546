//! The vector and matrix types of a model, as one sealed bound each.
//!
//! A model names its types (`SVector<f64, 18>` and so on) as associated types; generic code sees
//! them through [`Vector`] and [`Matrix`] and needs no bound but `M: Model`.

use core::fmt::Debug;
use core::ops::{Index, IndexMut};

use nalgebra::{SMatrix, Vector6};

/// An `SVector<f64, N>` of any length.
pub trait Vector:
    Clone
    + Debug
    + PartialEq
    + Send
    + Sync
    + Index<usize, Output = f64>
    + IndexMut<usize>
    + Storage
    + 'static
{
}

/// An `SMatrix<f64, R, C>` of any shape, stored column by column.
pub trait Matrix:
    Clone
    + Debug
    + PartialEq
    + Send
    + Sync
    + Index<(usize, usize), Output = f64>
    + IndexMut<(usize, usize)>
    + Storage
    + 'static
{
}

/// Numbers in a row, in the order in which nalgebra stores them.
pub trait Storage: sealed::Sealed {
    /// All zeros.
    fn zeros() -> Self;
    /// The numbers, column by column.
    fn as_slice(&self) -> &[f64];
    /// The numbers, column by column.
    fn as_mut_slice(&mut self) -> &mut [f64];
}

pub(crate) mod sealed {
    pub trait Sealed {}
}

impl<const R: usize, const C: usize> sealed::Sealed for SMatrix<f64, R, C> {}

impl<const R: usize, const C: usize> Storage for SMatrix<f64, R, C> {
    #[inline]
    fn zeros() -> Self {
        Self::from_array_storage(nalgebra::ArrayStorage([[0.0; R]; C]))
    }

    #[inline]
    fn as_slice(&self) -> &[f64] {
        self.data.0.as_flattened()
    }

    #[inline]
    fn as_mut_slice(&mut self) -> &mut [f64] {
        self.data.0.as_flattened_mut()
    }
}

impl<const N: usize> Vector for SMatrix<f64, N, 1> {}
impl<const R: usize, const C: usize> Matrix for SMatrix<f64, R, C> {}

/// Σ columnₖ xₖ for columns of six numbers.
pub(crate) fn combine_columns(columns: &[f64], x: &[f64]) -> Vector6<f64> {
    let mut sum = Vector6::zeros();
    for (column, &x) in columns.chunks_exact(6).zip(x) {
        sum += x * Vector6::from_column_slice(column);
    }
    sum
}
