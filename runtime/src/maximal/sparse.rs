//! Sparse systems of blocks of six, one row and column of blocks for each body.
//!
//! > A = L U,  L_ik = A_ik A_kk⁻¹,  A_ij ← A_ij − L_ik A_kj for i, j after k
//!
//! in an order in which each body is the one with the least neighbours that are left: so that few blocks fill that were
//! empty. Both halves have the same pattern. Only the blocks on the diagonal are pivots, with exchanges within; that is
//! enough for what is near to M + Jᵀ D J.
//!
//! # Source
//!
//! George, Liu: The Evolution of the Minimum Degree Ordering Algorithm (1989); Davis: Direct Methods for Sparse Linear
//! Systems (2006), sections 6.2 and 7.1.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;

use nalgebra::{Matrix6, Vector6};

/// A body with those after it in the order.
#[derive(Clone, Debug)]
struct Node {
    /// By place in the order, ascending.
    later: Vec<usize>,
    /// Those before it that have it among their later ones, and at which place there.
    earlier: Vec<(usize, usize)>,
    /// A_kk, then its inverse.
    pivot: Matrix6<f64>,
    /// A_kj, and A_jk, then L_jk, of the later ones.
    row: Vec<Matrix6<f64>>,
    column: Vec<Matrix6<f64>>,
}

/// A matrix of blocks and its factors.
#[derive(Clone, Debug, Default)]
pub(super) struct Sparse {
    /// The place of each body in the order.
    place: Vec<usize>,
    /// In the order.
    nodes: Vec<Node>,
    /// Where a body's block is in the row that is worked on.
    at: Vec<usize>,
    right: Vec<Vector6<f64>>,
}

impl Sparse {
    /// An order for `count` bodies, of which each pair that is listed has a block.
    pub(super) fn arrange(&mut self, count: usize, pairs: impl IntoIterator<Item = [usize; 2]>) {
        let mut neighbors = vec![BTreeSet::new(); count];
        for [a, b] in pairs.into_iter().filter(|[a, b]| a != b) {
            neighbors[a].insert(b);
            neighbors[b].insert(a);
        }
        let mut left: BTreeSet<(usize, usize)> =
            neighbors.iter().enumerate().map(|(body, of)| (of.len(), body)).collect();
        let mut later = Vec::with_capacity(count);
        self.place = vec![0; count];
        while let Some((_, body)) = left.pop_first() {
            let of = core::mem::take(&mut neighbors[body]);
            for &other in &of {
                left.remove(&(neighbors[other].len(), other));
                neighbors[other].remove(&body);
                neighbors[other].extend(of.iter().filter(|&&third| third != other));
                left.insert((neighbors[other].len(), other));
            }
            self.place[body] = later.len();
            later.push(of);
        }
        self.at = vec![0; count];
        self.nodes = later.into_iter().map(|of| Node::new(&of, &self.place)).collect();
        for k in 0..count {
            for (index, j) in self.nodes[k].later.clone().into_iter().enumerate() {
                self.nodes[j].earlier.push((k, index));
            }
        }
    }

    /// Begins with a block on the diagonal for each body.
    pub(super) fn begin(&mut self, diagonal: &[Matrix6<f64>]) {
        for node in &mut self.nodes {
            node.row.fill(Matrix6::zeros());
            node.column.fill(Matrix6::zeros());
        }
        for (block, &place) in diagonal.iter().zip(&self.place) {
            self.nodes[place].pivot = *block;
        }
    }

    /// A_ab ← A_ab + block, of bodies that were listed as a pair.
    pub(super) fn add(&mut self, [a, b]: [usize; 2], block: &Matrix6<f64>) {
        let [i, j] = [a, b].map(|body| self.place[body]);
        let node = &mut self.nodes[i.min(j)];
        if i == j {
            node.pivot += block;
        } else if let Ok(index) = node.later.binary_search(&i.max(j)) {
            let half = if i < j { &mut node.row } else { &mut node.column };
            half[index] += block;
        }
    }

    /// Whether every pivot is regular; else the body of the first that is not.
    pub(super) fn factor(&mut self) -> Result<(), usize> {
        for i in 0..self.nodes.len() {
            let (before, rest) = self.nodes.split_at_mut(i);
            let node = &mut rest[0];
            for (index, &j) in node.later.iter().enumerate() {
                self.at[j] = index;
            }
            for &(k, own) in &node.earlier {
                let Node { later, row, column, .. } = &before[k];
                node.pivot -= column[own] * row[own];
                for index in own + 1..later.len() {
                    let at = self.at[later[index]];
                    node.row[at] -= column[own] * row[index];
                    node.column[at] -= column[index] * row[own];
                }
            }
            let Some(inverse) = node.pivot.try_inverse() else {
                let body = self.place.iter().position(|&place| place == i);
                return Err(body.unwrap_or_default());
            };
            node.pivot = inverse;
            node.column.iter_mut().for_each(|block| *block *= inverse);
        }
        Ok(())
    }

    /// Solves in place.
    pub(super) fn solve(&mut self, x: &mut [Vector6<f64>]) {
        self.right.clear();
        self.right.resize(x.len(), Vector6::zeros());
        for (x, &place) in x.iter().zip(&self.place) {
            self.right[place] = *x;
        }
        let right = &mut self.right;
        for (k, node) in self.nodes.iter().enumerate() {
            let own = right[k];
            node.later.iter().zip(&node.column).for_each(|(&j, l)| right[j] -= l * own);
        }
        for (k, node) in self.nodes.iter().enumerate().rev() {
            let known = node.later.iter().zip(&node.row).map(|(&j, u)| u * right[j]);
            right[k] = node.pivot * (right[k] - known.sum::<Vector6<f64>>());
        }
        for (x, &place) in x.iter_mut().zip(&self.place) {
            *x = self.right[place];
        }
    }
}

impl Node {
    fn new(of: &BTreeSet<usize>, place: &[usize]) -> Self {
        let mut later: Vec<usize> = of.iter().map(|&body| place[body]).collect();
        later.sort_unstable();
        let blocks = vec![Matrix6::zeros(); later.len()];
        let (row, column) = (blocks.clone(), blocks);
        Self { later, earlier: Vec::new(), pivot: Matrix6::zeros(), row, column }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector, Matrix6, Vector6};

    use super::Sparse;

    /// A grid of bodies with a loop, of which the matrix is not symmetric.
    #[test]
    fn solves_as_a_dense_matrix_does() {
        let pairs = [[0, 1], [1, 2], [3, 4], [4, 5], [0, 3], [1, 4], [2, 5], [6, 2], [0, 6]];
        let mut sparse = Sparse::default();
        sparse.arrange(8, pairs);
        let block = |k: usize| Matrix6::from_fn(|i, j| libm::sin((37 * k + 7 * i + 3 * j) as f64));
        let mut dense = DMatrix::<f64>::identity(48, 48) * 20.0;
        sparse.begin(&[Matrix6::identity() * 20.0; 8]);
        for (k, [a, b]) in pairs.into_iter().enumerate() {
            for (offset, [a, b]) in [[a, b], [b, a], [a, a]].into_iter().enumerate() {
                let block = block(3 * k + offset);
                sparse.add([a, b], &block);
                let mut of = dense.view_mut((6 * a, 6 * b), (6, 6));
                of += block;
            }
        }
        sparse.factor().expect("regular");
        let mut x: Vec<Vector6<f64>> =
            (0..8).map(|k| Vector6::from_fn(|i, _| libm::cos((6 * k + i) as f64))).collect();
        let right = DVector::from_iterator(48, x.iter().flat_map(|x| x.iter().copied()));
        sparse.solve(&mut x);
        let found = DVector::from_iterator(48, x.iter().flat_map(|x| x.iter().copied()));
        assert!((dense * found - right).amax() < 1e-12);
    }
}
