//! `<link>`.

use super::super::draft::{Extent, Link, Mass};
use super::super::reader::{At, Reader};
use super::origin;
use super::source::{Element, scalar};
use crate::description::About;
use crate::scalar::Scalar;

/// Reads a link; without `<inertial>` it is massless.
pub(super) fn read(reader: &mut Reader<'_>, element: Element<'_, '_>) -> Option<Link> {
    let before = reader.errors.len();
    let mut link = Link::new(element.name(reader, "name")?);
    match element.child("inertial") {
        Some(inertial) => read_inertial(reader, inertial, &mut link),
        None => link.massless = Some(link.name.at.clone()),
    }
    link.broken = reader.errors.len() > before;
    Some(link)
}

fn read_inertial(reader: &mut Reader<'_>, inertial: Element<'_, '_>, link: &mut Link) {
    if let Some(origin) = inertial.child("origin") {
        (link.com, link.rotation) = origin::read(reader, origin);
    }
    let mass = inertial.required(reader, "mass");
    let mass = mass.and_then(|mass| mass.required_number(reader, "value"));
    link.mass = mass.map(scalar).map(|At { value, at }| At { value: Mass::Total(value), at });
    link.extent = inertial.required(reader, "inertia").and_then(|tensor| inertia(reader, tensor));
}

fn inertia(reader: &mut Reader<'_>, tensor: Element<'_, '_>) -> Option<At<Extent>> {
    let keys = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];
    let six = keys.map(|key| tensor.required_number(reader, key).map(|number| number.value));
    let [Some(xx), Some(yy), Some(zz), Some(xy), Some(xz), Some(yz)] = six else {
        return None;
    };
    let six = [xx, yy, zz, xy, xz, yz].map(Scalar::Number);
    Some(At { value: Extent::Inertia(six, About::CenterOfMass), at: tensor.at() })
}
