//! The struct under the derive: its fields and its `#[robot(…)]` attributes.

use syn::parse::ParseStream;
use syn::{Data, DeriveInput, Fields, Meta, Type};

use super::syntax::{Item, items as read};
use crate::diagnostic::{Errors, Location};

/// The names of the struct's fields, which must be floats.
pub(super) fn fields(input: &DeriveInput, errors: &mut Errors) -> Vec<String> {
    if !input.generics.params.is_empty() {
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
        Fields::Named(named) => named.named.iter().filter_map(|f| float(f, errors)).collect(),
        Fields::Unnamed(unnamed) => {
            let message = "expected named fields, `struct Robot { mass: f64 }`, or none";
            errors.push(&Location::tokens(unnamed), message);
            Vec::new()
        }
    }
}

/// The name of the field, also if its type is wrong, so that its uses are not errors too.
fn float(field: &syn::Field, errors: &mut Errors) -> Option<String> {
    let name = field.ident.as_ref()?;
    let segment = match &field.ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    if !segment.is_some_and(|s| s.ident == "f64" || s.ident == "f32") {
        let message = format!("field `{name}` is not a float: expected f64 or f32");
        errors.push(&Location::tokens(&field.ty), message);
    }
    Some(name.to_string())
}

/// The items of all `#[robot(…)]` attributes.
pub(super) fn items(input: &DeriveInput, errors: &mut Errors) -> Vec<Item> {
    let mut found = Vec::new();
    let mut any = false;
    for attribute in input.attrs.iter().filter(|a| a.path().is_ident("robot")) {
        any = true;
        match &attribute.meta {
            Meta::List(_) => {
                let all = |input: ParseStream<'_>| Ok(read(input, errors));
                match attribute.parse_args_with(all) {
                    Ok(items) => found.extend(items),
                    Err(error) => errors.push_syn(error),
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
