//! The report of a solution.

/// What a solution is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Rank of J: how many rows are independent.
    pub rank: usize,
    /// The largest pivot by the smallest that counts, of A = J M⁻¹ Jᵀ with rows scaled to a diagonal of
    /// ones: an estimate of the condition of the multipliers, at least 1. Methods that factor J report the
    /// square of its ratio.
    pub condition: f64,
    /// What M x − Jᵀ λ − f is, by the largest sum of |f|, |M x| and |Jᵀ λ| in one entry; or the attainable
    /// part of J x − g, by the largest sum of |g| and |J| |x|; whichever is worse. (A sum that is itself
    /// small counts as a hundredth of what x and λ, or the forces one by one, would make of it.) Computed from the
    /// problem's own numbers.
    pub residual: f64,
    /// The largest |J x − g|, in the rows' units: not small where rows contradict one another.
    pub violation: f64,
}
