//! A matrix of blocks with a symmetric pattern, and its factors L U, with pivots from within diagonal blocks.
//!
//! Blocks are rows of registers, filled up with zeros. All of a position, its diagonal block and those that couple it to later ones,
//! below and above the diagonal, lies side by side, so that an elimination reads what is before and writes what is behind.
//! Of what is symmetric, what is above the diagonal is written when its position is eliminated.

use alloc::vec::Vec;

use super::order::Order;
use crate::arithmetic::Lanes;
use crate::cone::{Each, LANES};
use crate::kernel::{Computation, Real, compute_with};

/// The place of a block, and how many rows and registers a row it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) first: usize,
    pub(super) rows: usize,
    pub(super) width: usize,
}

impl Shape {
    fn length(self) -> usize {
        self.rows * self.width
    }

    fn of(self, data: &[Each]) -> &[Each] {
        &data[self.first..self.first + self.length()]
    }

    fn of_mut(self, data: &mut [Each]) -> &mut [Each] {
        &mut data[self.first..self.first + self.length()]
    }
}

/// How a position is coupled to a later one.
#[derive(Clone, Copy, Debug)]
struct Coupling {
    later: usize,
    /// Below the diagonal, and above it.
    lower: Shape,
    upper: Shape,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    order: Order,
    /// Of each position its diagonal block, and its couplings in the order of the later ones.
    diagonal: Vec<Shape>,
    couplings: Vec<Vec<Coupling>>,
    data: Vec<Each>,
    /// Of each row of the diagonal blocks, one after the other, the one that it was exchanged with.
    swaps: Vec<usize>,
    /// Of each position, where its node is in vectors, and its first row.
    firsts: Vec<usize>,
    rows: Vec<usize>,
    /// Room for what a vector has of one.
    room: Vec<Each>,
}

impl Blocks {
    /// For nodes of these sizes, of which these pairs are coupled. Vectors have the registers of the nodes from `firsts` on.
    pub(super) fn new(sizes: &[usize], firsts: &[usize], edges: &[(usize, usize)]) -> Self {
        let order = Order::new(sizes, edges);
        let (mut size, mut places) = (alloc::vec![0; sizes.len()], alloc::vec![0; sizes.len()]);
        for ((&at, &of), &first) in order.position.iter().zip(sizes).zip(firsts) {
            (size[at], places[at]) = (of, first);
        }
        let mut first = 0;
        let mut shape = |rows: usize, columns: usize| {
            let shape = Shape { first, rows, width: columns.div_ceil(LANES) };
            first += shape.length();
            shape
        };
        let (mut diagonal, mut couplings, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for (at, later) in order.later.iter().enumerate() {
            diagonal.push(shape(size[at], size[at]));
            rows.push(size[..at].iter().sum());
            let coupling = |&later: &usize| Coupling {
                later,
                lower: shape(size[later], size[at]),
                upper: shape(size[at], size[later]),
            };
            couplings.push(later.iter().map(coupling).collect());
        }
        let widest = diagonal.iter().map(|of: &Shape| of.width).max().unwrap_or(0);
        let [data, room] = [first, widest].map(|length| alloc::vec![[0.0; LANES]; length]);
        let swaps = alloc::vec![0; sizes.iter().sum()];
        Self { order, diagonal, couplings, data, swaps, firsts: places, rows, room }
    }

    /// All zeros.
    pub(super) fn clear(&mut self) {
        self.data.fill([0.0; LANES]);
    }

    /// The block of the rows of one node and the columns of another, which are coupled or the same.
    pub(super) fn block(&mut self, row: usize, column: usize) -> Option<(Shape, &mut [Each])> {
        let shape = self.shape(row, column)?;
        Some((shape, shape.of_mut(&mut self.data)))
    }

    fn shape(&self, row: usize, column: usize) -> Option<Shape> {
        let [row, column] = [row, column].map(|node| self.order.position[node]);
        if row == column {
            return Some(self.diagonal[row]);
        }
        let couplings = &self.couplings[row.min(column)];
        let found = couplings.binary_search_by_key(&row.max(column), |of| of.later).ok()?;
        let Coupling { lower, upper, .. } = couplings[found];
        Some(if row > column { lower } else { upper })
    }

    /// Whether the rows of one node are eliminated after those of another.
    pub(super) fn is_later(&self, node: usize, other: usize) -> bool {
        self.order.position[node] > self.order.position[other]
    }

    /// Factors it in place; whether that can be: of what is symmetric, all pivots must be positive, and of anything else large enough.
    /// Of what is symmetric, what is below the diagonal is enough.
    #[inline(always)]
    pub(super) fn factor<A: Real>(&mut self, is_symmetric: bool) -> bool {
        for at in 0..self.diagonal.len() {
            if !compute_with::<A, _>(Elimination { blocks: self, at, is_symmetric }) {
                return false;
            }
        }
        true
    }

    /// Solves for x with the factors, in place, of what is symmetric or not.
    #[inline(always)]
    pub(super) fn solve<A: Real>(&mut self, x: &mut [Each], is_symmetric: bool) {
        compute_with::<A, _>(Solution { blocks: self, x, is_symmetric });
    }
}

/// The elimination of a position.
struct Elimination<'a> {
    blocks: &'a mut Blocks,
    at: usize,
    is_symmetric: bool,
}

impl Computation for Elimination<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<A: Real>(self) -> bool {
        let Self { blocks, at, is_symmetric } = self;
        let Blocks { diagonal, couplings, data, swaps, rows, .. } = blocks;
        let (own, couplings_here) = (diagonal[at], &couplings[at]);
        let end = diagonal.get(at + 1).map_or(data.len(), |next| next.first);
        let (here, behind) = data.split_at_mut(end);
        let (before, others) = here.split_at_mut(own.first + own.length());
        let pivots = &mut before[own.first..];
        let swaps = &mut swaps[rows[at]..][..own.rows];
        let chosen = if is_symmetric { None } else { Some(&mut *swaps) };
        if !factor_dense::<A>(pivots, own, chosen) {
            return false;
        }
        let offset = own.first + own.length();
        for of in couplings_here {
            let [lower, upper] = [of.lower, of.upper].map(|shape| shape.behind(offset));
            if is_symmetric {
                transpose(others, lower, upper);
            }
            divide_by_upper::<A>(lower.of_mut(others), lower, (pivots, own));
            let of_upper = upper.of_mut(others);
            if !is_symmetric {
                exchange(of_upper, upper, swaps);
            }
            divide_by_lower::<A>(of_upper, upper, (pivots, own));
        }
        for (k, column) in couplings_here.iter().enumerate() {
            let upper = column.upper.behind(offset);
            let of_column = upper.of(others);
            let target = diagonal[column.later].behind(end);
            let lower = column.lower.behind(offset);
            subtract_product::<A>(
                target.of_mut(behind),
                target,
                (lower.of(others), lower),
                of_column,
            );
            // The couplings of the later one are ascending too.
            let mut targets = couplings[column.later].iter();
            for row in &couplings_here[k + 1..] {
                let Some(found) = targets.find(|of| of.later == row.later) else { return false };
                let (target, below) = (found.lower.behind(end), row.lower.behind(offset));
                let (to, of_row) = (target.of_mut(behind), below.of(others));
                subtract_product::<A>(to, target, (of_row, below), of_column);
                if !is_symmetric {
                    let target = found.upper.behind(end);
                    let right = row.upper.behind(offset);
                    let to = target.of_mut(behind);
                    subtract_product::<A>(to, target, (lower.of(others), lower), right.of(others));
                }
            }
        }
        true
    }
}

impl Shape {
    /// The same in what begins so far behind.
    #[inline(always)]
    fn behind(self, offset: usize) -> Self {
        Self { first: self.first - offset, ..self }
    }
}

/// Writes the transpose of one block in the place of another.
#[inline(always)]
fn transpose(data: &mut [Each], from: Shape, to: Shape) {
    // The one lies before the other.
    let (before, after) = data.split_at_mut(to.first);
    let (from_rows, from, to_width) = (from.rows, from.of(before), to.width);
    let width = from.len() / from_rows.max(1);
    let (from, after) = (from.as_flattened(), after.as_flattened_mut());
    for i in 0..from_rows {
        for j in 0..to.rows {
            after[LANES * to_width * j + i] = from[LANES * width * i + j];
        }
    }
}

/// The smallest pivot, by the largest entry of what is left of its column.
const SMALL: f64 = 1e-14;

/// Dense L U in place, with pivots that are the largest of their columns if `swaps` are to be written; whether that can be.
#[inline(always)]
fn factor_dense<A: Real>(
    a: &mut [Each],
    Shape { rows: n, width, .. }: Shape,
    mut swaps: Option<&mut [usize]>,
) -> bool {
    for p in 0..n {
        let entry = |a: &[Each], row: usize| a[width * row..].as_flattened()[p];
        if let Some(swaps) = &mut swaps {
            let mut largest = p;
            for row in p + 1..n {
                if entry(a, row).abs() > entry(a, largest).abs() {
                    largest = row;
                }
            }
            swaps[p] = largest;
            swap_rows(a, width, p, largest);
        }
        let pivot = entry(a, p);
        let above = a[..width * p].chunks_exact(width);
        let scale = above.fold(0.0_f64, |scale, row| scale.max(row.as_flattened()[p].abs()));
        let is_regular = match swaps {
            Some(_) => pivot.abs() > SMALL * scale && pivot.abs() > 0.0,
            None => pivot > 0.0,
        };
        if !(is_regular && pivot.is_finite()) {
            return false;
        }
        let inverse = 1.0 / pivot;
        let (above, below) = a.split_at_mut(width * (p + 1));
        let row = &above[width * p..];
        for other in below.chunks_exact_mut(width) {
            let by = other.as_flattened()[p] * inverse;
            subtract_behind::<A>(other, p, by, row);
        }
    }
    true
}

#[inline(always)]
fn swap_rows(a: &mut [Each], width: usize, p: usize, other: usize) {
    if other > p {
        let (above, below) = a.split_at_mut(width * other);
        above[width * p..][..width].swap_with_slice(&mut below[..width]);
    }
}

/// Exchanges rows as those of the diagonal block were.
#[inline(always)]
fn exchange(x: &mut [Each], of: Shape, swaps: &[usize]) {
    for (p, &other) in swaps.iter().enumerate() {
        swap_rows(x, of.width, p, other);
    }
}

/// y −= a x behind entry `p`, which becomes a.
#[inline(always)]
fn subtract_behind<A: Real>(y: &mut [Each], p: usize, a: f64, x: &[Each]) {
    let first = p / LANES;
    let before = y[first];
    subtract_scaled::<A>(&mut y[first..], a, &x[first..]);
    y[first][..p % LANES].copy_from_slice(&before[..p % LANES]);
    y[first][p % LANES] = a;
}

/// y −= a x.
#[inline(always)]
fn subtract_scaled<A: Real>(y: &mut [Each], a: f64, x: &[Each]) {
    let a = A::Quad::splat(-a);
    for (y, x) in y.iter_mut().zip(x) {
        *y = a.mul_add(A::Quad::pack(*x), A::Quad::pack(*y)).unpack();
    }
}

/// X U⁻¹ in the place of X, with the dense factors of a diagonal block.
#[inline(always)]
fn divide_by_upper<A: Real>(x: &mut [Each], of: Shape, (factors, by): (&[Each], Shape)) {
    for row in x.chunks_exact_mut(of.width) {
        for (p, upper) in factors.chunks_exact(by.width).enumerate() {
            let value = row.as_flattened()[p] / upper.as_flattened()[p];
            subtract_behind::<A>(row, p, value, upper);
        }
    }
}

/// L⁻¹ X in the place of X.
#[inline(always)]
fn divide_by_lower<A: Real>(x: &mut [Each], of: Shape, (factors, by): (&[Each], Shape)) {
    for p in 1..of.rows {
        let lower = factors[by.width * p..].as_flattened();
        let (above, below) = x.split_at_mut(of.width * p);
        let row = &mut below[..of.width];
        for (other, &by) in above.chunks_exact(of.width).zip(lower) {
            subtract_scaled::<A>(row, by, other);
        }
    }
}

/// C −= A B.
#[inline(always)]
fn subtract_product<A: Real>(c: &mut [Each], of: Shape, (a, left): (&[Each], Shape), b: &[Each]) {
    let inner = b.len() / of.width.max(1);
    for (to, row) in c.chunks_exact_mut(of.width).zip(a.chunks_exact(left.width)) {
        let row = &row.as_flattened()[..inner];
        let mut first = 0;
        while first + 2 <= of.width {
            let mut sum = [A::Quad::pack(to[first]), A::Quad::pack(to[first + 1])];
            for (&x, b) in row.iter().zip(b.chunks_exact(of.width)) {
                let x = A::Quad::splat(-x);
                sum[0] = x.mul_add(A::Quad::pack(b[first]), sum[0]);
                sum[1] = x.mul_add(A::Quad::pack(b[first + 1]), sum[1]);
            }
            (to[first], to[first + 1]) = (sum[0].unpack(), sum[1].unpack());
            first += 2;
        }
        if first < of.width {
            let mut sum = A::Quad::pack(to[first]);
            for (&x, b) in row.iter().zip(b.chunks_exact(of.width)) {
                sum = A::Quad::splat(-x).mul_add(A::Quad::pack(b[first]), sum);
            }
            to[first] = sum.unpack();
        }
    }
}

/// The solution by the factors.
struct Solution<'a> {
    blocks: &'a mut Blocks,
    x: &'a mut [Each],
    is_symmetric: bool,
}

impl Computation for Solution<'_> {
    type Output = ();

    #[inline(always)]
    fn run<A: Real>(self) {
        let Self { blocks, x, is_symmetric } = self;
        let Blocks { diagonal, couplings, data, swaps, firsts, rows, room, .. } = blocks;
        for (at, own) in diagonal.iter().enumerate() {
            let here = &mut x[firsts[at]..][..own.width];
            let value = here.as_flattened_mut();
            if !is_symmetric {
                for (p, &other) in swaps[rows[at]..][..own.rows].iter().enumerate() {
                    value.swap(p, other);
                }
            }
            for (p, lower) in own.of(data).chunks_exact(own.width).enumerate() {
                let (before, rest) = value.split_at_mut(p);
                let terms = lower.as_flattened().iter().zip(before);
                rest[0] -= terms.map(|(l, y)| l * *y).sum::<f64>();
            }
            let value = &mut room[..own.width];
            value.copy_from_slice(here);
            for Coupling { later, lower, .. } in &couplings[at] {
                let to = x[firsts[*later]..].as_flattened_mut();
                for (to, row) in to.iter_mut().zip(lower.of(data).chunks_exact(lower.width)) {
                    *to -= dot::<A>(row, value);
                }
            }
        }
        for (at, own) in diagonal.iter().enumerate().rev() {
            let value = &mut room[..own.width];
            value.copy_from_slice(&x[firsts[at]..][..own.width]);
            let value = value.as_flattened_mut();
            for Coupling { later, upper, .. } in &couplings[at] {
                let of = &x[firsts[*later]..][..upper.width];
                for (to, row) in value.iter_mut().zip(upper.of(data).chunks_exact(upper.width)) {
                    *to -= dot::<A>(row, of);
                }
            }
            for (p, upper) in own.of(data).chunks_exact(own.width).enumerate().rev() {
                let upper = &upper.as_flattened()[..own.rows];
                let terms = upper[p + 1..].iter().zip(&value[p + 1..]);
                let sum: f64 = terms.map(|(u, y)| u * y).sum();
                value[p] = (value[p] - sum) / upper[p];
            }
            x[firsts[at]..][..own.width].copy_from_slice(&room[..own.width]);
        }
    }
}

#[inline(always)]
fn dot<A: Real>(x: &[Each], y: &[Each]) -> f64 {
    let mut sum = A::Quad::splat(0.0);
    for (x, y) in x.iter().zip(y) {
        sum = A::Quad::pack(*x).mul_add(A::Quad::pack(*y), sum);
    }
    sum.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Baseline;

    /// What is factored and solved is what was multiplied.
    #[test]
    fn solutions_solve() {
        let sizes: [usize; 6] = [6, 1, 3, 18, 6, 5];
        let edges = [(0, 1), (1, 2), (0, 3), (2, 4), (3, 4), (1, 5), (0, 5)];
        let mut firsts = Vec::new();
        let mut length = 0;
        for size in sizes {
            firsts.push(length);
            length += size.div_ceil(LANES);
        }
        for is_symmetric in [true, false] {
            let mut blocks = Blocks::new(&sizes, &firsts, &edges);
            let mut state = 1_u64;
            let mut number = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
            };
            let (mut product, mut x) = (alloc::vec![[0.0; LANES]; length], Vec::new());
            for size in sizes {
                x.push((0..size).map(|_| number()).collect::<Vec<f64>>());
            }
            let all = edges.into_iter().chain((0..sizes.len()).map(|k| (k, k)));
            for (a, b) in all {
                for i in 0..sizes[a] {
                    for j in 0..sizes[b] {
                        if a == b && j < i && is_symmetric {
                            continue;
                        }
                        let of_unit = if (a, i) == (b, j) { 30.0 } else { 0.0 };
                        let first = number() + of_unit;
                        let second = if is_symmetric { first } else { number() + of_unit };
                        let mut put = |(a, i): (usize, usize), (b, j): (usize, usize), value| {
                            let (shape, block) = blocks.block(a, b).unwrap();
                            block[shape.width * i..].as_flattened_mut()[j] = value;
                            product[firsts[a]..].as_flattened_mut()[i] += value * x[b][j];
                        };
                        put((a, i), (b, j), first);
                        if a != b || (is_symmetric && i != j) {
                            put((b, j), (a, i), second);
                        }
                    }
                }
            }
            assert!(blocks.factor::<Baseline>(is_symmetric));
            blocks.solve::<Baseline>(&mut product, is_symmetric);
            for (x, first) in x.iter().zip(&firsts) {
                let found = product[*first..].as_flattened();
                assert!(x.iter().zip(found).all(|(x, found)| (x - found).abs() < 1e-13), "{x:?}");
            }
        }
    }
}
