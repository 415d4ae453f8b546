//! Where a discrete Lagrangian takes the Lagrangian.

/// The quadrature of a discrete Lagrangian along the [chord](super) of a step.
///
/// > L_d = h Σ bₖ L(q(cₖ), ξ(cₖ))
///
/// Both rules are symmetric, hence of the second order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// h L(q(½), ξ(½)). In coordinates with q̇ = v it keeps quadratic invariants, and what is linear is stable at every
    /// step.
    #[default]
    Midpoint,
    /// ½ h (L(q₀, ξ(0)) + L(q₁, ξ(1))): the method of Störmer and Verlet where M is constant, which is stable while h
    /// times the fastest frequency is below two.
    Trapezoidal,
}

/// A node of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// c.
    pub(super) share: f64,
    /// b.
    pub(super) weight: f64,
}

impl Rule {
    /// The nodes, in the order of their shares.
    pub(super) fn nodes(self) -> &'static [Node] {
        match self {
            Self::Midpoint => &[Node { share: 0.5, weight: 1.0 }],
            Self::Trapezoidal => {
                &[Node { share: 0.0, weight: 0.5 }, Node { share: 1.0, weight: 0.5 }]
            }
        }
    }
}
