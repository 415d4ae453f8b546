//! Friction by a polygon, with maximum dissipation, as a linear complementarity problem.
//!
//! > z = (λ, β, x, σ),  Λ = W (λ, β, x) + λ₀
//!
//! ```text
//! 0 ≤ λ, x  ⟂  w                    ≥ 0   normals, and rows with one bound
//! 0 ≤ β_k   ⟂  d_k w + σ            ≥ 0   the directions of a contact, and both of its spin
//! 0 ≤ σ     ⟂  μ λ − Σ β            ≥ 0
//! 0 ≤ x     ⟂  w + σ ≥ 0,  0 ≤ σ ⟂ hi − lo − x ≥ 0   rows with two bounds, and zones of balls, Λ = lo + x
//! ```
//!
//! For z ≥ 0, zᵀ M z = Λᵀ A Λ + σᵀ μ λ ≥ 0: the matrix is copositive, which is the class of Lemke's method.
//! Directions are any that leave no side open.
//!
//! # Source
//!
//! Stewart, Trinkle (1996); Anitescu, Potra (1997); for rows with bounds as well Baraff: Fast Contact
//! Force Computation for Nonpenetrating Rigid Bodies (1994).

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use super::Block;
use super::columns::{self, Column, ZONES};
use super::problem::Coefficients;
use crate::lcp::policy::DEFAULT;
use crate::lcp::{self, Attempt, lemke};
use crate::slices;
use crate::watch::Watcher;

/// What is tried after Lemke's method.
const OTHERS: [Attempt; 3] = [DEFAULT[1], DEFAULT[2], DEFAULT[3]];

/// Room for the problem, and Lemke's.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polygon {
    columns: Vec<Column>,
    /// For each σ, the range of its columns and where its bound comes from.
    slacks: Vec<(Range<usize>, Bound)>,
    /// λ₀ along the rows.
    offset: Vec<f64>,
    m: Vec<f64>,
    q: Vec<f64>,
    lemke: lemke::Workspace,
    /// Those of the other solvers, once they were needed.
    others: Option<Box<lcp::Workspace>>,
}

/// How much the impulses of a σ may be in sum.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    /// μ times the impulse of the column `normal`.
    Coulomb { normal: usize, friction: f64 },
    /// An impulse of its own.
    Constant(f64),
}

/// w = A Λ + b in blocks, A (n, n) column by column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    pub(crate) a: &'a [f64],
    pub(crate) b: &'a [f64],
    pub(crate) blocks: &'a [Block],
}

impl Polygon {
    /// Room for problems of so many rows with so many columns and slacks, without a further allocation.
    pub(crate) fn with_capacity(rows: usize, columns: usize) -> Self {
        Self {
            columns: Vec::with_capacity(columns),
            slacks: Vec::with_capacity(columns),
            offset: Vec::with_capacity(rows),
            m: Vec::with_capacity(columns * columns),
            q: Vec::with_capacity(columns),
            lemke: lemke::Workspace::with_capacity(columns),
            others: None,
        }
    }

    /// Forgets the last basis.
    pub(crate) fn forget(&mut self) {
        self.lemke.forget();
    }

    /// After how many pivots to give up.
    pub(crate) fn set_max_pivots(&mut self, pivots: usize) {
        self.lemke.set_max_pivots(pivots);
    }

    /// Writes Λ, with the unit vectors `directions` of each block that is a contact in space, to a residual of the method's own or
    /// to a negligible one.
    pub(crate) fn solve<D: Iterator<Item = [f64; 2]>>(
        &mut self,
        rows: &Rows<'_>,
        directions: impl Fn(usize) -> D,
        negligible: f64,
        impulses: &mut [f64],
    ) -> Result<lcp::Accepted, lcp::Error> {
        self.list(rows, directions);
        self.assemble(rows);
        let Self { columns, offset, m, q, lemke, others, .. } = self;
        let mut write = |z: &[f64]| {
            write((columns, offset), z, impulses);
            bound(rows.blocks, impulses);
        };
        match lcp::accept(lemke::resume(m, q, lemke), negligible, &mut write) {
            // Where many contacts stick, all bases along Lemke's path may be nearly singular.
            Err(error @ (lcp::Error::Unsolved { .. } | lcp::Error::Ray { .. })) => {
                let others = others
                    .get_or_insert_with(|| Box::new(lcp::Workspace::default().policy(&OTHERS)));
                lcp::accept(lcp::solve(m, q, others), negligible, write).map_err(|_| error)
            }
            found => found,
        }
    }

    /// As [`solve`](Self::solve), for a caller that tries something else then; whether there is a solution.
    pub(crate) fn attempt<D: Iterator<Item = [f64; 2]>>(
        &mut self,
        rows: &Rows<'_>,
        directions: impl Fn(usize) -> D,
        impulses: &mut [f64],
        watcher: &mut Watcher<'_>,
    ) -> bool {
        self.list(rows, directions);
        self.assemble(rows);
        let Self { columns, offset, m, q, lemke, .. } = self;
        let solution = lemke::attempt(m, q, lemke, watcher);
        let write = |found: &lcp::Solution<'_>| {
            write((columns, offset), found.z, impulses);
            bound(rows.blocks, impulses);
        };
        solution.inspect(write).is_some()
    }

    /// Lists the columns and the slacks.
    fn list<D: Iterator<Item = [f64; 2]>>(
        &mut self,
        rows: &Rows<'_>,
        directions: impl Fn(usize) -> D,
    ) {
        self.columns.clear();
        self.slacks.clear();
        slices::zeros(&mut self.offset, rows.b.len());
        let mut first = 0;
        for (k, block) in rows.blocks.iter().enumerate() {
            match *block {
                Block::Contact { .. } | Block::Rolling { .. } => {
                    let Coefficients { friction, torsion, rolling } =
                        block.coefficients().unwrap_or_default();
                    let normal = self.columns.len();
                    self.columns.push(Column::row(first, 1.0));
                    let edges = directions(k).map(|d| Column::edge(first, 0.0, d));
                    self.columns.extend(edges);
                    self.bound(normal + 1, Bound::Coulomb { normal, friction });
                    if torsion > 0.0 {
                        let start = self.columns.len();
                        self.columns.extend([1.0, -1.0].map(|x| Column::row(first + 3, x)));
                        self.bound(start, Bound::Coulomb { normal, friction: torsion });
                    }
                    if rolling > 0.0 {
                        let start = self.columns.len();
                        let edges = directions(k).map(|[x, y]| Column::planar(first + 4, x, y));
                        self.columns.extend(edges);
                        self.bound(start, Bound::Coulomb { normal, friction: rolling });
                    }
                }
                Block::Planar { friction } => {
                    let normal = self.columns.len();
                    let tangents = [1.0, -1.0].map(|x| Column::row(first + 1, x));
                    self.columns.push(Column::row(first, 1.0));
                    self.columns.extend(tangents);
                    self.bound(normal + 1, Bound::Coulomb { normal, friction });
                }
                Block::Row { lower, upper } => self.row(first, lower, upper),
                Block::Ball { radius } => self.zones(first, radius),
            }
            first += block.rows();
        }
    }

    /// A slack of the columns from `start` on.
    fn bound(&mut self, start: usize, bound: Bound) {
        self.slacks.push((start..self.columns.len(), bound));
    }

    /// Each zone from its lower bound on.
    fn zones(&mut self, first: usize, radius: f64) {
        for (weight, direction) in &ZONES {
            let (start, bound) = (self.columns.len(), weight * radius);
            self.columns.push(Column::along(first, *direction));
            self.bound(start, Bound::Constant(2.0 * bound));
            let offset = self.offset[first..].iter_mut().zip(direction);
            offset.for_each(|(to, d)| *to -= bound * d);
        }
    }

    fn row(&mut self, row: usize, lo: f64, hi: f64) {
        let start = self.columns.len();
        if lo.is_finite() {
            self.columns.push(Column::row(row, 1.0));
            self.offset[row] = lo;
        }
        if lo.is_finite() && hi.is_finite() {
            self.bound(start, Bound::Constant(hi - lo));
        } else if hi.is_finite() {
            self.columns.push(Column::row(row, -1.0));
            self.offset[row] = hi;
        } else if lo.is_infinite() {
            self.columns.extend([1.0, -1.0].map(|x| Column::row(row, x)));
        }
    }

    fn assemble(&mut self, rows: &Rows<'_>) {
        let Self { columns, slacks, offset, m, q, .. } = self;
        let (size, n) = (columns.len() + slacks.len(), rows.b.len());
        columns::matrix((rows.a, n), columns, size, m);
        q.clear();
        q.extend(columns.iter().map(|column| column.times(rows.b)));
        for (j, &offset) in offset.iter().enumerate().filter(|(_, offset)| **offset != 0.0) {
            let shift = &rows.a[j * n..(j + 1) * n];
            q.iter_mut().zip(&*columns).for_each(|(q, column)| *q += offset * column.times(shift));
        }
        for (slack, (of, bound)) in (columns.len()..).zip(&*slacks) {
            for column in of.clone() {
                m[slack * size + column] = 1.0;
                m[column * size + slack] = -1.0;
            }
            q.push(match *bound {
                Bound::Constant(bound) => bound,
                Bound::Coulomb { normal, friction } => {
                    m[normal * size + slack] = friction;
                    0.0
                }
            });
        }
    }
}

/// Λ = W z + λ₀.
fn write((columns, offset): (&[Column], &[f64]), z: &[f64], impulses: &mut [f64]) {
    impulses.copy_from_slice(offset);
    columns.iter().zip(z).for_each(|(column, z)| column.add(*z, impulses));
}

/// Rows are within their bounds. What moves least is beyond by more than rounding: its impulses are in units that nothing of
/// it moves by.
fn bound(blocks: &[Block], impulses: &mut [f64]) {
    let mut first = 0;
    for block in blocks {
        if let Block::Row { lower, upper } = *block {
            impulses[first] = impulses[first].max(lower).min(upper);
        }
        first += block.rows();
    }
}
