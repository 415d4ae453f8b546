//! Mass, first and second moments of a body about the origin of its frame.
//!
//! m = ∫ dm, h = ∫ r dm, Σ = ∫ r rᵀ dm. The rotational inertia is I = tr(Σ) 1 − Σ and, the other
//! way, Σ = ½ tr(I) 1 − I. Moments add when bodies merge, and move to another frame by
//! Σ' = R Σ Rᵀ + (R h) pᵀ + p (R h)ᵀ + m p pᵀ.

use crate::expr::{Expr, Graph, Matrix3, Rotation, Vector3};

/// Moments of a mass distribution.
#[derive(Clone, Copy, Debug)]
pub struct Moments<'g> {
    /// m.
    pub mass: Expr<'g>,
    /// h = m c.
    pub first: Vector3<'g>,
    /// Σ, symmetric.
    pub second: Matrix3<'g>,
}

impl<'g> Moments<'g> {
    /// Nothing.
    pub fn zero(graph: &'g Graph) -> Self {
        Self { mass: graph.zero(), first: Vector3::zero(graph), second: Matrix3::zero(graph) }
    }

    /// From mass, centre of mass and inertia about the centre of mass.
    pub fn about_center(mass: Expr<'g>, com: Vector3<'g>, inertia: Matrix3<'g>) -> Self {
        let first = com * mass;
        let second = second_moment(inertia) + first.outer(com).symmetric();
        Self { mass, first, second }
    }

    /// From mass, centre of mass and inertia about the origin.
    pub fn about_origin(mass: Expr<'g>, com: Vector3<'g>, inertia: Matrix3<'g>) -> Self {
        Self { mass, first: com * mass, second: second_moment(inertia) }
    }

    /// So many times the same.
    pub(super) fn scaled(&self, factor: Expr<'g>) -> Self {
        Self { mass: factor * self.mass, first: self.first * factor, second: self.second * factor }
    }

    /// The same distribution seen from a frame in which this one has the given pose.
    pub fn placed(&self, rotation: &Rotation<'g>, position: Vector3<'g>) -> Self {
        let first = rotation.times(self.first);
        let turned = rotation.conjugate_symmetric(self.second);
        Self {
            mass: self.mass,
            first: first + position * self.mass,
            second: turned + self.shift(first, position),
        }
    }

    /// Takes over what a part carries.
    pub(super) fn add(&mut self, part: Self) {
        *self = *self + part;
    }

    /// h pᵀ + p hᵀ + m p pᵀ.
    fn shift(&self, first: Vector3<'g>, position: Vector3<'g>) -> Matrix3<'g> {
        let cross = first.outer(position);
        let steiner = (position * self.mass).outer(position);
        (cross + cross.transpose() + steiner).symmetric()
    }

    /// The sum of the distributions of so many lanes.
    pub fn gathered(&self, lanes: usize) -> Self {
        Self {
            mass: self.mass.gathered(lanes),
            first: self.first.gathered(lanes),
            second: self.second.gathered(lanes),
        }
    }

    /// The distribution whose lanes these are.
    pub fn pack(graph: &'g Graph, lanes: &[Self]) -> Self {
        let firsts: Vec<_> = lanes.iter().map(|x| x.first).collect();
        let seconds: Vec<_> = lanes.iter().map(|x| x.second).collect();
        Self {
            mass: graph.pack(&lanes.iter().map(|x| x.mass).collect::<Vec<_>>()),
            first: Vector3::pack(graph, &firsts),
            second: Matrix3::pack(graph, &seconds),
        }
    }

    /// I ω.
    pub fn rotational(&self, w: Vector3<'g>) -> Vector3<'g> {
        let s = &self.second;
        let diagonal = [s[1][1] + s[2][2], s[0][0] + s[2][2], s[0][0] + s[1][1]];
        let row =
            |i: usize, j: usize, k: usize| diagonal[i] * w[i] - (s[i][j] * w[j] + s[i][k] * w[k]);
        Vector3([row(0, 1, 2), row(1, 0, 2), row(2, 0, 1)])
    }
}

impl std::ops::Add for Moments<'_> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            first: self.first + other.first,
            second: (self.second + other.second).symmetric(),
        }
    }
}

impl std::ops::Sub for Moments<'_> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            mass: self.mass - other.mass,
            first: self.first - other.first,
            second: (self.second - other.second).symmetric(),
        }
    }
}

/// ½ tr(I) 1 − I.
fn second_moment(inertia: Matrix3<'_>) -> Matrix3<'_> {
    Matrix3::diagonal(0.5 * inertia.trace()) - inertia
}
