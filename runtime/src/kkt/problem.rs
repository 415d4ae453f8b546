//! The equations of a constrained motion.

use core::fmt;

use super::Error;

/// Forward dynamics without bias: writes M⁻¹ f, (n), for a force f, (n).
pub type Accelerate<'a> = dyn Fn(&[f64], &mut [f64]) + 'a;

/// M x − Jᵀ λ = f and J x = g, in n coordinates and m rows.
///
/// Matrices are stored column by column.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// M, (n, n), symmetric positive semidefinite. [`Method::Articulated`](super::Method::Articulated)
    /// does without, given an empty slice.
    pub mass: &'a [f64],
    /// J, (m, n). A row counts whatever its size, since its units may be any: one that is nothing but rounding
    /// must be given as zeros.
    pub jacobian: &'a [f64],
    /// f, (n): the force τ − bias for an acceleration, the momentum M v⁻ for an impact.
    pub force: &'a [f64],
    /// g, (m): the acceleration that the rows prescribe, less J̇ v; the velocity after an impact.
    pub target: &'a [f64],
    /// λ(i), (n): the last coordinate that the motion of coordinate i's body depends on besides i, with all
    /// that this one depends on. M must be zero between coordinates of which neither depends on the other.
    /// Empty if M is dense.
    pub parents: &'a [Option<usize>],
    /// M⁻¹ by the robot's own forward dynamics, for [`Method::Articulated`](super::Method::Articulated).
    pub accelerate: Option<&'a Accelerate<'a>>,
}

impl<'a> Problem<'a> {
    /// A problem with a dense M.
    pub fn new(mass: &'a [f64], jacobian: &'a [f64], force: &'a [f64], target: &'a [f64]) -> Self {
        Self { mass, jacobian, force, target, parents: &[], accelerate: None }
    }

    /// With the tree that M is sparse by, see [`parents`](Self::parents).
    #[must_use]
    pub fn parents(self, parents: &'a [Option<usize>]) -> Self {
        Self { parents, ..self }
    }

    /// With forward dynamics, see [`accelerate`](Self::accelerate).
    #[must_use]
    pub fn accelerate(self, accelerate: &'a Accelerate<'a>) -> Self {
        Self { accelerate: Some(accelerate), ..self }
    }

    /// n.
    pub fn coordinates(&self) -> usize {
        self.force.len()
    }

    /// m.
    pub fn rows(&self) -> usize {
        self.target.len()
    }

    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::Parent`].
    pub(super) fn check_shape(&self, without_mass: bool) -> Result<(), Error> {
        let (n, m) = (self.coordinates(), self.rows());
        if !(without_mass && self.mass.is_empty()) {
            check_length("mass", self.mass, n.saturating_mul(n))?;
        }
        check_length("jacobian", self.jacobian, m.saturating_mul(n))?;
        if !self.parents.is_empty() {
            check_length("parents", self.parents, n)?;
        }
        match (0..self.parents.len()).find(|&i| self.parents[i].is_some_and(|parent| parent >= i)) {
            Some(coordinate) => Err(Error::Parent { coordinate }),
            None => Ok(()),
        }
    }

    /// # Errors
    ///
    /// [`Error::NotFinite`] names the first entry that is NaN or infinite.
    pub(super) fn check_finite(&self) -> Result<(), Error> {
        check_finite("mass", self.mass)?;
        check_finite("jacobian", self.jacobian)?;
        check_finite("force", self.force)?;
        check_finite("target", self.target)
    }
}

pub(super) fn check_length<T>(
    what: &'static str,
    slice: &[T],
    expected: usize,
) -> Result<(), Error> {
    match slice.len() {
        length if length == expected => Ok(()),
        length => Err(Error::Length { what, length, expected }),
    }
}

pub(super) fn check_finite(what: &'static str, values: &[f64]) -> Result<(), Error> {
    match values.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(Error::NotFinite { what, index, value: values[index] }),
        None => Ok(()),
    }
}

impl fmt::Debug for Problem<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Problem")
            .field("mass", &self.mass)
            .field("jacobian", &self.jacobian)
            .field("force", &self.force)
            .field("target", &self.target)
            .field("parents", &self.parents)
            .field("accelerate", &self.accelerate.is_some())
            .finish()
    }
}
