//! Random constraints of every kind.

use fastrand::Rng;
use jourdain_codegen::description::{
    Axis, Constraint, Joint, Law, Parent, Place, Response, Rolling, coordinates,
};
use jourdain_codegen::scalar::Scalar;

use super::{axis, name, number, placement, triple};

/// Two constraints of kinds that the seed chooses.
pub(super) fn constraints(rng: &mut Rng, joints: &[Joint]) -> Vec<Constraint> {
    let law = |rng: &mut Rng| match rng.u8(0..8) {
        0 | 1 => closure(rng, joints.len()),
        2 => Law::Rod { ends: places(rng, joints.len()), length: number(rng, 0.3, 1.0) },
        3 => Law::PointOnLine { points: places(rng, joints.len()), direction: axis(rng) },
        4 => Law::PointOnPlane { points: places(rng, joints.len()), normal: axis(rng) },
        5 => rolling(rng, joints.len()),
        6 => Law::Position(expression(rng, joints, false)),
        _ => Law::Velocity(expression(rng, joints, true)),
    };
    let response = |rng: &mut Rng| Response {
        stabilization: number(rng, 0.0, 10.0),
        acceleration: number(rng, -1.0, 1.0),
        velocity_after: number(rng, -1.0, 1.0),
        restitution: number(rng, 0.0, 1.0),
    };
    (0..2)
        .map(|k| Constraint {
            name: name(format!("constraint {k}")),
            law: law(rng),
            response: response(rng),
        })
        .collect()
}

fn place(rng: &mut Rng, links: usize) -> Place {
    let parent = if rng.u8(0..4) == 0 { Parent::World } else { Parent::Link(rng.usize(0..links)) };
    Place { parent, placement: placement(rng) }
}

/// On two links, or on one and the world.
fn places(rng: &mut Rng, links: usize) -> [Place; 2] {
    loop {
        let places = [place(rng, links), place(rng, links)];
        if places[0].parent != places[1].parent {
            return places;
        }
    }
}

fn closure(rng: &mut Rng, links: usize) -> Law {
    let mut axes: Vec<Axis> = (0..3).filter(|_| rng.bool()).map(Axis::Along).collect();
    axes.extend((0..3).filter(|_| rng.bool()).map(Axis::About));
    if axes.is_empty() || rng.u8(0..4) == 0 {
        axes.push(Axis::Screw([0; 6].map(|_| number(rng, -1.0, 1.0))));
    }
    Law::Closure { frames: places(rng, links), axes }
}

/// A disc, or a ball.
fn rolling(rng: &mut Rng, links: usize) -> Law {
    Law::Rolling(Rolling {
        link: rng.usize(0..links),
        center: triple(rng, 0.5),
        radius: number(rng, 0.1, 0.5),
        axis: rng.bool().then(|| axis(rng)),
        normal: axis(rng),
        offset: number(rng, -1.0, 1.0),
        tangential: rng.u8(0..4) == 0,
    })
}

/// A nonlinear function of some coordinates, of time, and of velocities if wanted.
fn expression(rng: &mut Rng, joints: &[Joint], of_velocity: bool) -> Scalar {
    let (_, nq, nv) = coordinates(joints);
    let q = |rng: &mut Rng| Scalar::Configuration(rng.usize(0..nq));
    let wave = Scalar::Sin(Box::new(q(rng) * number(rng, 0.5, 2.0) + Scalar::Time));
    let position = wave + q(rng) * q(rng) - number(rng, -1.0, 1.0);
    if !of_velocity {
        return position;
    }
    let v = |rng: &mut Rng| Scalar::Velocity(rng.usize(0..nv));
    let linear = v(rng) * number(rng, 0.5, 2.0) + v(rng) * q(rng);
    linear + v(rng) * v(rng) * number(rng, -1.0, 1.0) - position
}
