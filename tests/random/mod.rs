//! Random mechanisms from a seed: trees of all joint families, with everything hanging on them that
//! a description can say.

mod constraint;
mod touching;

use fastrand::Rng;
use jourdain_codegen::description::{
    About, Actuator, Contact, Coordinate, Description, Frame, Inertial, Joint, Limit, Link, Mimic,
    Parent, Placement, Rotation, Spring, Surface, Triple, coordinates as coordinates_of,
};
use jourdain_codegen::diagnostic::{Location, Name};
use jourdain_codegen::joint::{Chart, FAMILIES, Family};
use jourdain_codegen::scalar::Scalar;
use proc_macro2::Span;

/// A tree of 1 to 12 joints.
pub(crate) fn mechanism(seed: u64) -> Description {
    let rng = &mut Rng::with_seed(seed);
    let count = rng.usize(1..=12);
    let mut joints: Vec<Joint> = Vec::new();
    let mut links = Vec::new();
    for k in 0..count {
        links.push(link(rng, k));
        let joint = joint(rng, k, &joints);
        joints.push(joint);
    }
    let actuators = (0..count)
        .filter(|&k| joints[k].mimic.is_none() && joints[k].family.nv() > 0)
        .map(|k| Actuator {
            name: name(format!("motor {k}")),
            joint: k,
            coordinate: rng.usize(0..joints[k].family.nv()),
            gear: number(rng, 0.5, 3.0),
        })
        .collect();
    let mut contacts: Vec<_> = (0..2).map(|k| contact(rng, k, count)).collect();
    let frames = (0..2)
        .map(|k| Frame {
            name: name(format!("frame {k}")),
            link: rng.usize(0..count),
            placement: placement(rng),
            held: k == 0 && count < 4,
        })
        .collect();
    let springs = (0..2).map(|k| spring(rng, k, count)).collect();
    let constraints = constraint::constraints(rng, &joints);
    let limits = limits(rng, &joints);
    if rng.bool() {
        contacts.insert(1, touching::over_ground(rng, count));
    }
    contacts.extend(touching::spheres(rng, count));
    let (shapes, pairs) = touching::shapes(rng, count);
    Description {
        name: format!("Random{seed}"),
        fields: Vec::new(),
        gravity: triple(rng, 5.0),
        links,
        joints,
        contacts,
        frames,
        actuators,
        springs,
        constraints,
        limits,
        shapes,
        pairs,
        root: None,
    }
}

fn name(text: String) -> Name {
    Name { text, at: Location::token(Span::call_site()) }
}

fn between(rng: &mut Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.f64()
}

fn number(rng: &mut Rng, low: f64, high: f64) -> Scalar {
    Scalar::Number(between(rng, low, high))
}

fn triple(rng: &mut Rng, size: f64) -> Triple {
    [0; 3].map(|_| number(rng, -size, size))
}

fn rotation(rng: &mut Rng) -> Rotation {
    match rng.u8(0..3) {
        0 => Rotation::Identity,
        1 => Rotation::Rpy(triple(rng, 3.0)),
        _ => Rotation::Quaternion([0; 4].map(|_| number(rng, -1.0, 1.0))),
    }
}

fn placement(rng: &mut Rng) -> Placement {
    Placement { position: triple(rng, 0.7), rotation: rotation(rng) }
}

/// Principal moments from a box of mass, so that the triangle inequality holds.
fn link(rng: &mut Rng, k: usize) -> Link {
    let mass = between(rng, 0.1, 3.0);
    let [a, b, c] = [0; 3].map(|_| mass * between(rng, 0.01, 0.2));
    let diagonal = [b + c, a + c, a + b].map(Scalar::Number);
    let [xx, yy, zz] = diagonal;
    let inertial = Inertial {
        mass: Scalar::Number(mass),
        com: triple(rng, 0.3),
        inertia: [xx, yy, zz, Scalar::ZERO, Scalar::ZERO, Scalar::ZERO],
        about: About::CenterOfMass,
        axes: rotation(rng),
    };
    Link { name: name(format!("link {k}")), inertial }
}

/// The first joint is on the world and moves; any other hangs on an earlier link, and may follow an
/// earlier joint of one coordinate.
fn joint(rng: &mut Rng, k: usize, earlier: &[Joint]) -> Joint {
    let family = loop {
        let family = FAMILIES[rng.usize(0..FAMILIES.len())];
        let world_only = family.keyword() == "floating" && k > 0 && rng.u8(0..4) > 0;
        if !(world_only || k == 0 && family.nv() == 0) {
            break family;
        }
    };
    let parent = if k == 0 { Parent::World } else { Parent::Link(rng.usize(0..k)) };
    let parallel = parallel_axes(rng, parent, family, earlier);
    let leaders: Vec<usize> =
        (0..k).filter(|&j| earlier[j].mimic.is_none() && earlier[j].family.nv() == 1).collect();
    let follows = family.nv() == 1 && !leaders.is_empty() && rng.u8(0..5) == 0;
    let mimic = follows.then(|| Mimic {
        joint: leaders[rng.usize(0..leaders.len())],
        multiplier: number(rng, -2.0, 2.0),
        offset: number(rng, -1.0, 1.0),
    });
    Joint {
        name: name(format!("joint {k}")),
        family,
        parent,
        child: k,
        origin: match parallel {
            Some(_) => Placement { rotation: Rotation::Identity, ..placement(rng) },
            None => placement(rng),
        },
        axes: parallel.unwrap_or_else(|| (0..family.facts().axes).map(|_| axis(rng)).collect()),
        pitch: if family.facts().has_pitch { number(rng, -0.3, 0.3) } else { Scalar::ZERO },
        coordinates: coordinates(rng, family),
        mimic,
    }
}

/// The axis of the joint that carries the parent, a third of the time where both have one.
fn parallel_axes(
    rng: &mut Rng,
    parent: Parent,
    family: &'static dyn Family,
    earlier: &[Joint],
) -> Option<Vec<Triple>> {
    let Parent::Link(parent) = parent else {
        return None;
    };
    let alike = family.facts().axes == 1 && earlier[parent].axes.len() == 1;
    (alike && rng.u8(0..3) == 0).then(|| earlier[parent].axes.clone())
}

/// Along a coordinate axis half of the time, as in most robots.
fn axis(rng: &mut Rng) -> Triple {
    if rng.bool() {
        return triple(rng, 1.0);
    }
    let mut axis = [Scalar::ZERO; 3];
    axis[rng.usize(0..3)] = Scalar::Number(if rng.bool() { 1.0 } else { -1.0 });
    axis
}

/// Only coordinates with q̇ = v, and the three of a spherical joint together, can have armature: it
/// would otherwise be no quadratic form of a rate.
fn coordinates(rng: &mut Rng, family: &'static dyn Family) -> Vec<Coordinate> {
    let mut coordinates: Vec<_> = (0..family.nv()).map(|_| coordinate(rng, family)).collect();
    let shared = match family.chart() {
        Chart::Vector => return coordinates,
        Chart::Quaternion => number(rng, 0.0, 0.1),
        Chart::Pose => Scalar::ZERO,
    };
    coordinates.iter_mut().for_each(|coordinate| coordinate.armature = shared.clone());
    coordinates
}

fn coordinate(rng: &mut Rng, family: &'static dyn Family) -> Coordinate {
    let elastic = family.facts().has_limits;
    Coordinate {
        limits: elastic.then(|| [number(rng, -3.0, -1.0), number(rng, 1.0, 3.0)]),
        damping: number(rng, 0.0, 0.5),
        stiffness: if elastic { number(rng, 0.0, 5.0) } else { Scalar::ZERO },
        rest: if elastic { number(rng, -1.0, 1.0) } else { Scalar::ZERO },
        armature: number(rng, 0.0, 0.1),
        ..Coordinate::default()
    }
}

pub(crate) fn contact(rng: &mut Rng, k: usize, links: usize) -> Contact {
    Contact {
        name: name(format!("contact {k}")),
        link: rng.usize(0..links),
        position: triple(rng, 0.5),
        radius: number(rng, 0.0, 0.2),
        friction: number(rng, 0.0, 1.0),
        restitution: number(rng, 0.0, 1.0),
        torsion: Scalar::Number(0.02 * k as f64),
        rolling: Scalar::Number(0.005 * k as f64),
        surface: Surface::Plane { normal: axis(rng), offset: number(rng, -1.0, 1.0) },
        directions: 4,
    }
}

/// A patch of many contacts on a link, then one of few, each of one radius and one ground; what is at the end of the first may lie
/// beside what is of the next.
fn with_patches(mut description: Description, seed: u64) -> Description {
    let rng = &mut Rng::with_seed(seed);
    let links = description.links.len();
    description.contacts.clear();
    for patch in 0..2 {
        let all = contact(rng, patch, links);
        // In some all points are as high.
        let height = seed.is_multiple_of(4).then(|| all.position[2].clone());
        for k in 0..[rng.usize(16..20), rng.usize(2..6)][patch] {
            let [x, y, z] = triple(rng, 0.5);
            let position = [x, y, height.clone().unwrap_or(z)];
            let name = name(format!("point {k} of {patch}"));
            description.contacts.push(Contact { name, position, ..all.clone() });
        }
    }
    description
}

/// A random mechanism; every other one on patches of contacts.
pub(crate) fn or_on_patches(seed: u64) -> Description {
    let description = mechanism(seed);
    if seed.is_multiple_of(2) { with_patches(description, seed) } else { description }
}

/// One limit of a nonlinear function for every third mechanism.
fn limits(rng: &mut Rng, joints: &[Joint]) -> Vec<Limit> {
    let nq = coordinates_of(joints).1;
    let some = rng.u8(0..3) == 0;
    let mut q = || Scalar::Configuration(rng.usize(0..nq));
    let function = q() * q() + Scalar::Sin(Box::new(q())) - Scalar::Number(0.3);
    some.then(|| Limit { name: name("limit".to_owned()), function }).into_iter().collect()
}

fn spring(rng: &mut Rng, k: usize, links: usize) -> Spring {
    let first = if rng.bool() { Parent::World } else { Parent::Link(rng.usize(0..links)) };
    let second = Parent::Link(rng.usize(0..links));
    Spring {
        name: name(format!("spring {k}")),
        ends: [(first, triple(rng, 0.5)), (second, triple(rng, 0.5))],
        stiffness: number(rng, 1.0, 20.0),
        damping: number(rng, 0.0, 1.0),
        rest: number(rng, 0.0, 0.5),
    }
}
