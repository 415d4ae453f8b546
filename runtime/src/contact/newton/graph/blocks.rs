//! A matrix of blocks with a symmetric pattern, and its factors L U, with pivots from within diagonal blocks.
//!
//! Blocks are rows of registers, filled up with zeros. Of two positions that are coupled both blocks have the rows of the earlier one
//! and the columns of the later one: what is below the diagonal is kept transposed. All of a position lies side by side, its diagonal
//! block, what couples it to later ones above the diagonal, and then below, so that an elimination reads what is before and writes
//! what is behind.
//!
//! What is symmetric has no pivots from elsewhere. Of that, what is below the diagonal is written when its position is eliminated:
//! it is what is above, times D⁻¹.

use alloc::vec::Vec;

use super::order::Order;
use super::product::{Rows, add_product, add_rows, dot_rows};
use crate::arithmetic::Lanes;
use crate::cone::{Each, LANES};
use crate::kernel::{Computation, Real, compute_with};

/// The place of a block, and how many rows and registers a row it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    first: usize,
    rows: usize,
    width: usize,
}

impl Shape {
    fn length(self) -> usize {
        self.rows * self.width
    }

    /// Its registers in what begins so far behind.
    #[inline(always)]
    fn of(self, data: &[Each], offset: usize) -> &[Each] {
        &data[self.first - offset..][..self.length()]
    }

    #[inline(always)]
    fn of_mut(self, data: &mut [Each], offset: usize) -> &mut [Each] {
        &mut data[self.first - offset..][..self.length()]
    }
}

/// How a position is coupled to a later one.
#[derive(Clone, Copy, Debug)]
struct Coupling {
    later: usize,
    /// Above the diagonal, and below it, transposed.
    upper: Shape,
    lower: Shape,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    order: Order,
    /// Of each position its diagonal block, which has 1/pivot for each pivot when it is factored, and its couplings in the order of
    /// the later ones.
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
            let [above, below] = [(); 2].map(|()| {
                later.iter().map(|&of| shape(size[at], size[of])).collect::<Vec<Shape>>()
            });
            let all = later.iter().zip(above).zip(below);
            let coupling = |((&later, upper), lower)| Coupling { later, upper, lower };
            couplings.push(all.map(coupling).collect());
        }
        let widest = diagonal.iter().map(|of: &Shape| of.width).max().unwrap_or(0);
        let [data, room] = [first, widest].map(|length| alloc::vec![[0.0; LANES]; length]);
        let swaps = alloc::vec![0; sizes.iter().sum()];
        Self { order, diagonal, couplings, data, swaps, firsts: places, rows, room }
    }

    /// Zeros of all that is to be written of couplings, of what is symmetric or not.
    pub(super) fn clear(&mut self, is_symmetric: bool) {
        for couplings in &self.couplings {
            let [Some(first), Some(last)] = [couplings.first(), couplings.last()] else { continue };
            let end = if is_symmetric { last.upper } else { last.lower };
            self.data[first.upper.first..end.first + end.length()].fill([0.0; LANES]);
        }
    }

    /// The diagonal block of a node.
    pub(super) fn own(&mut self, node: usize) -> &mut [Each] {
        self.diagonal[self.order.position[node]].of_mut(&mut self.data, 0)
    }

    /// The blocks of two nodes that are coupled, of which the first is eliminated before the other: above the diagonal, and below it,
    /// transposed.
    pub(super) fn between(&mut self, node: usize, later: usize) -> Option<[&mut [Each]; 2]> {
        let [at, later] = [node, later].map(|node| self.order.position[node]);
        let couplings = self.couplings.get(at)?;
        let found = couplings.binary_search_by_key(&later, |of| of.later).ok()?;
        let Coupling { upper, lower, .. } = couplings[found];
        let (before, behind) = self.data.split_at_mut(lower.first);
        Some([upper.of_mut(before, 0), lower.of_mut(behind, lower.first)])
    }

    /// Whether one node is eliminated after another.
    pub(super) fn is_later(&self, node: usize, other: usize) -> bool {
        self.order.position[node] > self.order.position[other]
    }

    /// Factors it in place; whether that can be: of what is symmetric, all pivots must be positive, and of anything else large enough.
    /// Of what is symmetric, what is above the diagonal is enough.
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
        let offset = own.first + own.length();
        let (before, others) = here.split_at_mut(offset);
        let pivots = &mut before[own.first..];
        let swaps = &mut swaps[rows[at]..][..own.rows];
        let chosen = if is_symmetric { None } else { Some(&mut *swaps) };
        if !factor_dense::<A>(pivots, own, chosen) {
            return false;
        }
        for Coupling { upper, lower, .. } in couplings_here {
            let (before, after) = others.split_at_mut(lower.first - offset);
            let (of_upper, of_lower) =
                (upper.of_mut(before, offset), lower.of_mut(after, lower.first));
            if !is_symmetric {
                exchange(of_upper, *upper, swaps);
            }
            divide_by_lower::<A>(of_upper, *upper, (pivots, own));
            if is_symmetric {
                scale_by_pivots::<A>((of_lower, of_upper), *upper, (pivots, own));
            } else {
                divide_by_upper::<A>(of_lower, *lower, (pivots, own));
            }
        }
        let of = |shape: Shape| Rows { data: shape.of(others, offset), width: shape.width };
        for (k, Coupling { later, upper, lower }) in couplings_here.iter().enumerate() {
            let (of_upper, of_lower) = (of(*upper), of(*lower));
            let target = diagonal[*later];
            let to = (target.of_mut(behind, end), target.rows);
            add_product::<A>(to, -1.0, (of_lower, of_upper), own.rows);
            // The couplings of the later one are ascending too.
            let mut targets = couplings[*later].iter();
            for column in &couplings_here[k + 1..] {
                let Some(to) = targets.find(|to| to.later == column.later) else { return false };
                let Coupling { upper, lower, .. } = to;
                let above = (of_lower, of(column.upper));
                let to = (upper.of_mut(behind, end), upper.rows);
                add_product::<A>(to, -1.0, above, own.rows);
                if !is_symmetric {
                    let below = (of_upper, of(column.lower));
                    let to = (lower.of_mut(behind, end), lower.rows);
                    add_product::<A>(to, -1.0, below, own.rows);
                }
            }
        }
        true
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
        let entry = |a: &[Each], row: usize| a[width * row + p / LANES][p % LANES];
        let mut is_regular = true;
        if let Some(swaps) = &mut swaps {
            let mut largest = p;
            for row in p + 1..n {
                if entry(a, row).abs() > entry(a, largest).abs() {
                    largest = row;
                }
            }
            swaps[p] = largest;
            swap_rows(a, width, p, largest);
            let scale = (0..p).fold(0.0_f64, |scale, row| scale.max(entry(a, row).abs()));
            is_regular = entry(a, p).abs() > SMALL * scale;
        }
        let pivot = entry(a, p);
        let least = if swaps.is_some() { pivot.abs() } else { pivot };
        if !(is_regular && least > 0.0 && pivot.is_finite()) {
            return false;
        }
        let inverse = 1.0 / pivot;
        a[width * p + p / LANES][p % LANES] = inverse;
        let (above, below) = a.split_at_mut(width * (p + 1));
        let row = &above[width * p + p / LANES..];
        for k in 0..n - p - 1 {
            let other = &mut below[width * k..][..width][p / LANES..];
            subtract_behind::<A>(other, p % LANES, inverse, row);
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

/// y −= a x behind lane `p` of the first registers, with a = yₚ by the pivot, which yₚ becomes.
#[inline(always)]
fn subtract_behind<A: Real>(y: &mut [Each], p: usize, inverse: f64, x: &[Each]) {
    let before = y[0];
    let a = before[p] * inverse;
    let by = A::Quad::splat(-a);
    for (y, x) in y.iter_mut().zip(x) {
        *y = by.mul_add(A::Quad::pack(*x), A::Quad::pack(*y)).unpack();
    }
    y[0][..p].copy_from_slice(&before[..p]);
    y[0][p] = a;
}

/// L⁻¹ X in the place of X, with the dense factors of a diagonal block.
#[inline(always)]
fn divide_by_lower<A: Real>(x: &mut [Each], of: Shape, (factors, by): (&[Each], Shape)) {
    for p in 1..of.rows {
        let lower = factors[by.width * p..][..by.width].as_flattened();
        let (above, below) = x.split_at_mut(of.width * p);
        add_rows::<A>(&mut below[..of.width], -1.0, above, p, |q| lower[q]);
    }
}

/// U⁻ᵀ X in the place of X.
#[inline(always)]
fn divide_by_upper<A: Real>(x: &mut [Each], of: Shape, (factors, by): (&[Each], Shape)) {
    let factors = factors.as_flattened();
    for p in 0..of.rows {
        let (above, below) = x.split_at_mut(of.width * p);
        let row = &mut below[..of.width];
        add_rows::<A>(row, -1.0, above, p, |q| factors[LANES * by.width * q + p]);
        let inverse = A::Quad::splat(factors[LANES * by.width * p + p]);
        row.iter_mut().for_each(|x| *x = (A::Quad::pack(*x) * inverse).unpack());
    }
}

/// D⁻¹ X in another place.
#[inline(always)]
fn scale_by_pivots<A: Real>(
    (to, x): (&mut [Each], &[Each]),
    of: Shape,
    (factors, by): (&[Each], Shape),
) {
    for p in 0..of.rows {
        let inverse = A::Quad::splat(factors[by.width * p + p / LANES][p % LANES]);
        let row = of.width * p..of.width * (p + 1);
        for (to, x) in to[row.clone()].iter_mut().zip(&x[row]) {
            *to = (A::Quad::pack(*x) * inverse).unpack();
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
            let value = x[firsts[at]..][..own.width].as_flattened_mut();
            if !is_symmetric {
                for (p, &other) in swaps[rows[at]..][..own.rows].iter().enumerate() {
                    value.swap(p, other);
                }
            }
            let factors = own.of(data, 0).as_flattened();
            for p in 1..own.rows {
                let (before, rest) = value.split_at_mut(p);
                let terms = factors[LANES * own.width * p..].iter().zip(before);
                rest[0] -= terms.map(|(l, y)| l * *y).sum::<f64>();
            }
            if couplings[at].is_empty() {
                continue;
            }
            let room = &mut room[..own.width];
            room.as_flattened_mut().copy_from_slice(value);
            let room = room.as_flattened();
            for Coupling { later, lower, .. } in &couplings[at] {
                let to = &mut x[firsts[*later]..][..lower.width];
                add_rows::<A>(to, -1.0, lower.of(data, 0), own.rows, |k| room[k]);
            }
        }
        for (at, own) in diagonal.iter().enumerate().rev() {
            let value = &mut room[..own.width];
            value.copy_from_slice(&x[firsts[at]..][..own.width]);
            let value = value.as_flattened_mut();
            for Coupling { later, upper, .. } in &couplings[at] {
                let of = &x[firsts[*later]..][..upper.width];
                let upper_data = upper.of(data, 0);
                for (k, to) in value[..own.rows].iter_mut().enumerate() {
                    let [product] = dot_rows::<A, 1>(&upper_data[upper.width * k..], of);
                    *to -= product;
                }
            }
            let factors = own.of(data, 0).as_flattened();
            for p in (0..own.rows).rev() {
                let upper = &factors[LANES * own.width * p..][..own.rows];
                let terms = upper[p + 1..].iter().zip(&value[p + 1..]);
                let sum: f64 = terms.map(|(u, y)| u * y).sum();
                value[p] = (value[p] - sum) * upper[p];
            }
            x[firsts[at]..][..own.width].copy_from_slice(&room[..own.width]);
        }
    }
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
        // Without a strong diagonal rows are exchanged.
        for (is_symmetric, strong, most) in
            [(true, 30.0, 1e-13), (false, 30.0, 1e-13), (false, 0.0, 1e-9)]
        {
            let mut blocks = Blocks::new(&sizes, &firsts, &edges);
            blocks.clear(is_symmetric);
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
                        let of_unit = if (a, i) == (b, j) { strong } else { 0.0 };
                        let first = number() + of_unit;
                        let second = if is_symmetric { first } else { number() + of_unit };
                        let mut put = |(a, i): (usize, usize), (b, j): (usize, usize), value| {
                            let is_below = a != b && blocks.is_later(a, b);
                            let ((e, i0), (l, j0)) =
                                if is_below { ((b, j), (a, i)) } else { ((a, i), (b, j)) };
                            let block = match (e == l, is_below) {
                                (true, _) => blocks.own(e),
                                (_, false) => blocks.between(e, l).map(|[upper, _]| upper).unwrap(),
                                (_, true) => blocks.between(e, l).map(|[_, lower]| lower).unwrap(),
                            };
                            block[sizes[l].div_ceil(LANES) * i0..].as_flattened_mut()[j0] = value;
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
                assert!(x.iter().zip(found).all(|(x, found)| (x - found).abs() < most), "{x:?}");
            }
        }
    }
}
