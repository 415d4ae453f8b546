//! Blocks that touch: what couples their rows is A, or a column of its factor.

use alloc::vec::Vec;

use crate::cone::{Block, Matrix};

/// The groups of a problem, each known by one of its blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    /// Of each block itself, or another one of its group.
    parents: Vec<usize>,
}

impl Groups {
    pub(super) fn find(&mut self, matrix: &Matrix<'_>, blocks: &[Block]) {
        self.parents.clear();
        self.parents.extend(0..blocks.len());
        let n = blocks.iter().map(Block::rows).sum();
        for column in 0..matrix.columns(n) {
            let (mut first, mut last) = (0, None);
            for (k, block) in blocks.iter().enumerate() {
                let mut rows = first..first + block.rows();
                first = rows.end;
                if rows.any(|row| matrix.couples(n, row, column))
                    && let Some(other) = last.replace(k)
                {
                    self.unite(other, k);
                }
            }
        }
    }

    fn of(&self, mut block: usize) -> usize {
        while self.parents[block] != block {
            block = self.parents[block];
        }
        block
    }

    /// The first block of both groups is what both are known by.
    fn unite(&mut self, block: usize, other: usize) {
        let (a, b) = (self.of(block), self.of(other));
        let first = a.min(b);
        for of in [a, b, block, other] {
            self.parents[of] = first;
        }
    }

    /// Marks all blocks of groups of which one is marked.
    pub(super) fn spread(&self, marks: &mut [bool]) {
        for block in 0..marks.len() {
            if marks[block] {
                marks[self.of(block)] = true;
            }
        }
        for block in 0..marks.len() {
            marks[block] = marks[self.of(block)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows 0 and 3 share a column, and so do 1 and 4; row 2 is alone.
    #[test]
    fn what_shares_a_column_touches() {
        let blocks = [Block::Row { lower: 0.0, upper: 1.0 }; 5];
        let mut a = [0.0; 25];
        (0..5).for_each(|i| a[6 * i] = 1.0);
        for (i, j) in [(0, 3), (1, 4)] {
            (a[5 * j + i], a[5 * i + j]) = (0.5, 0.5);
        }
        let rows = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.1, 0.0];
        let mut groups = Groups::default();
        for matrix in [Matrix::Delassus(&a), Matrix::Factor { rows: &rows, damping: &[0.0; 5] }] {
            groups.find(&matrix, &blocks);
            let mut marks = [false, false, false, true, false];
            groups.spread(&mut marks);
            assert_eq!(marks, [true, false, false, true, false]);
        }
    }
}
