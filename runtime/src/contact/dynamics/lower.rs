//! Where the rows of L are among the numbers of contact dynamics.

use alloc::vec;
use alloc::vec::Vec;
use core::iter::successors;
use core::ops::Range;

use crate::model::Table;

/// The rows beside their diagonals.
#[derive(Clone, Debug)]
pub(super) struct Lower {
    /// Of each coordinate.
    rows: Vec<Row>,
    /// Coordinates in a row that one hangs on: the first, and how many.
    runs: Vec<(usize, usize)>,
}

#[derive(Clone, Debug, Default)]
struct Row {
    first: usize,
    /// From an entry to the next one: how many coordinates lie side by side.
    stride: usize,
    /// Which of the runs are its columns.
    runs: Range<usize>,
}

/// How many coordinates `k` hangs on.
pub(super) fn columns_of(table: &Table, k: usize) -> usize {
    successors(table.parents[k], |&i| table.parents[i]).count()
}

/// The coordinates that `k` hangs on, from the root on, as runs of successive ones.
fn ancestors(table: &Table, k: usize) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for i in successors(table.parents[k], |&i| table.parents[i]) {
        match runs.last_mut() {
            Some(run) if run.0 == i + 1 => *run = (i, run.1 + 1),
            _ => runs.push((i, 1)),
        }
    }
    runs.reverse();
    runs
}

impl Lower {
    /// `place` makes room for so many numbers, and says where it begins.
    pub(super) fn new(table: &Table, mut place: impl FnMut(usize) -> usize) -> Self {
        let mut lower = Self { rows: vec![Row::default(); table.nv], runs: Vec::new() };
        for alike in table.alike {
            let first = place(columns_of(table, alike[0]) * alike.len());
            for (lane, &k) in alike.iter().enumerate() {
                let begin = lower.runs.len();
                lower.runs.extend(ancestors(table, k));
                let runs = begin..lower.runs.len();
                lower.rows[k] = Row { first: first + lane, stride: alike.len(), runs };
            }
        }
        lower
    }

    /// From an entry of row `k` to the next one.
    #[inline(always)]
    pub(super) fn stride(&self, k: usize) -> usize {
        self.rows[k].stride
    }

    /// Writes row `k` of L beside the diagonal, from the root on.
    #[inline(always)]
    pub(super) fn write_row(&self, numbers: &[f64], k: usize, row: &mut [f64]) {
        let Row { first, stride, .. } = self.rows[k];
        row.iter_mut().zip(numbers[first..].iter().step_by(stride)).for_each(|(to, x)| *to = *x);
    }

    /// x becomes L⁻ᵀ x.
    #[inline(always)]
    pub(super) fn transform(&self, numbers: &[f64], x: &mut [f64]) {
        for k in (0..self.rows.len()).rev() {
            self.add_row(numbers, k, -x[k], x);
        }
    }

    /// x += a times row `k` of L, by all numbers.
    #[inline]
    pub(super) fn add_row(&self, numbers: &[f64], k: usize, a: f64, x: &mut [f64]) {
        let Row { first, stride, runs } = &self.rows[k];
        let mut entries = numbers[*first..].iter().step_by(*stride);
        for &(column, count) in &self.runs[runs.clone()] {
            let to = x[column..column + count].iter_mut();
            to.zip(&mut entries).for_each(|(x, entry)| *x += a * entry);
        }
    }
}
