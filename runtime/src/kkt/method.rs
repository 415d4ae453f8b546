//! The methods to choose from.

use super::dense::Dense;

/// How the equations of a constrained motion are solved.
///
/// All that admit a problem find the same solution. The class of each is what it is guaranteed for; a
/// problem outside is a typed error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// The range-space method with L Lᵀ, which is the fastest, and the null-space method where one of its
    /// pivots says that rows depend on one another or M has no inertia somewhere. For a robot, what is
    /// generated for it comes before both.
    ///
    /// Class: M positive definite on the null space of J, J of any rank.
    #[default]
    Adaptive,
    /// The matrix of all equations at once.
    ///
    /// Class: as [`NullSpace`](Method::NullSpace); with [`Dense::Lu`] or [`Dense::Cholesky`], J of full
    /// rank, and with the latter, M positive definite.
    Direct(Dense),
    /// M inverted by a factorisation that is sparse by the mechanism's branches.
    ///
    /// Class: M positive definite; with [`Dense::Lu`] or [`Dense::Cholesky`], J of full rank.
    RangeSpace(Dense),
    /// Bases of what the constraint prescribes and of what it leaves free.
    ///
    /// Class: M positive definite on the null space of J, J of any rank.
    NullSpace,
    /// M inverted by the robot's own forward dynamics, after Kokkevis.
    ///
    /// Class: as [`RangeSpace`](Method::RangeSpace); the problem must have
    /// [`accelerate`](super::Problem::accelerate).
    Articulated(Dense),
    /// The proximal method of Carpentier, Budhiraja and Mansard, of up to 100 steps.
    ///
    /// Class: as [`NullSpace`](Method::NullSpace), for rows and masses whose sizes differ by up to about
    /// 1e4.
    Proximal,
}

impl Method {
    /// Whether the rank is taken from the rows themselves, and not from pivots of the method's own.
    pub(super) fn takes_rank(self) -> bool {
        match self {
            Method::Adaptive => false,
            Method::Direct(_) | Method::NullSpace | Method::Proximal => true,
            Method::RangeSpace(dense) | Method::Articulated(dense) => dense.takes_singular(),
        }
    }
}
