//! From a mechanism whose bodies may each stand for several, in lanes, to the coordinates of the
//! description.

use crate::expr::Expr;

use super::mass_matrix::Square;
use super::mechanism::Mechanism;

impl<'g> Mechanism<'g> {
    /// Whether some body stands for several.
    pub(super) fn has_lanes(&self) -> bool {
        self.bodies.iter().any(|body| body.lanes > 1)
    }

    /// A vector of the coordinates of the description from one of this mechanism.
    pub(super) fn spread(&self, vector: &[Expr<'g>]) -> Vec<Expr<'g>> {
        let size = self.lanes.iter().map(Vec::len).sum();
        let mut spread = vec![self.graph.zero(); size];
        for (x, dofs) in vector.iter().zip(&self.lanes) {
            for (k, &dof) in dofs.iter().enumerate() {
                spread[dof] = x.lane(k);
            }
        }
        spread
    }

    /// A matrix of the coordinates of the description from one of this mechanism, in which different
    /// limbs are not coupled.
    pub(super) fn spread_matrix(&self, matrix: &Square<'g>) -> Square<'g> {
        self.spread_between(matrix, &self.lanes)
    }

    /// The same where a column stands for several others.
    pub(super) fn spread_between(
        &self,
        matrix: &Square<'g>,
        columns_of: &[Vec<usize>],
    ) -> Square<'g> {
        let size = |of: &[Vec<usize>]| of.iter().map(Vec::len).sum();
        let mut spread = vec![vec![self.graph.zero(); size(columns_of)]; size(&self.lanes)];
        for (row, rows) in matrix.iter().zip(&self.lanes) {
            for (&x, columns) in row.iter().zip(columns_of) {
                for k in 0..rows.len().max(columns.len()) {
                    let (i, j) = (rows[k % rows.len()], columns[k % columns.len()]);
                    spread[i][j] = x.lane(k);
                }
            }
        }
        spread
    }
}
