//! What a model says of itself: joints, links, contacts, bounds, and the operations of its kernels.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::derive::Quantity;
use crate::description::{Bound, Description, Geometry, Law, Parent};
use crate::expr::Operations;
use crate::joint::Chart;

use super::source::{Source, snake_case};

/// The constants of `Model` that are tables.
pub(super) fn tables(source: &Source<'_, '_>) -> TokenStream {
    let (runtime, description) = (source.runtime, source.description);
    let joints = joints(source);
    let links = (0..description.links.len()).map(|k| {
        let name = &description.links[k].name.text;
        let parent = match parent(description, k) {
            Some(parent) => quote!(Some(#parent)),
            None => quote!(None),
        };
        quote!(#runtime::description::Link { name: #name, parent: #parent })
    });
    let frames = description.frames.iter().map(|frame| {
        let (name, link, held) = (&frame.name.text, frame.link, frame.held);
        quote!(#runtime::description::Frame { name: #name, link: #link, held: #held })
    });
    let moved_by =
        source.equations.map_or(&[][..], |(_, equations)| &equations.contact_coordinates);
    let contacts = description.contacts.iter().enumerate().map(|(k, contact)| {
        let (name, link, directions) = (&contact.name.text, contact.link, contact.directions);
        let coordinates = moved_by.get(k).map_or(&[][..], Vec::as_slice);
        let turns = contact.surface.turns();
        let other = match contact.surface.link() {
            Some(link) => quote!(Some(#link)),
            None => quote!(None),
        };
        quote! {
            #runtime::description::Contact {
                name: #name,
                link: #link,
                other: #other,
                directions: #directions,
                turns: #turns,
                coordinates: &[#(#coordinates),*],
            }
        }
    });
    let constraints = constraints(source);
    let touching = touching(source);
    let limits = description.limits.iter().map(|limit| {
        let name = &limit.name.text;
        quote!(#runtime::description::Limit { name: #name })
    });
    let springs = description.springs.iter().map(|spring| {
        let name = &spring.name.text;
        quote!(#runtime::description::Spring { name: #name })
    });
    let springs = (!description.springs.is_empty()).then(
        || quote!(const SPRINGS: &'static [#runtime::description::Spring] = &[#(#springs),*];),
    );
    let inputs = description.actuators.iter().map(|actuator| &actuator.name.text);
    let requirements = source.requirements.iter().map(|requirement| {
        let (quantity, bound) = (&requirement.quantity, bound(requirement.bound));
        quote! {
            #runtime::description::Requirement {
                quantity: #quantity,
                bound: #runtime::description::Bound::#bound,
            }
        }
    });
    let operations = operations(source);
    let bodies = source.equations.map_or(&[][..], |(_, equations)| &equations.bodies);
    let mobility = source.equations.and_then(|(_, equations)| equations.mobility.as_ref());
    let mobility = match mobility.map(|mobility| mobility.freedoms) {
        Some(freedoms) => quote!(Some(#freedoms)),
        None => quote!(None),
    };
    let parents = source.equations.map_or(&[][..], |(_, equations)| &equations.parents);
    let parents = parents.iter().map(|parent| match parent {
        Some(parent) => quote!(Some(#parent)),
        None => quote!(None),
    });
    let alike = source.equations.map_or(&[][..], |(_, equations)| &equations.alike_coordinates);
    let alike = alike.iter().map(|of| quote!(&[#(#of),*]));
    let hubs = source.equations.map_or(&[][..], |(_, equations)| &equations.contact_hubs);
    let hubs = (!hubs.is_empty()).then(|| quote!(const HUBS: &'static [usize] = &[#(#hubs),*];));
    let held_rows = source.equations.map_or(0, |(_, equations)| equations.held_rows);
    quote! {
        const JOINTS: &'static [#runtime::description::Joint] = &[#joints];
        const LINKS: &'static [#runtime::description::Link] = &[#(#links),*];
        const BODIES: &'static [usize] = &[#(#bodies),*];
        const MOBILITY: ::core::option::Option<usize> = #mobility;
        const PARENTS: &'static [::core::option::Option<usize>] = &[#(#parents),*];
        const ALIKE: &'static [&'static [usize]] = &[#(#alike),*];
        #hubs
        const HELD_ROWS: usize = #held_rows;
        const FRAMES: &'static [#runtime::description::Frame] = &[#(#frames),*];
        const CONTACTS: &'static [#runtime::description::Contact] = &[#(#contacts),*];
        const CONSTRAINTS: &'static [#runtime::description::Constraint] = &[#constraints];
        const LIMITS: &'static [#runtime::description::Limit] = &[#(#limits),*];
        #springs
        #touching
        const INPUTS: &'static [&'static str] = &[#(#inputs),*];
        const REQUIREMENTS: &'static [#runtime::description::Requirement] = &[#(#requirements),*];
        const OPERATIONS: &'static [(&'static str, #runtime::description::Operations)] =
            &[#operations];
    }
}

fn joints(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let (mut q, mut v) = (0, 0);
    let mut tokens = TokenStream::new();
    for joint in source.description.joints.iter().filter(|joint| joint.mimic.is_none()) {
        let (name, family) = (&joint.name.text, joint.family.keyword());
        let (nq, nv) = (joint.family.nq(), joint.family.nv());
        let chart = chart(joint.family.chart());
        if nv > 0 {
            tokens.extend(quote! {
                #runtime::description::Joint {
                    name: #name,
                    family: #family,
                    q: #q,
                    nq: #nq,
                    v: #v,
                    nv: #nv,
                    chart: #runtime::description::Chart::#chart,
                },
            });
        }
        (q, v) = (q + nq, v + nv);
    }
    tokens
}

/// Shapes and pairs, and what motions their contacts depend on.
fn touching(source: &Source<'_, '_>) -> TokenStream {
    let (runtime, description) = (source.runtime, source.description);
    let shapes = description.shapes.iter().map(|shape| {
        let (name, link) = (&shape.name.text, shape.link);
        let kind = match &shape.geometry {
            Geometry::Point => quote!(Point),
            Geometry::Sphere { .. } => quote!(Sphere),
            Geometry::Capsule { .. } => quote!(Capsule),
            Geometry::Box { .. } => quote!(Box),
            Geometry::Cylinder { .. } => quote!(Cylinder),
            Geometry::Hull { points } => {
                let points = points.len();
                quote!(Hull { points: #points })
            }
        };
        quote! {
            #runtime::description::Shape {
                name: #name,
                link: #link,
                kind: #runtime::description::ShapeKind::#kind,
            }
        }
    });
    let pairs = description.pairs.iter().map(|pair| {
        let (name, [a, b], directions) = (&pair.name.text, pair.shapes, pair.directions);
        quote! {
            #runtime::description::Pair {
                name: #name,
                shapes: [#a, #b],
                directions: #directions,
            }
        }
    });
    let (coordinates, supports) = match source.equations {
        Some((_, equations)) => (&equations.columns.0[..], &equations.columns.1[..]),
        None => (&[][..], &[][..]),
    };
    quote! {
        const SHAPES: &'static [#runtime::description::Shape] = &[#(#shapes),*];
        const PAIRS: &'static [#runtime::description::Pair] = &[#(#pairs),*];
        const COLUMNS: &'static [usize] = &[#(#coordinates),*];
        const SUPPORTS: &'static [&'static [usize]] = &[#(&[#(#supports),*]),*];
    }
}

fn constraints(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let mut first = 0_usize;
    let mut tokens = TokenStream::new();
    for constraint in &source.description.constraints {
        let (name, kind) = (&constraint.name.text, constraint.law.keyword());
        let levels = constraint.law.levels();
        let count = levels.len();
        let levels = levels.into_iter().map(|level| format_ident!("{level:?}"));
        let links = links(&constraint.law);
        tokens.extend(quote! {
            #runtime::description::Constraint {
                name: #name,
                kind: #kind,
                links: #links,
                first: #first,
                levels: &[#(#runtime::description::Level::#levels),*],
            },
        });
        first += count;
    }
    tokens
}

/// The links whose frames a constraint ties.
fn links(law: &Law) -> TokenStream {
    let Some(places) = law.places() else { return quote!(None) };
    let links = places.each_ref().map(|place| match place.parent {
        Parent::World => quote!(None),
        Parent::Link(link) => quote!(Some(#link)),
    });
    quote!(Some([#(#links),*]))
}

fn chart(chart: Chart) -> Ident {
    format_ident!("{chart:?}")
}

fn bound(bound: Bound) -> Ident {
    format_ident!("{bound:?}")
}

/// The link that link `k` hangs on.
fn parent(description: &Description, k: usize) -> Option<usize> {
    let joint = description.joints.iter().find(|joint| joint.child == k)?;
    match joint.parent {
        Parent::Link(parent) => Some(parent),
        Parent::World => None,
    }
}

fn operations(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let Some((_, equations)) = source.equations else { return TokenStream::new() };
    let entry = |quantity: &Quantity<'_>| {
        let name = snake_case(&quantity.kernel);
        let Operations { additions, multiplications, divisions, roots, trigonometric, .. } =
            quantity.operations;
        let form = &quantity.form;
        quote! {
            (#name, #runtime::description::Operations {
                additions: #additions,
                multiplications: #multiplications,
                divisions: #divisions,
                roots: #roots,
                trigonometric: #trigonometric,
                form: #form,
            }),
        }
    };
    let asked = equations.quantities.iter().chain(&equations.requested);
    asked.chain([&equations.preparation]).map(entry).collect()
}
