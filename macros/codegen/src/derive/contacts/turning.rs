//! Contacts whose normal turns with the configuration.
//!
//! See [`Local`] for the gap, and for force d and moments m₁, m₂ of each row about the centres c₁ and c₂,
//! as functions of r = c₁ − c₂. Then
//!
//! > J v = d · (ċ₁ − ċ₂) + m₁ · ω₁ − m₂ · ω₂,
//! > J̇ v = d · (c̈₁ − c̈₂) + m₁ · α₁ − m₂ · α₂ + ḋ · (ċ₁ − ċ₂) + ṁ₁ · ω₁ − ṁ₂ · ω₂  at v̇ = 0.
//!
//! Over the ground, c₂ is the world's origin.

use crate::description::{Contact, Triple};
use crate::expr::{Expr, Symbol, Vector3};
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

    /// Velocity and acceleration of a centre, in world axes.
    fn moving(
        &self,
        k: usize,
        poses: &Poses<'g>,
        motion: &Motion<'g>,
        zero: Expr<'g>,
    ) -> [Twist<'g>; 2] {
        let place = self.places.get(k);
        let Some((place, body)) = place.and_then(|place| Some((place, place.body?))) else {
            return [Twist::zero(zero.graph()); 2];
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
        self.centers[0] + self.here.arm
    }

    fn jacobian(&self, mechanism: &Mechanism<'g>, poses: &Poses<'g>) -> Square<'g> {
        let mut rows = vec![vec![mechanism.graph.zero(); mechanism.nv()]; 3];
        let Local { forces, moments, .. } = &self.here;
        for (k, center) in self.centers.into_iter().enumerate() {
            for (dof, twist) in mechanism.world_columns(poses, self.path(mechanism, k), center) {
                for (i, row) in rows.iter_mut().enumerate() {
                    let entry = forces[i].dot(twist.linear) + moments[k][i].dot(twist.angular);
                    row[dof] += if k == 0 { entry } else { -entry };
                }
            }
        }
        rows
    }

    fn bias(
        &self,
        mechanism: &Mechanism<'g>,
        poses: &Poses<'g>,
        motion: &Motion<'g>,
    ) -> [Expr<'g>; 3] {
        let graph = mechanism.graph;
        let moving = [0, 1].map(|k| self.moving(k, poses, motion, graph.zero()));
        let [velocity, acceleration] =
            [0, 1].map(|order| moving[0][order].linear - moving[1][order].linear);
        let between = self.centers[0] - self.centers[1];
        let symbols = [(symbols::PLACE, between), (symbols::MOTION, velocity)];
        let rates = graph.directional_derivative(&self.function.flat(), |symbol| {
            let rate = || graph.symbol(symbols::MOTION, symbol.index as usize);
            (symbol.set == symbols::PLACE).then(rate)
        });
        let rates = graph.substituted(&rates, |symbol| {
            symbols.iter().find_map(|(set, value)| part(symbol, *set, *value))
        });
        let (here, rate) = (&self.here, Local::from_flat(&rates));
        [0, 1, 2].map(|i| {
            let turned = |k: usize| {
                let [velocity, acceleration] = &moving[k];
                here.moments[k][i].dot(acceleration.angular)
                    + rate.moments[k][i].dot(velocity.angular)
            };
            let carried = here.forces[i].dot(acceleration) + rate.forces[i].dot(velocity);
            carried + turned(0) - turned(1)
        })
    }
}

/// The entry of `vector` that a symbol of the set stands for.
fn part<'g>(symbol: Symbol, set: u8, vector: Vector3<'g>) -> Option<Expr<'g>> {
    (symbol.set == set).then(|| vector[symbol.index as usize])
}
