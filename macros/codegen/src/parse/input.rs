//! The struct under the derive: its fields and its `#[robot(…)]` attributes.

use syn::parse::ParseStream;
use syn::{Data, DeriveInput, Fields, Meta, Type};

use super::syntax::{self, Content};
use crate::diagnostic::{Errors, Location};

/// The names of the struct's fields, which must be floats.
pub(super) fn fields(input: &DeriveInput, errors: &mut Errors) -> Vec<String> {
    let generic = !input.generics.params.is_empty();
    if generic {
        errors.push(&Location::tokens(&input.generics), "a robot has no generic parameters");
    }
    let at = Location::token(input.ident.span());
    let fields = match &input.data {
        Data::Struct(data) => &data.fields,
        Data::Enum(_) => {
            errors.push(&at, "expected a struct, found an enum");
            return Vec::new();
        }
        Data::Union(_) => {
            errors.push(&at, "expected a struct, found a union");
            return Vec::new();
        }
    };
    match fields {
        Fields::Unit => Vec::new(),
        Fields::Named(named) => {
            // A type parameter is no float either, but that is reported already.
            named.named.iter().filter(|_| !generic).for_each(|field| check(field, errors));
            named.named.iter().filter_map(name).collect()
        }
        Fields::Unnamed(unnamed) => {
            let message = "expected named fields, `struct Robot { mass: f64 }`, or none";
            errors.push(&Location::tokens(unnamed), message);
            Vec::new()
        }
    }
}

fn name(field: &syn::Field) -> Option<String> {
    field.ident.as_ref().map(ToString::to_string)
}

/// Reports a field that is no float.
fn check(field: &syn::Field, errors: &mut Errors) {
    let segment = match &field.ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    if !segment.is_some_and(|s| s.ident == "f64" || s.ident == "f32") {
        let name = name(field).unwrap_or_default();
        let message = format!("field `{name}` is not a float: expected f64 or f32");
        errors.push(&Location::tokens(&field.ty), message);
    }
}

/// The items of all `#[robot(…)]` attributes.
pub(super) fn content(input: &DeriveInput, errors: &mut Errors) -> Content {
    let mut found = Content::default();
    let mut any = false;
    for attribute in input.attrs.iter().filter(|a| a.path().is_ident("robot")) {
        any = true;
        match &attribute.meta {
            Meta::List(_) => {
                let read = |input: ParseStream<'_>| Ok(syntax::content(input));
                match attribute.parse_args_with(read) {
                    Ok(Content { items, errors }) => {
                        found.items.extend(items);
                        found.errors.extend(errors);
                    }
                    Err(error) => found.errors.push(error),
                }
            }
            meta => errors.push(&Location::tokens(meta), "expected `#[robot(…)]`"),
        }
    }
    if !any {
        let message = "describe the robot in `#[robot(link(…), joint(…), …)]` below the derive";
        errors.push(&Location::token(input.ident.span()), message);
    }
    found
}
