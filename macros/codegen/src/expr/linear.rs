//! Vectors and matrices of three rows, of expressions.

use std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg, Sub};

use super::graph::{Expr, Graph};

/// A column of three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector3<'g>(pub [Expr<'g>; 3]);

/// Three rows of three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Matrix3<'g>(pub [[Expr<'g>; 3]; 3]);

impl<'g> Vector3<'g> {
    /// Zeros.
    pub fn zero(graph: &'g Graph) -> Self {
        Self([graph.zero(); 3])
    }

    /// Constants.
    pub fn constant(graph: &'g Graph, x: [f64; 3]) -> Self {
        Self(x.map(|x| graph.constant(x)))
    }

    /// The unit vector along an axis of coordinates.
    pub fn unit(graph: &'g Graph, axis: usize) -> Self {
        let mut x = Self::zero(graph);
        x[axis] = graph.one();
        x
    }

    /// The vector whose lanes these are.
    pub fn pack(graph: &'g Graph, lanes: &[Self]) -> Self {
        Self([0, 1, 2].map(|k| graph.pack(&lanes.iter().map(|x| x[k]).collect::<Vec<_>>())))
    }

    /// Σ aᵢ bᵢ.
    pub fn dot(self, other: Self) -> Expr<'g> {
        self[0] * other[0] + self[1] * other[1] + self[2] * other[2]
    }

    /// a × b.
    pub fn cross(self, other: Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, other.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }

    /// a bᵀ.
    pub fn outer(self, other: Self) -> Matrix3<'g> {
        Matrix3(self.0.map(|a| other.0.map(|b| a * b)))
    }

    /// `[a]×`, so that `[a]×` b is a × b.
    pub fn skew(self) -> Matrix3<'g> {
        let [x, y, z] = self.0;
        let o = x.graph().zero();
        Matrix3([[o, -z, y], [z, o, -x], [-y, x, o]])
    }

    /// `[a]ײ`, with shared products.
    pub fn skew_squared(self) -> Matrix3<'g> {
        let [x, y, z] = self.0;
        let (xx, yy, zz) = (x * x, y * y, z * z);
        let (xy, xz, yz) = (x * y, x * z, y * z);
        Matrix3([[-(yy + zz), xy, xz], [xy, -(xx + zz), yz], [xz, yz, -(xx + yy)]])
    }

    /// Each entry's sum over lanes.
    pub fn gathered(self, lanes: usize) -> Self {
        Self(self.0.map(|x| x.gathered(lanes)))
    }

    /// The same direction with length 1.
    pub fn normalized(self) -> Self {
        self * (self.0[0].graph().one() / self.dot(self).sqrt())
    }
}

impl<'g> Matrix3<'g> {
    /// Zeros.
    pub fn zero(graph: &'g Graph) -> Self {
        Self([[graph.zero(); 3]; 3])
    }

    /// The identity.
    pub fn identity(graph: &'g Graph) -> Self {
        Self([0, 1, 2].map(|k| Vector3::unit(graph, k).0))
    }

    /// The matrix whose lanes these are.
    pub fn pack(graph: &'g Graph, lanes: &[Self]) -> Self {
        let row = |k: usize| lanes.iter().map(|x| Vector3(x[k])).collect::<Vec<_>>();
        Self([0, 1, 2].map(|k| Vector3::pack(graph, &row(k)).0))
    }

    /// x along the diagonal.
    pub fn diagonal(x: Expr<'g>) -> Self {
        let mut m = Self::zero(x.graph());
        for k in 0..3 {
            m[k][k] = x;
        }
        m
    }

    /// The transpose.
    pub fn transpose(&self) -> Self {
        let m = &self.0;
        Self([0, 1, 2].map(|i| [m[0][i], m[1][i], m[2][i]]))
    }

    /// A column.
    pub fn column(&self, k: usize) -> Vector3<'g> {
        Vector3([self.0[0][k], self.0[1][k], self.0[2][k]])
    }

    /// From three columns.
    pub fn from_columns(columns: [Vector3<'g>; 3]) -> Self {
        Self(columns.map(|c| c.0)).transpose()
    }

    /// Each entry's sum over lanes.
    pub fn gathered(self, lanes: usize) -> Self {
        Self(self.0.map(|row| row.map(|x| x.gathered(lanes))))
    }

    /// The sum of the diagonal.
    pub fn trace(&self) -> Expr<'g> {
        self[0][0] + self[1][1] + self[2][2]
    }

    /// The same matrix with the lower triangle copied from the upper one, so that a product known
    /// to be symmetric is computed once.
    pub fn symmetric(mut self) -> Self {
        for (i, j) in [(1, 0), (2, 0), (2, 1)] {
            self[i][j] = self[j][i];
        }
        self
    }
}

impl<'g> Index<usize> for Vector3<'g> {
    type Output = Expr<'g>;

    fn index(&self, k: usize) -> &Expr<'g> {
        &self.0[k]
    }
}

impl<'g> IndexMut<usize> for Vector3<'g> {
    fn index_mut(&mut self, k: usize) -> &mut Expr<'g> {
        &mut self.0[k]
    }
}

impl<'g> Index<usize> for Matrix3<'g> {
    type Output = [Expr<'g>; 3];

    fn index(&self, k: usize) -> &[Expr<'g>; 3] {
        &self.0[k]
    }
}

impl<'g> IndexMut<usize> for Matrix3<'g> {
    fn index_mut(&mut self, k: usize) -> &mut [Expr<'g>; 3] {
        &mut self.0[k]
    }
}

fn zip<'g>(
    a: [Expr<'g>; 3],
    b: [Expr<'g>; 3],
    f: impl Fn(Expr<'g>, Expr<'g>) -> Expr<'g>,
) -> [Expr<'g>; 3] {
    [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2])]
}

impl Add for Vector3<'_> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(zip(self.0, other.0, Add::add))
    }
}

impl Sub for Vector3<'_> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(zip(self.0, other.0, Sub::sub))
    }
}

impl Neg for Vector3<'_> {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.map(Neg::neg))
    }
}

impl<'g> Mul<Expr<'g>> for Vector3<'g> {
    type Output = Self;

    fn mul(self, factor: Expr<'g>) -> Self {
        Self(self.0.map(|x| factor * x))
    }
}

impl AddAssign for Vector3<'_> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Add for Matrix3<'_> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let row = |k: usize| zip(self[k], other[k], Add::add);
        Self([row(0), row(1), row(2)])
    }
}

impl Sub for Matrix3<'_> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let row = |k: usize| zip(self[k], other[k], Sub::sub);
        Self([row(0), row(1), row(2)])
    }
}

impl AddAssign for Matrix3<'_> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl<'g> Mul<Expr<'g>> for Matrix3<'g> {
    type Output = Self;

    fn mul(self, factor: Expr<'g>) -> Self {
        Self(self.0.map(|row| row.map(|x| factor * x)))
    }
}

impl<'g> Mul<Vector3<'g>> for Matrix3<'g> {
    type Output = Vector3<'g>;

    fn mul(self, x: Vector3<'g>) -> Vector3<'g> {
        Vector3(self.0.map(|row| Vector3(row).dot(x)))
    }
}

impl Mul for Matrix3<'_> {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let columns = other.transpose().0;
        Self(self.0.map(|row| columns.map(|column| Vector3(row).dot(Vector3(column)))))
    }
}
