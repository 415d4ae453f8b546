//! Contacts whose normal turns with the configuration.
//!
//! See [`Local`] for the gap, and for the force d and the arms A from the centre c₁ and B = A + r from c₂
//! of each row, as functions of r = c₁ − c₂. Then
//!
//! > J v = d · (u₁ − u₂),  u₁ = ċ₁ + ω₁ × A,  u₂ = ċ₂ + ω₂ × B,
//! > J̇ v = ḋ · (u₁ − u₂) + d · (u̇₁ − u̇₂),  u̇₁ = c̈₁ + α₁ × A + ω₁ × Ȧ at v̇ = 0, and u̇₂ alike.
//!
//! Over the ground, c₂ is the world's origin.

use crate::description::{Contact, Triple};
use crate::expr::{Expr, Graph, Symbol, Vector3};
use crate::joint::Twist;
use crate::scalar::Scalar;

use super::super::kinematics::Poses;
use super::super::lower;
use super::super::mass_matrix::Square;
use super::super::mechanism::{Mechanism, Placed};
use super::super::symbols;
use super::local::Local;
use super::{Motion, Touch};

/// A contact whose normal turns, at a configuration.
#[derive(Clone, Debug)]
pub(super) struct Turning<'g> {
    /// The centres.
    places: Vec<Placed<'g>>,
    /// Where they are in the world; a missing one is at the origin.
    centers: [Vector3<'g>; 2],
    /// As a function of where the one is relative to the other.
    function: Local<'g>,
    /// The same where it is.
    here: Local<'g>,
}

impl<'g> Turning<'g> {
    /// Over ground of varying height.
    pub(super) fn over(
        mechanism: &Mechanism<'g>,
        poses: &Poses<'g>,
        contact: &Contact,
        height: &Scalar,
    ) -> Self {
        let graph = mechanism.graph;
        let radius = lower::scalar(graph, &contact.radius);
        let place = mechanism.on_link(contact.link, lower::vector(graph, &contact.position));
        Self::new(mechanism, poses, vec![place], Local::over_ground(graph, height, radius))
    }

    /// Between a sphere and that of another link.
    pub(super) fn between(
        mechanism: &Mechanism<'g>,
        poses: &Poses<'g>,
        contact: &Contact,
        (link, position, radius): (usize, &Triple, &Scalar),
    ) -> Self {
        let graph = mechanism.graph;
        let radii = [&contact.radius, radius].map(|radius| lower::scalar(graph, radius));
        let places = [(contact.link, &contact.position), (link, position)];
        let on_link = |(link, x)| mechanism.on_link(link, lower::vector(graph, x));
        let places = places.map(on_link).to_vec();
        Self::new(mechanism, poses, places, Local::of_spheres(graph, radii))
    }

    fn new(
        mechanism: &Mechanism<'g>,
        poses: &Poses<'g>,
        places: Vec<Placed<'g>>,
        function: Local<'g>,
    ) -> Self {
        let graph = mechanism.graph;
        let mut centers = [Vector3::zero(graph); 2];
        for (center, place) in centers.iter_mut().zip(&places) {
            *center = mechanism.pose(poses, place).1;
        }
        let between = centers[0] - centers[1];
        let here =
            graph.substituted(&function.flat(), |symbol| part(symbol, symbols::PLACE, between));
        Self { places, centers, function, here: Local::from_flat(&here) }
    }

    /// The bodies that move one centre and not the other.
    fn path<'m>(
        &'m self,
        mechanism: &'m Mechanism<'g>,
        k: usize,
    ) -> impl Iterator<Item = usize> + 'm {
        let body = |k: usize| self.places.get(k).and_then(|place| place.body);
        let other = body(1 - k);
        let shared = move |on: &usize| mechanism.path(other).any(|body| body == *on);
        mechanism.path(body(k)).filter(move |on| !shared(on))
    }

    /// How fast all of it changes where r, which is `between`, changes at the rate `drift`.
    fn rates(&self, graph: &'g Graph, between: Vector3<'g>, drift: Vector3<'g>) -> Local<'g> {
        let rates = graph.directional_derivative(&self.function.flat(), |symbol| {
            let rate = || graph.symbol(symbols::MOTION, symbol.index as usize);
            (symbol.set == symbols::PLACE).then(rate)
        });
        let rates = graph.substituted(&rates, |symbol| {
            let place = part(symbol, symbols::PLACE, between);
            place.or_else(|| part(symbol, symbols::MOTION, drift))
        });
        Local::from_flat(&rates)
    }

    /// Velocity and acceleration of a centre, in world axes.
    fn moving(&self, k: usize, poses: &Poses<'g>, motion: &Motion<'g>) -> [Twist<'g>; 2] {
        let place = self.places.get(k);
        let Some((place, body)) = place.and_then(|place| Some((place, place.body?))) else {
            return [Twist::zero(self.here.gap.graph()); 2];
        };
        let turn = |angular, linear| Twist {
            angular: poses.rotation[body] * angular,
            linear: poses.rotation[body] * linear,
        };
        let (v, a) = (&motion.velocities[body], &motion.accelerations[body]);
        [
            turn(v.angular, v.linear + v.angular.cross(place.position)),
            turn(a.angular, a.linear + a.field * place.position),
        ]
    }
}

impl<'g> Touch<'g> for Turning<'g> {
    fn gap(&self) -> Expr<'g> {
        self.here.gap
    }

    fn turned(&self) -> Option<[Vector3<'g>; 3]> {
        Some(self.here.axes)
    }

    fn point(&self) -> Vector3<'g> {
        self.centers[0] + self.here.arms[1]
    }

    fn jacobian(&self, mechanism: &Mechanism<'g>, poses: &Poses<'g>) -> Square<'g> {
        let mut rows = vec![vec![mechanism.graph.zero(); mechanism.nv()]; 3];
        for (i, row) in rows.iter_mut().enumerate() {
            let (force, x) = (self.here.forces[i], self.centers[0] + self.here.arms[i]);
            let moving = |k| mechanism.world_columns(poses, self.path(mechanism, k), x);
            moving(0).iter().for_each(|(dof, twist)| row[*dof] += force.dot(twist.linear));
            moving(1).iter().for_each(|(dof, twist)| row[*dof] -= force.dot(twist.linear));
        }
        rows
    }

    fn bias(
        &self,
        mechanism: &Mechanism<'g>,
        poses: &Poses<'g>,
        motion: &Motion<'g>,
    ) -> [Expr<'g>; 3] {
        let moving = [0, 1].map(|k| self.moving(k, poses, motion));
        let drift = moving[0][0].linear - moving[1][0].linear;
        let between = self.centers[0] - self.centers[1];
        let rate = self.rates(mechanism.graph, between, drift);
        [0, 1, 2].map(|i| {
            let (arm, turning) = (self.here.arms[i], rate.arms[i]);
            let arms = [(arm, turning), (arm + between, turning + drift)];
            let [(u, a), (other_u, other_a)] = [0, 1].map(|k| {
                let ([velocity, acceleration], (arm, turning)) = (&moving[k], arms[k]);
                let dragged = acceleration.angular.cross(arm) + velocity.angular.cross(turning);
                let u = velocity.linear + velocity.angular.cross(arm);
                (u, acceleration.linear + dragged)
            });
            rate.forces[i].dot(u - other_u) + self.here.forces[i].dot(a - other_a)
        })
    }
}

/// The entry of `vector` that a symbol of the set stands for.
fn part<'g>(symbol: Symbol, set: u8, vector: Vector3<'g>) -> Option<Expr<'g>> {
    (symbol.set == set).then(|| vector[symbol.index as usize])
}
