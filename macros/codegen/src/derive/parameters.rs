//! What depends on the fields alone: limits, friction, the input matrix, parameters of contacts, shapes
//! and pairs, and the quantities that are checked at run time.

use crate::description::{Coordinate, Requirement, Shape, Surface};
use crate::expr::{Expr, Vector3, tangents};
use crate::scalar::Scalar;

use super::frames::flatten;
use super::lower;
use super::mass_matrix::Square;
use super::mechanism::Mechanism;

impl<'g> Mechanism<'g> {
    /// Lower and upper position limit, speed limit, effort limit, dry friction, damping and stiffness of every
    /// velocity coordinate. A follower adds its own, seen through its ratio, to its leader's.
    pub fn coordinate_parameters(&self) -> Vec<Expr<'g>> {
        let (infinity, zero) = (self.graph.constant(f64::INFINITY), self.graph.zero());
        let free = [-infinity, infinity, infinity, infinity, zero, zero, zero];
        let mut parameters = vec![free; self.nv()];
        for (k, joint) in self.description.joints.iter().enumerate() {
            if joint.mimic.is_some() {
                continue;
            }
            let first = self.coordinates[k].1;
            for (i, coordinate) in joint.coordinates.iter().enumerate() {
                parameters[first + i] = self.range(coordinate, free);
            }
        }
        for (dof, ratio, coordinate) in self.weighted_coordinates() {
            let [friction, damping, stiffness] =
                [&coordinate.friction, &coordinate.damping, &coordinate.stiffness]
                    .map(|x| lower::scalar(self.graph, x));
            parameters[dof][4] += friction * ratio.squared().sqrt();
            parameters[dof][5] += damping * ratio.squared();
            parameters[dof][6] += stiffness * ratio.squared();
        }
        parameters.into_iter().flatten().collect()
    }

    fn range(&self, coordinate: &Coordinate, mut free: [Expr<'g>; 7]) -> [Expr<'g>; 7] {
        if let Some([lower, upper]) = &coordinate.limits {
            free[0] = lower::scalar(self.graph, lower);
            free[1] = lower::scalar(self.graph, upper);
        }
        if let Some(limit) = &coordinate.velocity_limit {
            free[2] = lower::scalar(self.graph, limit);
        }
        if let Some(limit) = &coordinate.effort_limit {
            free[3] = lower::scalar(self.graph, limit);
        }
        free
    }

    /// Every described coordinate with the velocity coordinate that moves it and how fast it moves
    /// relative to that.
    pub(super) fn weighted_coordinates(&self) -> Vec<(usize, Expr<'g>, &'g Coordinate)> {
        let mut weighted = Vec::new();
        for (k, joint) in self.description.joints.iter().enumerate() {
            let (leader, ratio) = match &joint.mimic {
                Some(mimic) => (mimic.joint, lower::scalar(self.graph, &mimic.multiplier)),
                None => (k, self.graph.one()),
            };
            let first = self.coordinates[leader].1;
            for (i, coordinate) in joint.coordinates.iter().enumerate() {
                weighted.push((first + i, ratio, coordinate));
            }
        }
        weighted
    }

    /// Inertia that only one coordinate moves, followers' seen through their ratios.
    pub(super) fn armatures(&self) -> Vec<Expr<'g>> {
        let mut armatures = vec![self.graph.zero(); self.nv()];
        for (dof, ratio, coordinate) in self.weighted_coordinates() {
            armatures[dof] += lower::scalar(self.graph, &coordinate.armature) * ratio.squared();
        }
        armatures
    }

    /// B, row by row.
    pub fn input_matrix(&self) -> Square<'g> {
        let actuators = &self.description.actuators;
        let mut matrix = vec![vec![self.graph.zero(); actuators.len()]; self.nv()];
        for (k, actuator) in actuators.iter().enumerate() {
            let joint = &self.description.joints[actuator.joint];
            let (leader, ratio) = match &joint.mimic {
                Some(mimic) => (mimic.joint, lower::scalar(self.graph, &mimic.multiplier)),
                None => (actuator.joint, self.graph.one()),
            };
            let dof = self.coordinates[leader].1 + actuator.coordinate;
            matrix[dof][k] = lower::scalar(self.graph, &actuator.gear) * ratio;
        }
        matrix
    }

    /// μ, e, normal, tangents, radius, and coefficients of torsional friction and rolling of every contact; axes that turn are no numbers.
    pub fn contact_parameters(&self) -> Vec<Expr<'g>> {
        let mut parameters = Vec::new();
        for contact in &self.description.contacts {
            let axes = match &contact.surface {
                Surface::Plane { normal, .. } => {
                    let normal = lower::direction(self.graph, normal);
                    let [first, second] = tangents(normal);
                    [normal, first, second]
                }
                Surface::Height(_) | Surface::Sphere { .. } => {
                    [Vector3::constant(self.graph, [f64::NAN; 3]); 3]
                }
            };
            parameters.push(lower::scalar(self.graph, &contact.friction));
            parameters.push(lower::scalar(self.graph, &contact.restitution));
            parameters.extend(axes.into_iter().flat_map(|x| x.0));
            parameters.push(lower::scalar(self.graph, &contact.radius));
            let levers = [&contact.torsion, &contact.rolling];
            parameters.extend(levers.map(|x| lower::scalar(self.graph, x)));
        }
        parameters
    }

    /// Of every shape its rotation in the link, column by column, its position there, its sizes, μ and e.
    pub fn shape_parameters(&self) -> Vec<Expr<'g>> {
        let of = |shape: &Shape| {
            let (rotation, position) = lower::placement(self.graph, &shape.placement);
            let sizes = shape.geometry.sizes().into_iter().map(|x| lower::scalar(self.graph, x));
            let mut all = flatten((rotation.to_matrix(self.graph), position));
            all.extend(sizes);
            all.extend([&shape.friction, &shape.restitution].map(|x| lower::scalar(self.graph, x)));
            all
        };
        self.description.shapes.iter().flat_map(of).collect()
    }

    /// μ, e, and coefficients of torsional friction and rolling of every pair.
    pub fn pair_parameters(&self) -> Vec<Expr<'g>> {
        let pairs = self.description.pairs.iter();
        let numbers = pairs
            .flat_map(|pair| [&pair.friction, &pair.restitution, &pair.torsion, &pair.rolling]);
        numbers.map(|x| lower::scalar(self.graph, x)).collect()
    }

    /// The numbers that `requirements` bound, one after the other.
    pub fn required(&self, requirements: &[Requirement]) -> Vec<Expr<'g>> {
        let values = requirements.iter().flat_map(|requirement| &requirement.values);
        values.map(|x: &Scalar| lower::scalar(self.graph, x)).collect()
    }
}
