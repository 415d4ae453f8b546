//! How one frame moves as seen from another.
//!
//! With d from the origin of a to that of b, and all turned into the axes of a:
//!
//! > u = v_b − v_a − ω_a × d,  ω = ω_b − ω_a,
//! > u̇ = a_b − a_a − α_a × d − ω_a × (ω_a × d) − 2 ω_a × u,  ω̇ = α_b − α_a − ω_a × ω_b
//!
//! Both frames are seen from the body on which both hang, which does not change the result and spares
//! all that moves that body.

use std::collections::HashMap;

use crate::description::{Parent, Place, Placement, Rolling, Rotation as Orientation};
use crate::expr::{Expr, Matrix3, Vector3};
use crate::joint::Twist;

use super::super::kinematics::{Acceleration, Poses};
use super::super::mechanism::{Mechanism, Placed};
use super::Row;

/// The motion of frame b relative to frame a, in the axes of a.
#[derive(Debug)]
pub(super) struct Relative<'g> {
    /// The origin of b.
    pub(super) position: Vector3<'g>,
    /// From the axes of b to those of a.
    pub(super) rotation: Matrix3<'g>,
    pub(super) velocity: Twist<'g>,
    /// At v̇ = 0.
    acceleration: Twist<'g>,
    /// The velocity for a unit velocity of each coordinate, in other axes.
    columns: Vec<(usize, Twist<'g>)>,
    /// From the axes of a to those of the columns.
    axes: Matrix3<'g>,
}

/// A row as a function of relative motion: ḣ = linear · u + angular · ω.
#[derive(Clone, Debug)]
pub(super) struct Gradient<'g> {
    /// h; zero of a row of velocities.
    pub(super) error: Expr<'g>,
    pub(super) linear: Vector3<'g>,
    pub(super) angular: Vector3<'g>,
    /// How fast `linear` changes.
    pub(super) linear_rate: Vector3<'g>,
    /// How fast `angular` changes.
    pub(super) angular_rate: Vector3<'g>,
}

/// How a frame moves, in common axes.
struct Motion<'g> {
    rotation: Matrix3<'g>,
    position: Vector3<'g>,
    velocity: Twist<'g>,
    acceleration: Twist<'g>,
}

/// A mechanism as it is seen from each of the bodies from which frames are.
#[derive(Debug)]
pub(super) struct Views<'m, 'g> {
    mechanism: &'m Mechanism<'g>,
    seen: HashMap<Option<usize>, View<'g>>,
}

/// All bodies as they are seen from one of them, or from the world.
#[derive(Debug)]
struct View<'g> {
    mechanism: Mechanism<'g>,
    poses: Poses<'g>,
    velocities: Vec<Twist<'g>>,
    /// At v̇ = 0.
    accelerations: Vec<Acceleration<'g>>,
}

impl<'m, 'g> Views<'m, 'g> {
    pub(super) fn new(mechanism: &'m Mechanism<'g>) -> Self {
        Self { mechanism, seen: HashMap::new() }
    }

    /// How the second of two places moves relative to the first.
    pub(super) fn between(&mut self, places: &[Place; 2]) -> Relative<'g> {
        let m = self.mechanism;
        let places = [0, 1].map(|k| m.placed(places[k].parent, &places[k].placement));
        let on_second = |body: &usize| m.path(places[1].body).any(|other| other == *body);
        let shared = m.path(places[0].body).find(on_second);
        let view = self.seen.entry(shared).or_insert_with(|| View::new(m.seen_from(shared)));
        let own = |place: Placed<'g>| Placed {
            body: place.body.filter(|&body| Some(body) != shared),
            ..place
        };
        view.between(&places.map(own))
    }

    /// How the centre of what rolls moves in the world.
    pub(super) fn of_center(&mut self, rolling: &Rolling) -> Relative<'g> {
        let world = Place { parent: Parent::World, placement: Placement::identity() };
        let placement =
            Placement { position: rolling.center.clone(), rotation: Orientation::Identity };
        self.between(&[world, Place { parent: Parent::Link(rolling.link), placement }])
    }
}

impl<'g> View<'g> {
    fn new(mechanism: Mechanism<'g>) -> Self {
        let still = vec![mechanism.graph.zero(); mechanism.nv()];
        let base = Vector3::zero(mechanism.graph);
        Self {
            poses: mechanism.poses(),
            velocities: mechanism.velocities(),
            accelerations: mechanism.accelerations(&mechanism.state.v, &still, base),
            mechanism,
        }
    }

    fn between(&self, places: &[Placed<'g>; 2]) -> Relative<'g> {
        let mechanism = &self.mechanism;
        let [a, b] = [0, 1].map(|k| self.motion(&places[k]));
        let between = b.position - a.position;
        let spin = a.velocity.angular;
        let u = b.velocity.linear - a.velocity.linear - spin.cross(between);
        let two = mechanism.graph.constant(2.0);
        let dragged = a.acceleration.angular.cross(between) + spin.cross(spin.cross(between));
        let linear = b.acceleration.linear - a.acceleration.linear - dragged - spin.cross(u) * two;
        let angular =
            b.acceleration.angular - a.acceleration.angular - spin.cross(b.velocity.angular);
        let inverse = a.rotation.transpose();
        let turned =
            |angular, linear| Twist { angular: inverse * angular, linear: inverse * linear };
        Relative {
            position: inverse * between,
            rotation: inverse * b.rotation,
            velocity: turned(b.velocity.angular - spin, u),
            acceleration: turned(angular, linear),
            columns: self.columns(places, b.position),
            axes: a.rotation,
        }
    }

    fn motion(&self, place: &Placed<'g>) -> Motion<'g> {
        let (rotation, position) = self.mechanism.pose(&self.poses, place);
        let Some(body) = place.body else {
            let still = Twist::zero(self.mechanism.graph);
            return Motion { rotation, position, velocity: still, acceleration: still };
        };
        let turn = |x| self.poses.rotation[body] * x;
        let (v, a) = (&self.velocities[body], &self.accelerations[body]);
        Motion {
            rotation,
            position,
            velocity: Twist {
                angular: turn(v.angular),
                linear: turn(v.linear + v.angular.cross(place.position)),
            },
            acceleration: Twist {
                angular: turn(a.angular),
                linear: turn(a.linear + a.field * place.position),
            },
        }
    }

    /// The relative velocity at the point `x` for a unit velocity of each coordinate.
    fn columns(&self, places: &[Placed<'g>; 2], x: Vector3<'g>) -> Vec<(usize, Twist<'g>)> {
        let m = &self.mechanism;
        let of = |place: &Placed<'g>| m.world_columns(&self.poses, m.path(place.body), x);
        let (away, mut columns) = (of(&places[0]), of(&places[1]));
        let minus = -m.graph.one();
        columns.extend(away.into_iter().map(|(dof, twist)| (dof, twist * minus)));
        columns
    }
}

impl<'g> Relative<'g> {
    /// The row of a gradient.
    pub(super) fn row(&self, gradient: &Gradient<'g>, nv: usize) -> Row<'g> {
        let Gradient { error, linear, angular, linear_rate, angular_rate } = *gradient;
        let (v, a) = (&self.velocity, &self.acceleration);
        let mut jacobian = vec![error.graph().zero(); nv];
        let (along, about) = (self.axes * linear, self.axes * angular);
        for (dof, column) in &self.columns {
            jacobian[*dof] += along.dot(column.linear) + about.dot(column.angular);
        }
        Row {
            error,
            rate: linear.dot(v.linear) + angular.dot(v.angular),
            jacobian,
            bias: linear.dot(a.linear)
                + angular.dot(a.angular)
                + linear_rate.dot(v.linear)
                + angular_rate.dot(v.angular),
        }
    }

    /// The place of b along a constant direction of a.
    pub(super) fn along(&self, direction: Vector3<'g>) -> Gradient<'g> {
        let zero = Vector3::zero(direction[0].graph());
        Gradient {
            error: direction.dot(self.position),
            linear: direction,
            angular: zero,
            linear_rate: zero,
            angular_rate: zero,
        }
    }

    /// (|d|² − l²) / 2l, which is the excess of the distance where it is small.
    pub(super) fn distance(&self, length: Expr<'g>) -> Gradient<'g> {
        let inverse = length.graph().one() / length;
        let square = self.position.dot(self.position) * inverse;
        Gradient {
            error: 0.5 * (square - length),
            linear_rate: self.velocity.linear * inverse,
            ..self.along(self.position * inverse)
        }
    }
}

impl<'g> Mechanism<'g> {
    /// The same bodies where what hangs on `ancestor` hangs on the world.
    fn seen_from(&self, ancestor: Option<usize>) -> Self {
        let mut seen = self.clone();
        for body in &mut seen.bodies {
            body.parent = body.parent.filter(|&parent| Some(parent) != ancestor);
        }
        seen
    }
}
