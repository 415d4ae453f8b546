//! One cone of the product: its rows of G and its place on the way.

use alloc::vec::Vec;

use super::super::Block;
use super::super::natural;
use super::super::operator::Damping;
use super::super::problem::{BLOCK_ROWS, Coefficients};
use super::super::small::Small;
use super::super::view::View;
use super::scaling::{self, Scaling, UNIT, Vector};
use crate::kernel::Real;

/// Rows of G over the rows of a block.
type Map = [natural::Rows; 4];

/// A cone with its rows of G, s, z, and what an iteration computes for it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Member {
    /// Its block, among those that have a damping.
    block: usize,
    first: usize,
    rows: usize,
    /// Rows of G over the block's rows.
    map: Map,
    /// h: only the first number of a cone has one.
    offset: f64,
    pub(super) s: Vector,
    pub(super) z: Vector,
    /// G λ + h − s.
    pub(super) primal: Vector,
    pub(super) scaling: Scaling,
    /// W z = W⁻¹ s.
    pub(super) l: Vector,
    pub(super) t: Vector,
    pub(super) ds: Vector,
    pub(super) dz: Vector,
}

impl Member {
    /// G λ + h.
    #[inline(always)]
    pub(super) fn map(&self, lambda: &[f64]) -> Vector {
        let mut x = self.linear(lambda);
        x[0] += self.offset;
        x
    }

    /// G λ.
    #[inline(always)]
    fn linear(&self, lambda: &[f64]) -> Vector {
        let lambda = &lambda[self.first..][..self.rows];
        self.map.map(|row| row.iter().zip(lambda).map(|(g, x)| g * x).sum())
    }

    /// x += f Gᵀ y.
    #[inline(always)]
    pub(super) fn add_transposed(&self, f: f64, y: &Vector, x: &mut [f64]) {
        for (k, x) in x[self.first..][..self.rows].iter_mut().enumerate() {
            *x += f * scaling::dot(&self.map.map(|row| row[k]), y);
        }
    }

    #[inline(always)]
    pub(super) fn scale<A: Real>(&mut self) {
        self.scaling = Scaling::new::<A>(&self.s, &self.z);
        self.l = self.scaling.apply(&self.z);
    }

    /// ds and dz for a dλ.
    #[inline(always)]
    pub(super) fn advance(&mut self, step: &[f64]) {
        let moved = scaling::plus(&self.primal, 1.0, &self.linear(step));
        let t = self.scaling.invert(&self.t);
        self.dz = scaling::plus(&t, -1.0, &self.scaling.invert_twice(&moved));
        self.ds = moved;
    }

    /// t towards s ∘ z = `centre`, corrected by the second order of the last direction.
    #[inline(always)]
    pub(super) fn correct<A: Real>(&mut self, centre: f64) {
        let (ds, dz) = (self.scaling.invert(&self.ds), self.scaling.apply(&self.dz));
        let second = scaling::product(&ds, &dz);
        let square = scaling::product(&self.l, &self.l);
        let d = core::array::from_fn(|k| centre * UNIT[k] - square[k] - second[k]);
        self.t = scaling::quotient::<A>(&self.l, &d);
    }
}

/// A row of G along one row of a block.
#[inline(always)]
fn along(row: usize, by: f64) -> natural::Rows {
    let mut along = natural::Rows::default();
    along[row] = by;
    along
}

/// The cones of a problem, and a damping for each block; impulses that have only one value are set to it.
#[inline(always)]
pub(super) fn list<A: Real>(
    view: &View<'_>,
    lambda: &mut [f64],
    members: &mut Vec<Member>,
    damping: &mut Vec<Damping>,
) {
    members.clear();
    damping.clear();
    for (first, block) in view.blocks() {
        let rows = block.rows();
        let mut of = Damping { first, rows, free: [true; BLOCK_ROWS], ..Damping::default() };
        let mut push = |map: Map, offset| {
            let block = damping.len();
            members.push(Member { block, first, rows, map, offset, ..Member::default() });
        };
        let s = A::sqrt(view.mobility[first]);
        let none = natural::Rows::default();
        match *block {
            Block::Row { lower, upper } if lower == upper => {
                (of.free[0], lambda[first]) = (false, lower);
            }
            Block::Row { lower, upper } => {
                if lower.is_finite() {
                    push([along(0, s), none, none, none], -s * lower);
                }
                if upper.is_finite() {
                    push([along(0, -s), none, none, none], s * upper);
                }
            }
            Block::Ball { radius } if radius > 0.0 => {
                push([none, along(0, s), along(1, s), along(2, s)], s * radius);
            }
            Block::Ball { .. } => of.free = [false; BLOCK_ROWS],
            Block::Contact { .. } | Block::Rolling { .. } | Block::Planar { .. } => {
                let Coefficients { friction, torsion, rolling } =
                    block.coefficients().unwrap_or_default();
                if friction > 0.0 {
                    let second = if rows == 2 { none } else { along(2, s) };
                    push([along(0, s * friction), along(1, s), second, none], 0.0);
                } else {
                    push([along(0, s), none, none, none], 0.0);
                    (of.free[1], of.free[2]) = (false, false);
                }
                let [_, about, turning] = view.mobilities(first, block).map(A::sqrt);
                if torsion > 0.0 {
                    for sign in [1.0, -1.0] {
                        let mut row = along(0, about * torsion);
                        row[3] = sign * about;
                        push([row, none, none, none], 0.0);
                    }
                } else {
                    of.free[3] = false;
                }
                if rolling > 0.0 {
                    let [x, y] = [along(4, turning), along(5, turning)];
                    push([along(0, turning * rolling), x, y, none], 0.0);
                } else {
                    (of.free[4], of.free[5]) = (false, false);
                }
            }
        }
        damping.push(of);
    }
}

/// Gᵀ W⁻² G of each block, and `regular` by the mobility on its diagonal.
#[inline(always)]
pub(super) fn fill_damping(
    view: &View<'_>,
    members: &[Member],
    damping: &mut [Damping],
    regular: f64,
) {
    for of in &mut *damping {
        of.matrix = Small::default();
        for k in 0..of.rows {
            of.matrix[k][k] = regular * view.mobility[of.first + k];
        }
    }
    for member in members {
        let into = &mut damping[member.block].matrix;
        for j in 0..member.rows {
            let column = member.map.map(|row| row[j]);
            if column == [0.0; 4] {
                continue;
            }
            let scaled = member.scaling.invert_twice(&column);
            for i in 0..member.rows {
                into[j][i] += scaling::dot(&member.map.map(|row| row[i]), &scaled);
            }
        }
    }
}
