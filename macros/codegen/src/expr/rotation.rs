//! Rotations as products of simple factors.
//!
//! A joint turns about one axis of a frame that is itself turned by constants. Applying the factors
//! one after the other takes fewer operations than forming their product, and a factor about a
//! coordinate axis leaves a third of everything as it is.

use super::{Expr, Graph, Matrix3, Vector3};

/// A rotation from one frame's axes to another's.
#[derive(Clone, Debug, Default)]
pub struct Rotation<'g> {
    factors: Vec<Factor<'g>>,
}

#[derive(Clone, Copy, Debug)]
enum Factor<'g> {
    Matrix(Matrix3<'g>),
    About { axis: usize, angle: Expr<'g> },
}

/// A matrix, and the axis and angle of the turn after it.
type Section<'g> = (Matrix3<'g>, Option<(usize, Expr<'g>)>);

impl<'g> Rotation<'g> {
    /// No rotation.
    pub fn identity() -> Self {
        Self::default()
    }

    /// By an orthogonal matrix.
    pub fn matrix(matrix: Matrix3<'g>) -> Self {
        if matrix == Matrix3::identity(matrix[0][0].graph()) {
            return Self::identity();
        }
        Self { factors: vec![Factor::Matrix(matrix)] }
    }

    /// By `angle` about a unit vector.
    pub fn about(axis: Vector3<'g>, angle: Expr<'g>) -> Self {
        for (k, entry) in axis.0.iter().enumerate() {
            let angle = match entry.value() {
                Some(1.0) => angle,
                Some(-1.0) => -angle,
                _ => continue,
            };
            return Self { factors: vec![Factor::About { axis: k, angle }] };
        }
        let (sin, versine) = (angle.sin(), angle.graph().one() - angle.cos());
        let identity = Matrix3::identity(angle.graph());
        Self::matrix(identity + axis.skew() * sin + axis.skew_squared() * versine)
    }

    /// By a unit quaternion [x, y, z, w].
    pub fn quaternion([x, y, z, w]: [Expr<'g>; 4]) -> Self {
        let one = w.graph().one();
        let two = |x: Expr<'g>| 2.0 * x;
        Self::matrix(Matrix3([
            [one - two(y * y + z * z), two(x * y - w * z), two(x * z + w * y)],
            [two(x * y + w * z), one - two(x * x + z * z), two(y * z - w * x)],
            [two(x * z - w * y), two(y * z + w * x), one - two(x * x + y * y)],
        ]))
    }

    /// By roll, pitch and yaw about fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll).
    pub fn roll_pitch_yaw(graph: &'g Graph, angles: [Expr<'g>; 3]) -> Self {
        let turn = |axis: usize| Self::about(Vector3::unit(graph, axis), angles[axis]);
        turn(2).then(turn(1)).then(turn(0)).folded(graph)
    }

    /// The rotation whose lanes these are. They turn about the same coordinate axes.
    pub fn pack(graph: &'g Graph, lanes: &[&Self]) -> Self {
        let lanes: Vec<_> = lanes.iter().map(|lane| lane.sections(graph)).collect();
        let mut packed = Self::identity();
        for k in 0..lanes[0].len() {
            let sections = lanes.iter().map(|lane| &lane[k]);
            let matrices: Vec<_> = sections.clone().map(|section| section.0).collect();
            packed = packed.then(Self::matrix(Matrix3::pack(graph, &matrices)));
            let turns: Option<Vec<_>> = sections.map(|section| section.1).collect();
            if let Some(turns) = turns {
                let angles: Vec<_> = turns.iter().map(|turn| turn.1).collect();
                let angle = graph.pack(&angles);
                packed.factors.push(Factor::About { axis: turns[0].0, angle });
            }
        }
        packed
    }

    /// A matrix before each turn about a coordinate axis, and one after the last.
    fn sections(&self, graph: &'g Graph) -> Vec<Section<'g>> {
        let mut sections = Vec::new();
        let mut matrix = Matrix3::identity(graph);
        for factor in &self.factors {
            match *factor {
                Factor::Matrix(m) => matrix = matrix * m,
                Factor::About { axis, angle } => {
                    sections.push((matrix, Some((axis, angle))));
                    matrix = Matrix3::identity(graph);
                }
            }
        }
        sections.push((matrix, None));
        sections
    }

    /// self · other: first `other`, then `self`.
    pub fn then(mut self, other: Self) -> Self {
        self.factors.extend(other.factors);
        self
    }

    /// The inverse of one that is a matrix.
    pub fn transposed(&self, graph: &'g Graph) -> Self {
        Self::matrix(self.to_matrix(graph).transpose())
    }

    /// Axis and angle of each factor that turns about an axis of coordinates.
    pub fn turns(&self) -> Vec<(usize, Expr<'g>)> {
        let turn = |factor: &Factor<'g>| match *factor {
            Factor::About { axis, angle } => Some((axis, angle)),
            Factor::Matrix(_) => None,
        };
        self.factors.iter().filter_map(turn).collect()
    }

    /// The same rotation as one matrix, or as none.
    pub fn folded(&self, graph: &'g Graph) -> Self {
        Self::matrix(self.to_matrix(graph))
    }

    /// As a matrix.
    pub fn to_matrix(&self, graph: &'g Graph) -> Matrix3<'g> {
        self.after(Matrix3::identity(graph))
    }

    /// M R.
    pub fn after(&self, m: Matrix3<'g>) -> Matrix3<'g> {
        let mut m = m;
        for factor in &self.factors {
            m = match *factor {
                Factor::Matrix(r) => m * r,
                about @ Factor::About { .. } => {
                    Matrix3(m.0.map(|row| about.transposed_times(Vector3(row)).0))
                }
            };
        }
        m
    }

    /// R x.
    pub fn times(&self, x: Vector3<'g>) -> Vector3<'g> {
        self.factors.iter().rev().fold(x, |x, factor| factor.times(x))
    }

    /// Rᵀ x.
    pub fn transposed_times(&self, x: Vector3<'g>) -> Vector3<'g> {
        self.factors.iter().fold(x, |x, factor| factor.transposed_times(x))
    }

    /// R A Rᵀ.
    pub fn conjugate(&self, a: Matrix3<'g>) -> Matrix3<'g> {
        self.factors.iter().rev().fold(a, |a, factor| factor.conjugate(a))
    }

    /// R A Rᵀ for a symmetric A.
    pub fn conjugate_symmetric(&self, a: Matrix3<'g>) -> Matrix3<'g> {
        self.factors.iter().rev().fold(a, |a, factor| factor.conjugate(a).symmetric())
    }
}

impl<'g> Factor<'g> {
    fn times(self, x: Vector3<'g>) -> Vector3<'g> {
        match self {
            Factor::Matrix(r) => r * x,
            Factor::About { axis, angle } => turn(axis, angle.sin(), angle.cos(), x),
        }
    }

    fn transposed_times(self, x: Vector3<'g>) -> Vector3<'g> {
        match self {
            Factor::Matrix(r) => r.transpose() * x,
            Factor::About { axis, angle } => turn(axis, -angle.sin(), angle.cos(), x),
        }
    }

    /// R A Rᵀ. About an axis, with d = Aᵢᵢ − Aⱼⱼ and t = Aᵢⱼ + Aⱼᵢ, the block of i and j changes by
    /// u = s² d + s c t on its diagonal and by w = s c d − s² t beside it.
    fn conjugate(self, a: Matrix3<'g>) -> Matrix3<'g> {
        let (k, sin, cos) = match self {
            Factor::Matrix(r) => return r * a * r.transpose(),
            Factor::About { axis, angle } => (axis, angle.sin(), angle.cos()),
        };
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (ss, sc) = (sin * sin, sin * cos);
        let (d, t) = (a[i][i] - a[j][j], a[i][j] + a[j][i]);
        let (u, w) = (ss * d + sc * t, sc * d - ss * t);
        let mut r = a;
        r[i][i] = a[i][i] - u;
        r[j][j] = a[j][j] + u;
        r[i][j] = a[i][j] + w;
        r[j][i] = a[j][i] + w;
        (r[i][k], r[j][k]) = (cos * a[i][k] - sin * a[j][k], sin * a[i][k] + cos * a[j][k]);
        (r[k][i], r[k][j]) = (cos * a[k][i] - sin * a[k][j], sin * a[k][i] + cos * a[k][j]);
        r
    }
}

fn turn<'g>(axis: usize, sin: Expr<'g>, cos: Expr<'g>, x: Vector3<'g>) -> Vector3<'g> {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut y = x;
    y[i] = cos * x[i] - sin * x[j];
    y[j] = sin * x[i] + cos * x[j];
    y
}

/// Two unit vectors that make a right-handed frame with a unit normal, (first, second, normal).
///
/// Where the normal's x is a constant, the first is the world's x axis projected on the plane, or
/// the y axis within 26° of x; any other normal may come to point anywhere.
pub fn tangents<'g>(normal: Vector3<'g>) -> [Vector3<'g>; 2] {
    let graph = normal[0].graph();
    let Some(x) = normal[0].value() else { return tangents_anywhere(normal) };
    let reference = Vector3::unit(graph, usize::from(x.abs() > 0.9));
    let first = (reference - normal * normal.dot(reference)).normalized();
    [first, normal.cross(first)]
}

/// Of a normal [x y z], whatever that is. The first is the x axis projected on the plane where x or y is
/// zero.
fn tangents_anywhere<'g>(normal: Vector3<'g>) -> [Vector3<'g>; 2] {
    let z = normal[2];
    // Too small to change any z but 0, whose sign it makes positive.
    let shifted = z + z.graph().constant(1e-150);
    let sign = shifted / shifted.squared().sqrt();
    tangents_of(normal, (sign, z.squared().sqrt()))
}

/// Two unit vectors that make a right-handed frame with a unit normal [x y z], smooth functions of it
/// for one s = ±1: the first is [1 − a x², −a x y, −s x] with a = 1/(1 + s z). Given are s and s z,
/// which must keep away from −1.
///
/// Source: Duff et al., Building an Orthonormal Basis, Revisited, JCGT 6 (2017), listing 3.
pub fn tangents_of<'g>(
    normal: Vector3<'g>,
    (sign, signed): (Expr<'g>, Expr<'g>),
) -> [Vector3<'g>; 2] {
    let [x, y, _] = normal.0;
    let one = x.graph().one();
    let a = one / (one + signed);
    let first = Vector3([one - a * x.squared(), -(a * x * y), -(sign * x)]);
    [first, normal.cross(first)]
}
