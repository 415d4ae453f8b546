//! Forward dynamics by articulated bodies: v̇ in one pass inwards and one outwards, without M.
//!
//! What a body feels of all that hangs on it is linear in its acceleration A = (α, a):
//!
//! > (n, f) = I A + p,  I = [A H; Hᵀ M],
//!
//! with I and p at first the body's own inertia and its velocity-dependent wrench. Each coordinate
//! that its joint leaves free is eliminated, with S its column and d its armature:
//!
//! > U = I S,  D = S · U + d,  u = τ − S · p,  I ← I − U Uᵀ / D,  p ← p + U u / D.
//!
//! What remains is added to the parent, moved there as A = X A_parent + c. Outwards again,
//! v̇ = (u − U · A) / D of each coordinate in the opposite order, and A ← A + S v̇. Where S is an axis
//! of coordinates, its row of I becomes d U / D, which is zero without armature.
//!
//! It does not apply where joints share a coordinate.
//!
//! Source: Featherstone, Rigid Body Dynamics Algorithms (2008), section 7.3, in the classical
//! acceleration of the origin instead of the spatial one; several coordinates of a joint one after
//! the other.

use crate::expr::{Expr, Matrix3, Vector3};

use super::forms::Solver;
use super::inertia::Moments;
use super::kinematics::Acceleration;
use super::mechanism::{Body, Column, Mechanism};
use super::newton_euler::Wrench;

/// Angular, then linear entries.
type Six<'g> = [Expr<'g>; 6];

/// I and p of a body.
#[derive(Clone, Copy)]
struct Articulated<'g> {
    inertia: [Six<'g>; 6],
    bias: Six<'g>,
}

/// An eliminated coordinate: S, U, 1/D, u, d and τ.
struct Pivot<'g> {
    dof: usize,
    direction: Six<'g>,
    reach: Six<'g>,
    inverse: Expr<'g>,
    force: Expr<'g>,
    armature: Expr<'g>,
    tau: Expr<'g>,
    /// The row and sign of S, if it is ± a unit vector.
    axis: Option<(usize, Expr<'g>)>,
}

impl<'g> Mechanism<'g> {
    /// Whether v̇ can be solved for so: articulated bodies need coordinates of their own.
    pub(super) fn solves_by(&self, solver: Solver) -> bool {
        let coupled = self.description.joints.iter().any(|joint| joint.mimic.is_some());
        solver == Solver::Factorization || !coupled
    }

    /// v̇ for the generalised force `state.a`.
    pub(super) fn articulated_dynamics(&self) -> Vec<Expr<'g>> {
        let terms = self.velocity_terms();
        let pivots = self.eliminate(&terms);
        self.substitute(&terms, &pivots)
    }

    /// The pass inwards: the coordinates of every body in the order of their elimination.
    fn eliminate(&self, terms: &[Acceleration<'g>]) -> Vec<Vec<Pivot<'g>>> {
        let own = self.bodies.iter().zip(terms).map(|(body, terms)| Articulated::new(body, terms));
        let mut own: Vec<_> = own.collect();
        let mut pivots: Vec<Vec<Pivot<'g>>> = self.bodies.iter().map(|_| Vec::new()).collect();
        for (k, body) in self.bodies.iter().enumerate().rev() {
            let mut articulated = own[k];
            // The innermost coordinate of a joint comes last, as the root of a tree does.
            for column in body.columns.iter().rev() {
                let dof = column.dof;
                let (armature, tau) = (self.armature[dof], self.state.a[dof]);
                let pivot = Pivot::new(&articulated, column, armature, tau);
                articulated.eliminate(&pivot);
                pivots[k].push(pivot);
            }
            if let Some(parent) = body.parent {
                let moved = articulated.inwards(body, &terms[k]);
                own[parent].add(&moved.gathered(body.repeats));
            }
        }
        pivots
    }

    /// The pass outwards.
    fn substitute(&self, terms: &[Acceleration<'g>], pivots: &[Vec<Pivot<'g>>]) -> Vec<Expr<'g>> {
        let zero = Vector3::zero(self.graph);
        let base = six(zero, -self.gravity);
        let mut accelerations: Vec<Six<'g>> = Vec::new();
        let mut v_dot = vec![self.graph.zero(); self.nv()];
        for (k, body) in self.bodies.iter().enumerate() {
            let above = body.parent.map_or(base, |parent| accelerations[parent]);
            let (angular, linear) = (vector(&above, 0), vector(&above, 3));
            let dragged = linear + angular.cross(body.position);
            let mut acceleration = six(
                body.rotation.transposed_times(angular) + terms[k].angular,
                body.rotation.transposed_times(dragged) + terms[k].linear,
            );
            for pivot in pivots[k].iter().rev() {
                v_dot[pivot.dof] = pivot.solve(&mut acceleration);
            }
            accelerations.push(acceleration);
        }
        v_dot
    }

    /// c of every body, with `[ω]ײ` for its field.
    fn velocity_terms(&self) -> Vec<Acceleration<'g>> {
        let zero = Vector3::zero(self.graph);
        let mut angular_velocity: Vec<Vector3<'g>> = Vec::new();
        let mut terms: Vec<Acceleration<'g>> = Vec::new();
        for body in &self.bodies {
            let above = body.parent.map_or(zero, |p| angular_velocity[p]);
            let (w, change) = body.velocity_terms(&self.state.v, above);
            let dragged = body.parent.map_or(zero, |p| terms[p].field * body.position);
            terms.push(Acceleration {
                angular: change.angular,
                linear: body.rotation.transposed_times(dragged) + change.linear,
                field: w.skew_squared(),
            });
            angular_velocity.push(w);
        }
        terms
    }
}

impl<'g> Articulated<'g> {
    /// A body alone.
    fn new(body: &Body<'g>, terms: &Acceleration<'g>) -> Self {
        let zero = Vector3::zero(body.moments.mass.graph());
        let still = Acceleration { angular: zero, linear: zero, field: terms.field };
        let Wrench { force, moment } = body.inertial_wrench(&still);
        let Moments { mass, first, second } = body.moments;
        let angular = Matrix3::diagonal(second.trace()) - second;
        let inertia = from_blocks(&angular, &first.skew(), &Matrix3::diagonal(mass));
        Self { inertia, bias: six(moment, force) }
    }

    /// The sum of so many lanes.
    fn gathered(&self, lanes: usize) -> Self {
        let gathered = |row: Six<'g>| row.map(|x| x.gathered(lanes));
        Self { inertia: self.inertia.map(gathered), bias: gathered(self.bias) }
    }

    fn add(&mut self, other: &Self) {
        for i in 0..6 {
            for j in 0..6 {
                self.inertia[i][j] += other.inertia[i][j];
            }
            self.bias[i] += other.bias[i];
        }
    }

    fn eliminate(&mut self, pivot: &Pivot<'g>) {
        for (i, &u) in pivot.reach.iter().enumerate() {
            let factor = u * pivot.inverse;
            for j in i..6 {
                self.inertia[i][j] -= factor * pivot.reach[j];
                self.inertia[j][i] = self.inertia[i][j];
            }
            self.bias[i] += factor * pivot.force;
        }
        let Some((row, sign)) = pivot.axis else {
            return;
        };
        let left = sign * pivot.armature * pivot.inverse;
        for j in 0..6 {
            self.inertia[row][j] = left * pivot.reach[j];
            self.inertia[j][row] = self.inertia[row][j];
        }
        self.bias[row] = sign * pivot.tau - left * pivot.force;
    }

    /// What the parent feels: p + I c and I, moved to its origin and axes.
    fn inwards(&self, body: &Body<'g>, terms: &Acceleration<'g>) -> Self {
        let drift = times(&self.inertia, &six(terms.angular, terms.linear));
        let total = |k: usize| vector(&self.bias, k) + vector(&drift, k);
        let Wrench { force, moment } = Wrench { force: total(3), moment: total(0) }.inwards(body);
        let linear = body.rotation.conjugate_symmetric(block(&self.inertia, 3, 3));
        let turned = body.rotation.conjugate(block(&self.inertia, 0, 3));
        let arm = body.position.skew();
        let cross = turned + arm * linear;
        let angular = body.rotation.conjugate_symmetric(block(&self.inertia, 0, 0))
            + (cross * arm.transpose() + arm * turned.transpose());
        Self {
            inertia: from_blocks(&angular.symmetric(), &cross, &linear),
            bias: six(moment, force),
        }
    }
}

impl<'g> Pivot<'g> {
    fn new(body: &Articulated<'g>, column: &Column<'g>, armature: Expr<'g>, tau: Expr<'g>) -> Self {
        let direction = six(column.twist.angular, column.twist.linear);
        let reach = times(&body.inertia, &direction);
        let one = tau.graph().one();
        Self {
            dof: column.dof,
            axis: axis(&direction),
            inverse: one / (dot(&direction, &reach) + armature),
            force: tau - dot(&direction, &body.bias),
            direction,
            reach,
            armature,
            tau,
        }
    }

    /// v̇ of this coordinate, which is added to the acceleration. Along an axis of coordinates and
    /// without armature the acceleration becomes (u − U · A) / D without its own entry, which then
    /// needs not be multiplied by D / D.
    fn solve(&self, acceleration: &mut Six<'g>) -> Expr<'g> {
        match self.axis {
            Some((row, sign)) if self.armature.is_zero() => {
                let before = std::mem::replace(&mut acceleration[row], self.tau.graph().zero());
                let after = (self.force - dot(&self.reach, acceleration)) * self.inverse;
                acceleration[row] = sign * after;
                after - sign * before
            }
            _ => {
                let v_dot = (self.force - dot(&self.reach, acceleration)) * self.inverse;
                for (a, s) in acceleration.iter_mut().zip(self.direction) {
                    *a += s * v_dot;
                }
                v_dot
            }
        }
    }
}

/// The row and sign of a column that is ± a unit vector.
fn axis<'g>(direction: &Six<'g>) -> Option<(usize, Expr<'g>)> {
    let mut entries = direction.iter().enumerate().filter(|(_, x)| !x.is_zero());
    let (row, &sign) = entries.next()?;
    let unit = sign * sign == sign.graph().one();
    (unit && entries.next().is_none()).then_some((row, sign))
}

fn six<'g>(angular: Vector3<'g>, linear: Vector3<'g>) -> Six<'g> {
    let ([a, b, c], [d, e, f]) = (angular.0, linear.0);
    [a, b, c, d, e, f]
}

fn vector<'g>(x: &Six<'g>, first: usize) -> Vector3<'g> {
    Vector3([0, 1, 2].map(|k| x[first + k]))
}

fn dot<'g>(a: &Six<'g>, b: &Six<'g>) -> Expr<'g> {
    a.iter().zip(b).fold(a[0].graph().zero(), |sum, (&a, &b)| sum + a * b)
}

fn times<'g>(m: &[Six<'g>; 6], x: &Six<'g>) -> Six<'g> {
    m.map(|row| dot(&row, x))
}

fn block<'g>(m: &[Six<'g>; 6], row: usize, column: usize) -> Matrix3<'g> {
    Matrix3([0, 1, 2].map(|i| vector(&m[row + i], column).0))
}

/// [A H; Hᵀ M].
fn from_blocks<'g>(
    angular: &Matrix3<'g>,
    cross: &Matrix3<'g>,
    linear: &Matrix3<'g>,
) -> [Six<'g>; 6] {
    let upper = |i: usize| six(Vector3(angular[i]), Vector3(cross[i]));
    let lower = |i: usize| six(cross.column(i), Vector3(linear[i]));
    [upper(0), upper(1), upper(2), lower(0), lower(1), lower(2)]
}
