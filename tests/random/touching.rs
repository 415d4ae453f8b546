//! Random ground of varying height, spheres of links, and shapes in pairs.

use fastrand::Rng;
use jourdain_codegen::description::{Contact, Geometry, Pair, Shape, Surface};
use jourdain_codegen::scalar::Scalar;

use super::{contact, name, number, placement, triple};

/// Over ground that is curved everywhere.
pub(super) fn over_ground(rng: &mut Rng, links: usize) -> Contact {
    let mut number = || number(rng, -0.5, 0.5);
    let [x, y] = [0, 1].map(Scalar::Ground);
    let wave = number() * Scalar::Sin(Box::new(x.clone() * Scalar::Number(2.0) + y.clone()));
    let height = wave + number() * x.clone() * y.clone() + number() * x * y.clone() * y;
    Contact { surface: Surface::Height(height), ..contact(rng, 2, links) }
}

/// Of spheres of two links, where there are two.
pub(super) fn spheres(rng: &mut Rng, links: usize) -> Option<Contact> {
    let other = rng.usize(0..links);
    let surface =
        Surface::Sphere { link: other, position: triple(rng, 0.5), radius: number(rng, 0.0, 0.2) };
    let contact = Contact { surface, ..contact(rng, 3, links) };
    (rng.bool() && contact.link != other).then_some(contact)
}

/// Half of the time, one of each kind, of which some are paired.
pub(super) fn shapes(rng: &mut Rng, links: usize) -> (Vec<Shape>, Vec<Pair>) {
    let [radius, length] = [0; 2].map(|_| number(rng, 0.1, 0.3));
    let all = [
        Geometry::Point,
        Geometry::Sphere { radius: radius.clone() },
        Geometry::Capsule { radius: radius.clone(), length: length.clone() },
        Geometry::Box { size: triple(rng, 1.0) },
        Geometry::Cylinder { radius, length },
        Geometry::Hull { points: vec![triple(rng, 1.0), triple(rng, 1.0)] },
    ];
    let mut shape = |(k, geometry): (usize, Geometry)| Shape {
        name: name(format!("shape {k}")),
        link: rng.usize(0..links),
        placement: placement(rng),
        geometry,
        friction: number(rng, 0.0, 1.0),
        restitution: number(rng, 0.0, 1.0),
    };
    let shapes = all.into_iter().enumerate().map(&mut shape).collect();
    let mut pair = |k: usize| Pair {
        name: name(format!("pair {k}")),
        shapes: [k, k + 1],
        friction: number(rng, 0.0, 1.0),
        restitution: number(rng, 0.0, 1.0),
        torsion: (0.01 * k as f64).into(),
        rolling: (0.003 * k as f64).into(),
        directions: 4,
    };
    let pairs = [1, 4].map(&mut pair).to_vec();
    if rng.bool() { (shapes, pairs) } else { (Vec::new(), Vec::new()) }
}
