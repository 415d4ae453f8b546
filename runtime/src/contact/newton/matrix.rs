//! M + δ + Jᵀ K J of a tree, with the pattern of M, and its factors.
//!
//! A contact on one body, or what acts on a coordinate, couples coordinates of one path from the root only. So elimination from
//! the leaves to the root fills nothing in:
//!
//! > H = U D⁻¹ V,  U and V with the pattern of the upper and of the lower triangle of M
//!
//! K is not symmetric where friction depends on the normal impulse, and two triangles are kept then, otherwise one. The entries of a
//! coordinate with those of its path lie side by side, from the root on. So an elimination adds to the leading registers of rows.
//! What lies behind a diagonal has no meaning.
//!
//! # Source
//!
//! Featherstone: Efficient Factorization of the Joint-Space Inertia Matrix for Branched Kinematic Trees (2005).

use alloc::vec;
use alloc::vec::Vec;
use core::iter::successors;

use crate::arithmetic::Lanes;
use crate::cone::{Each, LANES};
use crate::contact::dynamics::Tree;
use crate::kernel::Real;
use crate::model::Table;

/// Registers that rows may fill: paths are of up to 64 coordinates.
pub(super) const WIDTHS: [usize; 5] = [2, 3, 4, 8, 16];

/// So many registers.
pub(super) type Row<const W: usize> = [Each; W];

/// The paths of all coordinates from the root.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    /// All paths, each ending with its own coordinate.
    coordinates: Vec<usize>,
    /// Of each coordinate, where its path begins, and its depth.
    places: Vec<(usize, usize)>,
}

impl Paths {
    pub(super) fn new(table: &Table) -> Self {
        let mut paths = Self { coordinates: Vec::new(), places: Vec::new() };
        for k in 0..table.nv {
            let first = paths.coordinates.len();
            paths.coordinates.extend(successors(Some(k), |&i| table.parents[i]));
            paths.coordinates[first..].reverse();
            paths.places.push((first, paths.coordinates.len() - first - 1));
        }
        paths
    }

    /// The coordinates from the root to this one.
    #[inline(always)]
    pub(super) fn of(&self, k: usize) -> &[usize] {
        let (first, depth) = self.places[k];
        &self.coordinates[first..=first + depth]
    }

    /// How many registers the longest one fills.
    fn width(&self) -> usize {
        let longest = self.places.iter().map(|(_, depth)| depth + 1).max();
        longest.unwrap_or(0).div_ceil(LANES)
    }
}

/// H, or its factors.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) paths: Paths,
    /// Registers of a row.
    pub(super) width: usize,
    /// M + δ.
    pub(super) mass: Vec<Each>,
    /// Of each coordinate its row up to the diagonal, and its column above it.
    rows: Vec<Each>,
    columns: Vec<Each>,
    /// 1 over each pivot.
    inverse: Vec<f64>,
}

/// As rows of so many registers.
#[inline(always)]
pub(super) fn as_rows<const W: usize>(registers: &[Each]) -> &[Row<W>] {
    registers.as_chunks().0
}

/// The same, to be written.
#[inline(always)]
pub(super) fn as_rows_mut<const W: usize>(registers: &mut [Each]) -> &mut [Row<W>] {
    registers.as_chunks_mut().0
}

/// An entry of a row.
#[inline(always)]
pub(super) fn entry<const W: usize>(row: &Row<W>, p: usize) -> f64 {
    row.as_flattened()[p]
}

/// A row in registers.
#[inline(always)]
pub(super) fn load<A: Real, const W: usize>(row: &Row<W>) -> [A::Quad; W] {
    let mut quads = [A::Quad::splat(0.0); W];
    for (quad, each) in quads.iter_mut().zip(row) {
        *quad = A::Quad::pack(*each);
    }
    quads
}

/// Writes a row.
#[inline(always)]
pub(super) fn store<A: Real, const W: usize>(row: &mut Row<W>, quads: &[A::Quad; W]) {
    for (each, quad) in row.iter_mut().zip(quads) {
        *each = quad.unpack();
    }
}

/// y += a x.
#[inline(always)]
pub(super) fn add_scaled<A: Real, const W: usize>(y: &mut [A::Quad; W], a: f64, x: &Row<W>) {
    let a = A::Quad::splat(a);
    for (y, x) in y.iter_mut().zip(load::<A, W>(x)) {
        *y = a.mul_add(x, *y);
    }
}

/// y += a x, in the first registers.
#[inline(always)]
fn add<A: Real, const W: usize>(y: &mut Row<W>, a: f64, x: &[A::Quad; W], registers: usize) {
    let a = A::Quad::splat(a);
    for (to, x) in y.iter_mut().zip(x).take(registers) {
        *to = a.mul_add(*x, A::Quad::pack(*to)).unpack();
    }
}

impl Matrix {
    /// With rows of one of the widths that there are, if these are enough.
    pub(super) fn new(table: &Table, widths: &[usize]) -> Option<Self> {
        let paths = Paths::new(table);
        let width = widths.iter().copied().find(|&width| width >= paths.width())?;
        let [mass, rows, columns] = [(); 3].map(|()| vec![[0.0; LANES]; width * table.nv]);
        Some(Self { width, mass, rows, columns, inverse: vec![0.0; table.nv], paths })
    }

    /// Reads M + δ of a step.
    #[inline(always)]
    pub(super) fn read_mass<const W: usize>(&mut self, tree: &Tree) {
        for (k, row) in as_rows_mut::<W>(&mut self.mass).iter_mut().enumerate() {
            tree.write_mass(k, &mut row.as_flattened_mut()[..self.paths.of(k).len()]);
        }
    }

    /// Becomes M + δ.
    #[inline(always)]
    pub(super) fn begin<const SYMMETRIC: bool>(&mut self) {
        self.rows.copy_from_slice(&self.mass);
        if !SYMMETRIC {
            self.columns.copy_from_slice(&self.mass);
        }
    }

    /// Adds to a diagonal entry.
    #[inline(always)]
    pub(super) fn add_at<const W: usize>(&mut self, k: usize, stiffness: f64) {
        let (_, depth) = self.paths.places[k];
        as_rows_mut::<W>(&mut self.rows)[k].as_flattened_mut()[depth] += stiffness;
    }

    /// Adds Jᵀ T with T = K J, both along the path to `leaf`, three rows at a time. Of what is symmetric, the rows are enough.
    #[inline(always)]
    pub(super) fn add<A: Real, const W: usize, const SYMMETRIC: bool>(
        &mut self,
        leaf: usize,
        jacobian: &[Row<W>],
        product: &[Row<W>],
    ) {
        let Self { paths, rows, columns, .. } = self;
        let path = paths.of(leaf);
        let (jacobian, product) = (jacobian.as_chunks::<3>().0, product.as_chunks::<3>().0);
        for (of_jacobian, of_product) in jacobian.iter().zip(product) {
            add_products::<A, W>(as_rows_mut(rows), path, of_jacobian, of_product);
            if !SYMMETRIC {
                add_products::<A, W>(as_rows_mut(columns), path, of_product, of_jacobian);
            }
        }
    }

    /// Factors it in place; whether all pivots are positive and finite, or nothing can be solved.
    #[inline(always)]
    pub(super) fn factor<A: Real, const W: usize, const SYMMETRIC: bool>(&mut self) -> bool {
        let Self { paths, rows, columns, inverse, .. } = self;
        let (rows, columns) = (as_rows_mut::<W>(rows), as_rows_mut::<W>(columns));
        for (k, inverse) in inverse.iter_mut().enumerate().rev() {
            let path = paths.of(k);
            let depth = path.len() - 1;
            let pivot = entry(&rows[k], depth);
            if !(pivot > 0.0 && pivot < f64::INFINITY) {
                return false;
            }
            *inverse = 1.0 / pivot;
            let by = A::Quad::splat(-*inverse);
            let row = rows[k];
            let row_quads = load::<A, W>(&row);
            let mut lost = if SYMMETRIC { row } else { columns[k] };
            for each in &mut lost {
                *each = (A::Quad::pack(*each) * by).unpack();
            }
            add_along::<A, W>(rows, &path[..depth], &lost, &row_quads);
            if !SYMMETRIC {
                columns[k] = lost;
                add_along::<A, W>(columns, &path[..depth], &row, &load::<A, W>(&lost));
            }
        }
        true
    }

    /// Solves H x = p with the factors, in place.
    #[inline(always)]
    pub(super) fn solve<const W: usize, const SYMMETRIC: bool>(&self, x: &mut [f64]) {
        let Self { paths, rows, columns, inverse, .. } = self;
        let lost = as_rows::<W>(if SYMMETRIC { rows } else { columns });
        let rows = as_rows::<W>(rows);
        for (k, (lost, inverse)) in lost.iter().zip(inverse).enumerate().rev() {
            let value = if SYMMETRIC { -inverse * x[k] } else { x[k] };
            let path = paths.of(k);
            for (&i, entry) in path[..path.len() - 1].iter().zip(lost.as_flattened()) {
                x[i] += entry * value;
            }
        }
        for (k, (row, inverse)) in rows.iter().zip(inverse).enumerate() {
            let (mut sum, path) = (x[k], paths.of(k));
            for (&i, entry) in path[..path.len() - 1].iter().zip(row.as_flattened()) {
                sum -= entry * x[i];
            }
            x[k] = sum * inverse;
        }
    }
}

// Loops over a path go register by register of what lies at its depth, so that the compiler knows how many registers a row fills,
// and contain no closures, which would be compiled without the processor's features.

/// Adds aᵀ x along a path, up to each diagonal.
#[inline(always)]
fn add_along<A: Real, const W: usize>(
    matrix: &mut [Row<W>],
    path: &[usize],
    a: &Row<W>,
    x: &[A::Quad; W],
) {
    for (register, (path, a)) in path.chunks(LANES).zip(a).enumerate() {
        for (&i, &a) in path.iter().zip(a) {
            add::<A, W>(&mut matrix[i], a, x, register + 1);
        }
    }
}

/// Adds aᵀ x + bᵀ y + cᵀ z along a path, up to each diagonal: rows a, b, c on the left, and x, y, z on the right.
#[inline(always)]
fn add_products<A: Real, const W: usize>(
    matrix: &mut [Row<W>],
    path: &[usize],
    [a, b, c]: &[Row<W>; 3],
    [x, y, z]: &[Row<W>; 3],
) {
    let (x, y, z) = (load::<A, W>(x), load::<A, W>(y), load::<A, W>(z));
    for (register, path) in path.chunks(LANES).enumerate().take(W) {
        let ([a, b, c], width) = ([a[register], b[register], c[register]], register + 1);
        for (lane, &i) in path.iter().enumerate() {
            let a = A::Quad::splat(a[lane]);
            let b = A::Quad::splat(b[lane]);
            let c = A::Quad::splat(c[lane]);
            for (k, to) in matrix[i].iter_mut().enumerate().take(width) {
                let sum = a.mul_add(x[k], A::Quad::pack(*to));
                *to = c.mul_add(z[k], b.mul_add(y[k], sum)).unpack();
            }
        }
    }
}
