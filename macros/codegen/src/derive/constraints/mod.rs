//! Bilateral constraints.
//!
//! Of a row h(q, t) = 0 there are the error h, its rate ḣ = H v + ∂h/∂t, the row H = (∂h/∂q) N, and
//! what of ḧ = H v̇ + Ḣ v + … does not depend on v̇. Of a row h_v(q, v, t) = 0 there are the rate h_v,
//! the row G = ∂h_v/∂v (Chetaev's rule) and what of ḣ_v = G v̇ + (∂h_v/∂q) N v + ∂h_v/∂t does not
//! depend on v̇; it has no error of position, and zero stands there.
//!
//! Rows of frames (see `relative`) are gradients by the relative motion of two frames; those of
//! expressions are differentiated on the graph.

mod closure;
mod contradiction;
mod mobility;
mod numeric;
mod relative;
mod rolling;

use crate::description::{Constraint, Law, Limit, Place};
use crate::expr::Expr;

use super::lower;
use super::mass_matrix::Square;
use super::mechanism::Mechanism;
use super::symbols;
pub use contradiction::Contradiction;
pub use mobility::Mobility;

use relative::{Gradient, Relative, Views};

/// One row of the constraints.
#[derive(Clone, Debug)]
struct Row<'g> {
    /// h; zero of a row of velocities.
    error: Expr<'g>,
    /// ḣ or h_v.
    rate: Expr<'g>,
    /// H or G, (nv).
    jacobian: Vec<Expr<'g>>,
    /// ḧ or ḣ_v at v̇ = 0.
    bias: Expr<'g>,
}

/// The constraints of a mechanism, one entry a row.
#[derive(Clone, Debug)]
pub struct ConstraintRows<'g> {
    rows: Vec<Row<'g>>,
}

impl<'g> ConstraintRows<'g> {
    /// h.
    pub fn errors(&self) -> Vec<Expr<'g>> {
        self.rows.iter().map(|row| row.error).collect()
    }

    /// ḣ, or h_v.
    pub fn rates(&self) -> Vec<Expr<'g>> {
        self.rows.iter().map(|row| row.rate).collect()
    }

    /// H, or G.
    pub fn jacobian(&self) -> Square<'g> {
        self.rows.iter().map(|row| row.jacobian.clone()).collect()
    }

    /// ḧ, or ḣ_v, at v̇ = 0.
    pub fn bias(&self) -> Vec<Expr<'g>> {
        self.rows.iter().map(|row| row.bias).collect()
    }
}

impl<'g> Mechanism<'g> {
    /// All rows of all constraints.
    pub fn constraints(&self) -> ConstraintRows<'g> {
        let (constraints, mut views) = (&self.description.constraints, Views::new(self));
        ConstraintRows { rows: constraints.iter().flat_map(|c| self.rows(c, &mut views)).collect() }
    }

    /// C, Ċ, (∂C/∂q) N and what of C̈ does not depend on v̇, of every limit C(q) ≥ 0.
    pub fn limits(&self) -> ConstraintRows<'g> {
        let row = |limit: &Limit| self.position_row(lower::scalar(self.graph, &limit.function));
        ConstraintRows { rows: self.description.limits.iter().map(row).collect() }
    }

    fn rows(&self, constraint: &Constraint, views: &mut Views<'_, 'g>) -> Vec<Row<'g>> {
        let mut between = |frames: &[Place; 2]| views.between(frames);
        match &constraint.law {
            Law::Position(h) => vec![self.position_row(lower::scalar(self.graph, h))],
            Law::Velocity(h) => vec![self.velocity_row(lower::scalar(self.graph, h))],
            Law::Closure { frames, axes } => {
                let relative = between(frames);
                self.framed(&relative, &closure::gradients(&relative, axes))
            }
            Law::Rod { ends, length } => {
                let relative = between(ends);
                let length = lower::scalar(self.graph, length);
                self.framed(&relative, &[relative.distance(length)])
            }
            Law::PointOnLine { points, direction } => {
                let relative = between(points);
                let direction = lower::direction(self.graph, direction);
                let along = crate::expr::tangents(direction).map(|t| relative.along(t));
                self.framed(&relative, &along)
            }
            Law::PointOnPlane { points, normal } => {
                let relative = between(points);
                let normal = lower::direction(self.graph, normal);
                self.framed(&relative, &[relative.along(normal)])
            }
            Law::Rolling(rolling) => {
                let relative = views.of_center(rolling);
                self.framed(&relative, &rolling::gradients(&relative, rolling))
            }
        }
    }

    fn framed(&self, relative: &Relative<'g>, gradients: &[Gradient<'g>]) -> Vec<Row<'g>> {
        gradients.iter().map(|gradient| relative.row(gradient, self.nv())).collect()
    }

    /// h(q, t).
    fn position_row(&self, h: Expr<'g>) -> Row<'g> {
        let rate = self.rate_of_change(&[h])[0];
        let slope = |dof| self.tangent_derivative(&[h], dof)[0];
        Row {
            error: h,
            rate,
            jacobian: (0..self.nv()).map(slope).collect(),
            bias: self.rate_of_change(&[rate])[0],
        }
    }

    /// h_v(q, v, t).
    fn velocity_row(&self, h: Expr<'g>) -> Row<'g> {
        let slope = |dof| self.partial_derivative(&[h], symbols::V, dof)[0];
        Row {
            error: self.graph.zero(),
            rate: h,
            jacobian: (0..self.nv()).map(slope).collect(),
            bias: self.rate_of_change(&[h])[0],
        }
    }

    /// Constraints that no motion can satisfy, or that hold whatever the motion is: with the number
    /// that stays of their error, if that is not zero.
    pub fn idle_constraints(&self) -> Vec<(usize, Option<f64>)> {
        let mut views = Views::new(self);
        let judge = |(k, constraint): (usize, &Constraint)| {
            let rows = self.rows(constraint, &mut views);
            let idle = |row: &Row<'g>| row.jacobian.iter().all(|x| x.is_zero());
            let stays = |row: &&Row<'g>| idle(row) && row.error.value().is_some_and(|x| x != 0.0);
            match rows.iter().find(stays) {
                Some(row) => Some((k, row.error.value())),
                None => rows.iter().all(idle).then_some((k, None)),
            }
        };
        self.description.constraints.iter().enumerate().filter_map(judge).collect()
    }

    /// Limits that no motion changes.
    pub fn idle_limits(&self) -> Vec<usize> {
        let rows = self.limits().rows.into_iter().enumerate();
        let idle = |row: &Row<'g>| row.jacobian.iter().all(|x| x.is_zero());
        rows.filter(|(_, row)| idle(row)).map(|(k, _)| k).collect()
    }

    /// Where the origins of both frames of each constraint between two frames are, in the world.
    pub fn constraint_points(&self) -> Vec<Expr<'g>> {
        let poses = self.poses();
        let places = self.description.constraints.iter().filter_map(|c| c.law.places()).flatten();
        let placed = places.map(|place| self.placed(place.parent, &place.placement));
        placed.flat_map(|place| self.pose(&poses, &place).1.0).collect()
    }

    /// Four numbers a row: α, the prescribed acceleration, the prescribed velocity after an impact,
    /// and the restitution.
    pub fn constraint_parameters(&self) -> Vec<Expr<'g>> {
        let of = |constraint: &Constraint| {
            let r = &constraint.response;
            let numbers = [&r.stabilization, &r.acceleration, &r.velocity_after, &r.restitution];
            let row = numbers.map(|x| lower::scalar(self.graph, x));
            vec![row; constraint.law.levels().len()].concat()
        };
        self.description.constraints.iter().flat_map(of).collect()
    }
}
