//! How one frame moves as seen from another.
//!
//! With d from the origin of a to that of b, and all turned into the axes of a:
//!
//! > u = v_b − v_a − ω_a × d,  ω = ω_b − ω_a,
//! > u̇ = a_b − a_a − α_a × d − ω_a × (ω_a × d) − 2 ω_a × u,  ω̇ = α_b − α_a − ω_a × ω_b
//!
//! Both frames are seen from the body on which both hang, which does not change the result and spares
//! all that moves that body.

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

impl<'g> Relative<'g> {
    /// Of two places of a mechanism.
    pub(super) fn new(mechanism: &Mechanism<'g>, places: &[Place; 2]) -> Self {
        let places = [0, 1].map(|k| mechanism.placed(places[k].parent, &places[k].placement));
        let shared = mechanism.path(places[0].body);
        let shared = {
            let on_second = |body: &usize| mechanism.path(places[1].body).any(|b| b == *body);
            shared.into_iter().find(on_second)
        };
        match shared {
            None => Self::between(mechanism, &places),
            Some(_) => {
                let seen = mechanism.seen_from(shared);
                let own = |place: Placed<'g>| Placed {
                    body: place.body.filter(|&body| Some(body) != shared),
                    ..place
                };
                Self::between(&seen, &places.map(own))
            }
        }
    }

    /// Of what rolls, seen from the world.
    pub(super) fn of_center(mechanism: &Mechanism<'g>, rolling: &Rolling) -> Self {
        let world = Place { parent: Parent::World, placement: Placement::identity() };
        let placement =
            Placement { position: rolling.center.clone(), rotation: Orientation::Identity };
        Self::new(mechanism, &[world, Place { parent: Parent::Link(rolling.link), placement }])
    }

    fn between(mechanism: &Mechanism<'g>, places: &[Placed<'g>; 2]) -> Self {
        let poses = mechanism.poses();
        let still = vec![mechanism.graph.zero(); mechanism.nv()];
        let base = Vector3::zero(mechanism.graph);
        let accelerations = mechanism.accelerations(&mechanism.state.v, &still, base);
        let velocities = mechanism.velocities();
        let [a, b] =
            [0, 1].map(|k| motion(mechanism, &poses, &velocities, &accelerations, &places[k]));
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
        Self {
            position: inverse * between,
            rotation: inverse * b.rotation,
            velocity: turned(b.velocity.angular - spin, u),
            acceleration: turned(angular, linear),
            columns: columns(mechanism, &poses, places, b.position),
            axes: a.rotation,
        }
    }

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

fn motion<'g>(
    mechanism: &Mechanism<'g>,
    poses: &Poses<'g>,
    velocities: &[Twist<'g>],
    accelerations: &[Acceleration<'g>],
    place: &Placed<'g>,
) -> Motion<'g> {
    let (rotation, position) = mechanism.pose(poses, place);
    let Some(body) = place.body else {
        let still = Twist::zero(mechanism.graph);
        return Motion { rotation, position, velocity: still, acceleration: still };
    };
    let turn = |x| poses.rotation[body] * x;
    let (v, a) = (&velocities[body], &accelerations[body]);
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
fn columns<'g>(
    mechanism: &Mechanism<'g>,
    poses: &Poses<'g>,
    places: &[Placed<'g>; 2],
    x: Vector3<'g>,
) -> Vec<(usize, Twist<'g>)> {
    let minus = -mechanism.graph.one();
    let away = mechanism.world_columns(poses, mechanism.path(places[0].body), x);
    let mut columns = mechanism.world_columns(poses, mechanism.path(places[1].body), x);
    columns.extend(away.into_iter().map(|(dof, twist)| (dof, twist * minus)));
    columns
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
