//! Random mechanisms whose dampers, springs, limits, friction and ground are fields, so that few structs are many
//! mechanisms.

use std::fmt::Write;

use fastrand::Rng;
use jourdain_codegen::description::{
    Axis, Constraint, Contact, Coordinate, Description, Law, Parent, Place, Placement, Response,
    Rotation, Surface, Triple, coordinates,
};
use jourdain_codegen::scalar::Scalar;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::random;

/// What differs among mechanisms of one struct, in the order of their fields.
pub(crate) const FIELDS: [&str; 21] = [
    "damping",
    "stiffness",
    "dry_friction",
    "range",
    "spring",
    "damper",
    "friction",
    "torsion",
    "rolling",
    "level",
    "length",
    "px",
    "py",
    "pz",
    "value",
    "c0",
    "c1",
    "c2",
    "c3",
    "r0",
    "r1",
];

/// What tests call the places of some, the first where there are several.
const PLACES: [(&str, &str); 15] = [
    ("DAMPING", "damping"),
    ("STIFFNESS", "stiffness"),
    ("DRY_FRICTION", "dry_friction"),
    ("RANGE", "range"),
    ("SPRING", "spring"),
    ("DAMPER", "damper"),
    ("FRICTION", "friction"),
    ("TORSION", "torsion"),
    ("ROLLING", "rolling"),
    ("LEVEL", "level"),
    ("LENGTH", "length"),
    ("PLACE", "px"),
    ("VALUE", "value"),
    ("RAISED", "c0"),
    ("REST", "r0"),
];

fn field(name: &str) -> Scalar {
    let place = FIELDS.iter().position(|field| *field == name);
    place.map_or(Scalar::Number(f64::NAN), Scalar::Field)
}

/// A random mechanism with these fields, and a constraint of the kind of its place among all.
pub(crate) fn mechanism(seed: u64, place: usize) -> Description {
    let mut description = random::mechanism(seed);
    description.fields = FIELDS.iter().map(|name| (*name).to_owned()).collect();
    for joint in &mut description.joints {
        let has_limits = joint.family.facts().has_limits;
        joint.coordinates.iter_mut().for_each(|coordinate| with_fields(coordinate, has_limits));
    }
    for (k, spring) in description.springs.iter_mut().enumerate() {
        spring.rest = field(&format!("r{k}"));
        spring.stiffness = field("spring");
        spring.damping = field("damper");
    }
    for (k, contact) in description.contacts.iter_mut().enumerate() {
        on_ground_of_fields(contact, field(&format!("c{k}")));
    }
    for limit in &mut description.limits {
        limit.function = limit.function.clone() + field("level");
    }
    description.shapes.clear();
    description.pairs.clear();
    description.constraints = constraint(seed, place, &description).into_iter().collect();
    description
}

fn with_fields(coordinate: &mut Coordinate, has_limits: bool) {
    coordinate.damping = coordinate.damping.clone() * field("damping");
    if has_limits {
        coordinate.limits = Some([-field("range"), field("range")]);
        coordinate.stiffness = coordinate.stiffness.clone() * field("stiffness");
        coordinate.friction = field("dry_friction");
    }
}

/// Ground that is raised by a field.
fn on_ground_of_fields(contact: &mut Contact, raised: Scalar) {
    contact.restitution = Scalar::ZERO;
    contact.friction = field("friction");
    contact.torsion = field("torsion");
    contact.rolling = field("rolling");
    match &mut contact.surface {
        Surface::Plane { offset, .. } => *offset = raised,
        Surface::Height(height) => *height = height.clone() + raised,
        Surface::Sphere { radius, .. } => *radius = raised,
    }
}

/// A point of the last link that is held by the world, a rod to it, or a relation of coordinates, where coordinates are left
/// to move.
fn constraint(seed: u64, place: usize, description: &Description) -> Option<Constraint> {
    let rng = &mut Rng::with_seed(seed);
    let (_, nq, nv) = coordinates(&description.joints);
    let mut number = |size: f64| Scalar::Number(size * (2.0 * rng.f64() - 1.0));
    let at = |position: Triple| Placement { position, rotation: Rotation::Identity };
    let on_world = at(["px", "py", "pz"].map(field));
    let on_link = at([number(0.5), number(0.5), number(0.5)]);
    let parent = Parent::Link(description.links.len() - 1);
    let places = [
        Place { parent: Parent::World, placement: on_world },
        Place { parent, placement: on_link },
    ];
    let direction = [number(1.0), number(1.0), Scalar::ONE];
    let wave = Scalar::Sin(Box::new(Scalar::Configuration(0) * number(2.0) + number(1.0)));
    let last = Scalar::Configuration(nq - 1);
    let [rate, other] = [0, nv - 1].map(Scalar::Velocity);
    let law = match place % 6 {
        1 => Law::Rod { ends: places, length: field("length") },
        2 => Law::Closure { frames: places, axes: (0..(nv - 1).min(3)).map(Axis::Along).collect() },
        3 => Law::PointOnPlane { points: places, normal: direction },
        4 => Law::Position(wave + last.clone() * last - field("value")),
        5 => Law::Velocity(rate * number(1.0) + other * (Scalar::ONE + last)),
        _ => return None,
    };
    let response = Response {
        stabilization: Scalar::ZERO,
        acceleration: Scalar::ZERO,
        velocity_after: Scalar::ZERO,
        restitution: Scalar::ZERO,
    };
    let name = description.links.first()?.name.clone();
    (nv > 1 && law.levels().len() < nv).then_some(Constraint { name, law, response })
}

/// The structs of these seeds, and a function that shows each to a visitor.
pub(crate) fn robots(
    seeds: impl IntoIterator<Item = u64>,
    emit: impl Fn(&Description, &proc_macro2::Ident) -> Result<String, Box<dyn std::error::Error>>,
) -> Result<String, Box<dyn std::error::Error>> {
    let names = FIELDS.map(|field| format_ident!("{field}"));
    let count = FIELDS.len();
    let (mut text, mut visits) = (String::new(), TokenStream::new());
    for (place, seed) in seeds.into_iter().enumerate() {
        let ident = format_ident!("Random{seed}");
        let of = quote! {
            #[derive(Clone, Debug)]
            struct #ident { #(#names: f64),* }

            impl From<[f64; #count]> for #ident {
                fn from([#(#names),*]: [f64; #count]) -> Self {
                    Self { #(#names),* }
                }
            }
        };
        writeln!(text, "{of}\n{}", emit(&mechanism(seed, place), &ident)?)?;
        visits.extend(quote!(visitor.visit::<#ident>(#seed);));
    }
    let place = |field: &str| FIELDS.iter().position(|of| *of == field);
    let constants = PLACES.map(|(constant, field)| {
        let (constant, place) = (format_ident!("{constant}"), place(field));
        quote!(const #constant: usize = #place;)
    });
    let each = quote! {
        /// Values of the fields, and places among them.
        type Fields = [f64; FIELDS];
        const FIELDS: usize = #count;
        #(#constants)*

        /// Shows every struct to `visitor`.
        fn each(visitor: &mut impl Visitor) {
            #visits
        }
    };
    writeln!(text, "{each}")?;
    Ok(text)
}
