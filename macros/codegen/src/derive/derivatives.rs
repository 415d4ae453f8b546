//! Derivatives of inverse dynamics by the configuration, along the tangent space, and by the velocity.
//!
//! Let v_p, a_p, U_p be the motion of a body's parent where the body's origin is, in the body's axes,
//! S v the motion of its joint, and d = ∂(S v)/∂q_j. When coordinate j of that joint varies, bodies
//! that hang on it keep their places relative to one another, and their motion varies by
//!
//! > Ψ = v_p × S_j + d,  Ξ = a_p × S_j + v_p × (v_p × S_j) + ∂(S v̇ + S̊ v)/∂q_j + (2 v_p + S v) × d
//!
//! (see `responses`), the first two terms of Ξ being (U_p e, U_p s + a_p × e + 2 u_p × (ω_p × e)) in
//! classical accelerations. Columns further in see the force of all these bodies turn by S_j × F_c
//! too; a column of the same joint itself varies, which adds ∂S/∂q_j · F_c. By the velocity,
//!
//! > Ψ = S_j,  Ξ = v_p × S_j + d + Ṡ_j.
//!
//! d and its like are zero but for joints whose subspace is not constant in the child's axes; these
//! few derivatives are taken on the graph.
//!
//! The other way is to differentiate the recursion on the graph coordinate by coordinate, which takes
//! more operations except for short chains.
//!
//! Source: Singh, Russell, Wensing, Efficient Analytical Derivatives of Rigid-Body Dynamics Using
//! Spatial Vector Algebra (2022), for joints of any number of coordinates in the frames of the bodies;
//! Carpentier, Mansard, Analytical Derivatives of Rigid Body Dynamics Algorithms (2018).

use crate::expr::{Expr, Matrix3, Vector3};
use crate::joint::Twist;

use super::kinematics::Acceleration;
use super::mass_matrix::Square;
use super::mechanism::{Body, Column, Mechanism};
use super::newton_euler::Wrench;
use super::responses::Variation;
use super::symbols;

/// Coordinates up to which differentiation on the graph may be the cheaper way.
const SHORT: usize = 8;

/// ∂ID/∂q and ∂ID/∂v.
#[derive(Clone, Debug)]
pub struct Derivatives<'g> {
    /// Along the tangent space of the configurations.
    pub by_q: Square<'g>,
    /// By the velocity.
    pub by_v: Square<'g>,
}

impl<'g> Derivatives<'g> {
    pub(super) fn entries(&self) -> Vec<Expr<'g>> {
        self.by_q.iter().chain(&self.by_v).flatten().copied().collect()
    }
}

/// The motion of a body's parent where the body's origin is, in the body's axes.
struct Carrier<'g> {
    /// v_p.
    velocity: Twist<'g>,
    /// Classical a_p.
    linear: Vector3<'g>,
    /// U_p.
    field: Matrix3<'g>,
}

/// How the columns of a body vary with one coordinate of its joint.
struct Bend<'g> {
    /// ∂S/∂q_j of each column.
    columns: Vec<Twist<'g>>,
    /// d = ∂(S v)/∂q_j.
    velocity: Twist<'g>,
    /// ∂(S v̇ + S̊ v)/∂q_j.
    acceleration: Twist<'g>,
}

impl<'g> Mechanism<'g> {
    /// Derivatives of the force for the acceleration `a`, which does not depend on the state; the
    /// cheaper of both ways.
    pub fn inverse_dynamics_derivatives(&self, a: &[Expr<'g>]) -> Derivatives<'g> {
        let analytical = self.analytical_derivatives(a);
        if self.has_lanes() || self.nv() > SHORT {
            return analytical;
        }
        let automatic = self.automatic_derivatives(a);
        let cost = |derivatives: &Derivatives<'g>| {
            self.graph.operations(&derivatives.entries()).arithmetic()
        };
        if cost(&automatic) < cost(&analytical) { automatic } else { analytical }
    }

    /// By differentiating the recursion on the graph. `a` must be symbols or constants.
    pub fn automatic_derivatives(&self, a: &[Expr<'g>]) -> Derivatives<'g> {
        let force = self.inverse_dynamics(&self.state.v, a);
        let by_q = |dof| self.tangent_derivative(&force, dof);
        let by_v = |dof| self.partial_derivative(&force, symbols::V, dof);
        Derivatives {
            by_q: transposed(&(0..self.nv()).map(by_q).collect()),
            by_v: transposed(&(0..self.nv()).map(by_v).collect()),
        }
    }

    /// By the recursion. `a` may be any expressions, which are then held constant.
    pub fn analytical_derivatives(&self, a: &[Expr<'g>]) -> Derivatives<'g> {
        let Derivatives { by_q, by_v } = self.analytical_derivatives_in_lanes(a);
        Derivatives { by_q: self.spread_matrix(&by_q), by_v: self.spread_matrix(&by_v) }
    }

    fn analytical_derivatives_in_lanes(&self, a: &[Expr<'g>]) -> Derivatives<'g> {
        let forces = self.sum_inwards(self.inertial_wrenches(&self.state.v, a, -self.gravity));
        let (composites, flows) = (self.composites(), self.flows(self.graph.constant(2.0)));
        let bends: Vec<_> = self.bodies.iter().map(|body| self.bends(body, a)).collect();
        let carriers = self.carriers(a);
        let rates = self.column_rates();
        let (mut by_q, mut by_v) = (Vec::new(), Vec::new());
        for (k, body) in self.bodies.iter().enumerate() {
            let columns = || body.columns.iter().zip(&bends[k]);
            let along_q = |(column, bend)| self.along_q(body, &carriers[k], column, bend);
            let turning = |column: &Column<'g>| forces[k].carried_by(&column.twist);
            let turned =
                |(column, bend)| Variation { turning: turning(column), ..along_q((column, bend)) };
            by_q.push(columns().map(turned).collect());
            let along_v = |((column, bend), &rate)| self.along_v(&carriers[k], column, bend, rate);
            by_v.push(columns().zip(&rates[k]).map(along_v).collect());
        }
        let mut derivatives = Derivatives {
            by_q: self.responses(&composites, &flows, &by_q),
            by_v: self.responses(&composites, &flows, &by_v),
        };
        for (k, body) in self.bodies.iter().enumerate() {
            for (column, bend) in body.columns.iter().zip(&bends[k]) {
                for (other, bent) in body.columns.iter().zip(&bend.columns) {
                    derivatives.by_q[other.dof][column.dof] += forces[k].power(bent);
                }
            }
        }
        derivatives
    }

    fn along_q(
        &self,
        body: &Body<'g>,
        carrier: &Carrier<'g>,
        column: &Column<'g>,
        bend: &Bend<'g>,
    ) -> Variation<'g> {
        let (s, v) = (&column.twist, &carrier.velocity);
        let joint = body.combine(&self.state.v, |column| column.twist);
        let bent = *v * self.graph.constant(2.0) + joint;
        Variation {
            velocity: v.cross(s) + bend.velocity,
            acceleration: carrier.drag(s) + bend.acceleration + bent.cross(&bend.velocity),
            turning: Wrench::zero(self.graph),
        }
    }

    fn along_v(
        &self,
        carrier: &Carrier<'g>,
        column: &Column<'g>,
        bend: &Bend<'g>,
        rate: Twist<'g>,
    ) -> Variation<'g> {
        Variation {
            velocity: column.twist,
            acceleration: carrier.velocity.cross(&column.twist) + bend.velocity + rate,
            turning: Wrench::zero(self.graph),
        }
    }

    /// The motion of the parent of each body, where gravity is an acceleration of the world.
    fn carriers(&self, a: &[Expr<'g>]) -> Vec<Carrier<'g>> {
        let velocities = self.velocities();
        let accelerations = self.accelerations(&self.state.v, a, -self.gravity);
        let carrier = |body: &Body<'g>| {
            let still = (Twist::zero(self.graph), Acceleration::of_base(-self.gravity));
            let (v, a) = body.parent.map_or(still, |p| (velocities[p], accelerations[p]));
            let velocity = body.carried(&v);
            let turn = |x| body.rotation.transposed_times(x);
            let angular = turn(a.angular);
            Carrier {
                velocity,
                linear: turn(a.linear + a.field * body.position),
                field: angular.skew() + velocity.angular.skew_squared(),
            }
        };
        self.bodies.iter().map(carrier).collect()
    }

    /// The derivatives of a body's columns by each coordinate of its joint.
    fn bends(&self, body: &Body<'g>, a: &[Expr<'g>]) -> Vec<Bend<'g>> {
        let still = Twist::zero(self.graph);
        let rigid = |column: &Column<'g>| column.rate.entries().iter().all(|x| x.is_zero());
        if body.columns.iter().all(rigid) {
            let none = || Bend {
                columns: vec![still; body.columns.len()],
                velocity: still,
                acceleration: still,
            };
            return body.columns.iter().map(|_| none()).collect();
        }
        let twists: Vec<_> = body.columns.iter().map(|column| column.twist).collect();
        let turned = body.combine(&self.state.v, |column| column.rate);
        let bend = |dof: usize| {
            let slope = |twist: &Twist<'g>| {
                let slopes = self.tangent_derivative(&twist.entries(), dof);
                Twist::from_entries([0, 1, 2, 3, 4, 5].map(|k| slopes[k]))
            };
            let columns: Vec<_> = twists.iter().map(slope).collect();
            let sum = |x: &[Expr<'g>]| {
                let terms = body.columns.iter().zip(&columns);
                terms.fold(still, |sum, (column, &bent)| sum + bent * x[column.dof])
            };
            let acceleration = sum(a) + slope(&turned);
            Bend { velocity: sum(&self.state.v), acceleration, columns }
        };
        body.columns.iter().map(|column| bend(column.dof)).collect()
    }
}

impl<'g> Carrier<'g> {
    /// a_p × S + v_p × (v_p × S), in classical accelerations.
    fn drag(&self, s: &Twist<'g>) -> Twist<'g> {
        let spun = self.velocity.angular.cross(s.angular);
        let twice: Vector3<'g> = self.velocity.linear.cross(spun);
        let two = twice[0].graph().constant(2.0);
        Twist {
            angular: self.field * s.angular,
            linear: self.field * s.linear + self.linear.cross(s.angular) + twice * two,
        }
    }
}

/// The transpose of a square matrix.
pub(super) fn transposed<'g>(rows: &Square<'g>) -> Square<'g> {
    (0..rows.len()).map(|k| rows.iter().map(|row| row[k]).collect()).collect()
}
