//! Springs and dampers.
//!
//! At a coordinate the force is −k (q − q₀) − d v. Between two points, with Δ = x_b − x_a and
//! l = |Δ|, the tension t = k (l − l₀) + d l̇ pulls the ends together along Δ; where the points
//! coincide its direction is undefined and the force is NaN, unless l₀ and d are zero.

use crate::description::{Joint, Parent, Spring, Triple};
use crate::expr::{Expr, Rotation, Vector3};
use crate::joint::Chart;

use super::kinematics::Poses;
use super::lower;
use super::mechanism::{Mechanism, Placed};

/// A spring of a joint's coordinate.
struct JointSpring<'g> {
    /// The velocity coordinate that it acts on, and the rate of the joint's own coordinate for a unit of it.
    dof: usize,
    ratio: Expr<'g>,
    stretch: Expr<'g>,
    stiffness: Expr<'g>,
}

impl<'g> Mechanism<'g> {
    /// The generalised force of all springs and dampers.
    pub fn passive_force(&self) -> Vec<Expr<'g>> {
        let mut force = vec![self.graph.zero(); self.nv()];
        self.add_joint_forces(&mut force);
        if !self.description.springs.is_empty() {
            let poses = self.poses();
            for spring in &self.description.springs {
                self.add_spring(&poses, spring, &mut force);
            }
        }
        force
    }

    /// The energy that springs hold, ½ Σ k (q − q₀)² + ½ Σ k (l − l₀)²; zero at rest.
    pub fn elastic_energy(&self) -> Expr<'g> {
        let mut twice = self.graph.zero();
        for JointSpring { stretch, stiffness, .. } in self.joint_springs() {
            twice += stiffness * stretch.squared();
        }
        let poses = self.poses();
        for spring in &self.description.springs {
            let (between, _) = self.span(&poses, spring);
            let stretch = between.dot(between).sqrt() - lower::scalar(self.graph, &spring.rest);
            twice += lower::scalar(self.graph, &spring.stiffness) * stretch.squared();
        }
        0.5 * twice
    }

    fn add_joint_forces(&self, force: &mut [Expr<'g>]) {
        for (dof, ratio, coordinate) in self.weighted_coordinates() {
            let damping = lower::scalar(self.graph, &coordinate.damping);
            force[dof] -= damping * ratio.squared() * self.state.v[dof];
        }
        for JointSpring { dof, ratio, stretch, stiffness } in self.joint_springs() {
            force[dof] -= stiffness * stretch * ratio;
        }
    }

    /// The spring of each coordinate that is a number.
    fn joint_springs(&self) -> Vec<JointSpring<'g>> {
        let joints = self.description.joints.iter().enumerate();
        let joints = joints.filter(|(_, joint)| joint.family.chart() == Chart::Vector);
        let of = |(k, joint): (usize, &Joint)| {
            let (ratio, state) = self.coordinates_of(k);
            let first = self.leader(k).1;
            let springs = joint.coordinates.iter().zip(state.q).enumerate();
            let springs = springs.map(move |(i, (coordinate, q))| JointSpring {
                dof: first + i,
                ratio,
                stretch: q - lower::scalar(self.graph, &coordinate.rest),
                stiffness: lower::scalar(self.graph, &coordinate.stiffness),
            });
            springs.collect::<Vec<_>>()
        };
        joints.flat_map(of).collect()
    }

    /// Stiffness, damping and length at rest of each spring between points.
    pub fn spring_parameters(&self) -> Vec<Expr<'g>> {
        let of = |spring: &Spring| {
            [&spring.stiffness, &spring.damping, &spring.rest].map(|x| lower::scalar(self.graph, x))
        };
        self.description.springs.iter().flat_map(of).collect()
    }

    /// Δ of each spring between points, in the world, and its rate for a unit velocity of each coordinate.
    pub fn spring_spans(&self) -> Vec<Expr<'g>> {
        let poses = self.poses();
        let of = |spring: &Spring| {
            let (between, rates) = self.span(&poses, spring);
            [vec![between], rates].concat()
        };
        self.description.springs.iter().flat_map(of).flat_map(|x| x.0).collect()
    }

    /// The tension over the length, t / l, times Δ is the force on the first end; the second end
    /// feels its opposite. Where l₀ is zero no quotient is left of the elastic part.
    fn add_spring(&self, poses: &Poses<'g>, spring: &Spring, force: &mut [Expr<'g>]) {
        let (between, rates) = self.span(poses, spring);
        let [stiffness, damping, rest] = [&spring.stiffness, &spring.damping, &spring.rest]
            .map(|x| lower::scalar(self.graph, x));
        let inverse = self.graph.one() / between.dot(between).sqrt();
        let stretching = rates.iter().zip(&self.state.v);
        let rate = stretching.fold(Vector3::zero(self.graph), |sum, (&j, &v)| sum + j * v);
        let mut tension = stiffness * (self.graph.one() - rest * inverse);
        if !damping.is_zero() {
            tension += damping * between.dot(rate) * inverse.squared();
        }
        for (force, rate) in force.iter_mut().zip(rates) {
            *force -= rate.dot(between * tension);
        }
    }

    /// Δ in the world, and its rate for a unit velocity of each coordinate. A coordinate that moves
    /// both ends turns Δ without stretching it, and is left out.
    fn span(&self, poses: &Poses<'g>, spring: &Spring) -> (Vector3<'g>, Vec<Vector3<'g>>) {
        let places = [0, 1].map(|k| self.end(&spring.ends[k]));
        let points = [0, 1].map(|k| self.pose(poses, &places[k]).1);
        let shared =
            self.path(places[0].body).find(|&body| self.path(places[1].body).any(|b| b == body));
        let mut rates = vec![Vector3::zero(self.graph); self.nv()];
        for (k, sign) in [(0, -self.graph.one()), (1, self.graph.one())] {
            let bodies = self.path(places[k].body).take_while(|&body| Some(body) != shared);
            for (dof, twist) in self.world_columns(poses, bodies, points[k]) {
                rates[dof] += twist.linear * sign;
            }
        }
        (points[1] - points[0], rates)
    }

    fn end(&self, (parent, point): &(Parent, Triple)) -> Placed<'g> {
        let point = lower::vector(self.graph, point);
        match *parent {
            Parent::Link(link) => self.on_link(link, point),
            Parent::World => Placed { body: None, rotation: Rotation::identity(), position: point },
        }
    }
}
