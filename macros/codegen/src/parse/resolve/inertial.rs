//! Mass, centre of mass and inertia of a link from its draft.

use super::super::draft::{Extent, Link, Mass};
use super::super::reader::{At, Reader};
use super::rotation;
use crate::description::{About, Bound, Inertial, Triple};
use crate::scalar::Scalar;

/// What `link` says of its mass; an error if it says nothing.
pub(super) fn resolve(reader: &mut Reader<'_>, link: &Link) -> Inertial {
    let name = &link.name;
    let Some(mass) = &link.mass else {
        if link.massless.is_none() && !link.broken {
            let message = "has no mass: give it `mass = …`, or declare it `massless`";
            reader.error(&name.at, format!("link `{name}` {message}"));
        }
        return Inertial::massless();
    };
    let com = com(reader, link);
    let axes = rotation(reader, &format!("the inertia of link `{name}`"), link.rotation.clone());
    let total = total(reader, link, mass);
    let (inertia, about) = inertia(reader, link, &total, &com);
    Inertial { mass: total, com, inertia, about, axes }
}

fn com(reader: &mut Reader<'_>, link: &Link) -> Triple {
    match link.com.clone() {
        Some(At { value, at }) => {
            let quantity = format!("the centre of mass of link `{}`", link.name);
            reader.require_finite(quantity, &value, &at);
            value
        }
        None => [Scalar::ZERO; 3],
    }
}

/// The mass; a file or a field may state a mass of zero, the attribute says `massless`.
fn total(reader: &mut Reader<'_>, link: &Link, mass: &At<Mass>) -> Scalar {
    let name = &link.name;
    let value = match &mass.value {
        Mass::Total(value) | Mass::Density(value) => value,
    };
    let is_open = mass.at.file.is_some() || value.constant().is_none();
    let bound = if is_open { Bound::NonNegative } else { Bound::Positive };
    match (&mass.value, &link.extent) {
        (Mass::Total(total), _) => {
            let quantity = format!("the mass of link `{name}`");
            reader.require(quantity, bound, std::slice::from_ref(total), &mass.at);
            total.clone()
        }
        (Mass::Density(density), Some(At { value: Extent::Solid(solid), .. })) => {
            let quantity = format!("the density of link `{name}`");
            reader.require(quantity, bound, std::slice::from_ref(density), &mass.at);
            density.clone() * solid.volume()
        }
        // The entry's own errors say that a density needs a solid.
        (Mass::Density(_), _) => Scalar::ZERO,
    }
}

/// The inertia and what it is about. That of a file is taken as it is, with a warning
/// if no body has it.
fn inertia(
    reader: &mut Reader<'_>,
    link: &Link,
    mass: &Scalar,
    com: &Triple,
) -> ([Scalar; 6], About) {
    let zero = || Scalar::ZERO;
    match &link.extent {
        None => ([Scalar::ZERO; 6], About::CenterOfMass),
        Some(At { value: Extent::Solid(solid), .. }) => {
            let [xx, yy, zz] = solid.moments(mass.clone());
            ([xx, yy, zz, zero(), zero(), zero()], About::CenterOfMass)
        }
        Some(At { value: Extent::Inertia(six, about), at }) => {
            let central = match about {
                About::CenterOfMass => six.clone(),
                About::Origin => central(six, mass, com),
            };
            let quantity = format!("the inertia of link `{}`", link.name);
            if at.file.is_none() {
                reader.require(quantity, Bound::Inertia, &central, at);
            } else if central.iter().all(|x| x.constant().is_some_and(f64::is_finite)) {
                reader.advise(quantity, Bound::Inertia, &central, at);
            } else {
                reader.require_finite(quantity, &central, at);
            }
            (six.clone(), *about)
        }
    }
}

/// The inertia about the centre of mass: I − m (|c|² 1 − c cᵀ).
fn central(origin: &[Scalar; 6], mass: &Scalar, com: &Triple) -> [Scalar; 6] {
    let [xx, yy, zz, xy, xz, yz] = origin.clone();
    let part = |a: usize, b: usize| mass.clone() * com[a].clone() * com[b].clone();
    [
        xx - part(1, 1) - part(2, 2),
        yy - part(0, 0) - part(2, 2),
        zz - part(0, 0) - part(1, 1),
        xy + part(0, 1),
        xz + part(0, 2),
        yz + part(1, 2),
    ]
}
