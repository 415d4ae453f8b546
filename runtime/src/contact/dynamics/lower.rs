//! Where the rows of L are among the numbers of contact dynamics.

use alloc::vec;
use alloc::vec::Vec;
use core::iter::successors;
use core::ops::Range;

use crate::arithmetic::Lanes;
use crate::cone::{Each, LANES};
use crate::kernel::Real;
use crate::model::Table;

/// The rows beside their diagonals.
#[derive(Clone, Debug)]
pub(super) struct Lower {
    /// Of each coordinate.
    rows: Vec<Row>,
    /// Coordinates in a row that one hangs on: the first, and how many.
    runs: Vec<(usize, usize)>,
    /// Coordinates that lie side by side, from the root on.
    beside: Vec<Beside>,
}

/// Coordinates whose rows lie side by side.
#[derive(Clone, Debug)]
enum Beside {
    Four {
        coordinates: [usize; LANES],
        first: usize,
        /// The coordinates that all hang on, and those that each hangs on alone.
        shared: Vec<usize>,
        own: Vec<[usize; LANES]>,
    },
    Others(&'static [usize]),
}

impl Beside {
    fn new(table: &Table, alike: &'static [usize], first: usize) -> Self {
        let Ok(coordinates) = <[usize; LANES]>::try_from(alike) else { return Self::Others(alike) };
        let paths = coordinates.map(|k| {
            let mut path: Vec<usize> =
                successors(table.parents[k], |&i| table.parents[i]).collect();
            path.reverse();
            path
        });
        let columns = (0..paths[0].len()).map(|j| [0, 1, 2, 3].map(|lane: usize| paths[lane][j]));
        let is_shared = |of: &[usize; LANES]| of.iter().all(|k| *k == of[0]);
        let shared = columns.clone().take_while(is_shared).map(|of| of[0]).collect();
        Self::Four { coordinates, first, shared, own: columns.skip_while(is_shared).collect() }
    }
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
        let rows = vec![Row::default(); table.nv];
        let mut lower = Self { rows, runs: Vec::new(), beside: Vec::new() };
        for alike in table.alike {
            let first = place(columns_of(table, alike[0]) * alike.len());
            for (lane, &k) in alike.iter().enumerate() {
                let begin = lower.runs.len();
                lower.runs.extend(ancestors(table, k));
                let runs = begin..lower.runs.len();
                lower.rows[k] = Row { first: first + lane, stride: alike.len(), runs };
            }
            lower.beside.push(Beside::new(table, alike, first));
        }
        let depth = |beside: &Beside| match beside {
            Beside::Four { coordinates, .. } => columns_of(table, coordinates[0]),
            Beside::Others(of) => columns_of(table, of[0]),
        };
        lower.beside.sort_by_key(depth);
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
    pub(super) fn transform<A: Real>(&self, numbers: &[f64], x: &mut [f64]) {
        for beside in self.beside.iter().rev() {
            match beside {
                Beside::Four { coordinates, first, shared, own } => {
                    let a = -A::Quad::pack(coordinates.map(|k| x[k]));
                    let (entries, _) = numbers[*first..].as_chunks::<LANES>();
                    let (of_all, of_each) = entries.split_at(shared.len());
                    for (&k, entries) in shared.iter().zip(of_all) {
                        x[k] += (a * A::Quad::pack(*entries)).sum();
                    }
                    for (columns, entries) in own.iter().zip(of_each) {
                        let terms: Each = (a * A::Quad::pack(*entries)).unpack();
                        columns.iter().zip(terms).for_each(|(&k, term)| x[k] += term);
                    }
                }
                Beside::Others(coordinates) => {
                    coordinates.iter().for_each(|&k| self.add_row(numbers, k, -x[k], x));
                }
            }
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
