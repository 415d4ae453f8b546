//! Everything that jourdain does at compile time.
//!
//! Attributes or a URDF become a [`description::Description`], which is validated, derived on the
//! expression graph and emitted as Rust. This is an ordinary library, so that tests, tools and
//! build scripts can reach each stage; the derive macro is a shell around [`expand`].

mod advice;
mod cache;
pub mod derive;
pub mod description;
pub mod diagnostic;
pub mod emit;
pub mod expr;
pub mod joint;
pub mod kernels;
pub mod parse;
pub mod scalar;
pub mod validate;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use cache::{Cache, Expansion};
use derive::{Equations, Forms, Mechanism};
use description::Requirement;
use diagnostic::Errors;
use emit::{Cut, Source, emit};
use expr::Graph;
use parse::Parsed;

/// Expands `#[derive(Robot)]` on one struct.
///
/// Errors become one `compile_error!` each, together with an implementation whose kernels are
/// empty, so that nothing that uses the struct adds errors of its own. What is expanded again and
/// again in one process, as an IDE does, is remembered.
pub fn expand(input: TokenStream) -> TokenStream {
    static CACHE: Cache = Cache::new();
    CACHE.expand(input, derived)
}

fn derived(input: TokenStream) -> Expansion {
    let input: syn::DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => {
            let tokens = error.to_compile_error();
            return Expansion { tokens, files: Vec::new(), succeeded: false };
        }
    };
    let mut errors = Errors::default();
    let parsed = parse::parse(&input, &mut errors);
    let requirements = validate::validate(&parsed, &mut errors);
    let graph = Graph::new();
    let mechanism = if errors.is_empty() {
        mechanism(&graph, &parsed, &requirements, &mut errors)
    } else {
        None
    };
    let equations = mechanism.map(|mechanism| {
        let forms = Forms::default();
        let equations = Equations::derive(&mechanism, &requirements, &parsed.kernels, &forms);
        advice::advise(&mechanism, &mut errors);
        equations
    });
    let derived = equations.as_ref().map(|equations| (&graph, equations));
    let generic = !input.generics.params.is_empty();
    let expansion = if generic {
        TokenStream::new()
    } else {
        tokens_of(&input.ident, &parsed, &requirements, derived)
    };
    let succeeded = errors.is_empty();
    if parsed.are_warnings_silent {
        errors.silence();
    }
    let diagnostics = errors.to_diagnostics();
    Expansion { tokens: quote!(#diagnostics #expansion), files: parsed.files, succeeded }
}

/// The mechanism that was described, if everything in it can move as it should; what cannot is added to
/// `errors`.
pub fn mechanism<'g>(
    graph: &'g Graph,
    parsed: &'g Parsed,
    requirements: &[Requirement],
    errors: &mut Errors,
) -> Option<Mechanism<'g>> {
    match Mechanism::new(graph, &parsed.description) {
        Ok(mechanism) => {
            refuse_contacts(&mechanism, errors);
            refuse_limits(&mechanism, errors);
            refuse_constraints(&mechanism, requirements, errors);
            errors.is_empty().then_some(mechanism)
        }
        Err(error) => {
            errors.push(
                &error.at,
                format_args!(
                    "joint `{}` lies between the robot's base and its `root`, but a {} joint cannot \
                     be traversed backwards; expected a root that it does not part from the base",
                    error.joint, error.family
                ),
            );
            None
        }
    }
}

fn refuse_contacts(mechanism: &Mechanism<'_>, errors: &mut Errors) {
    let still = |link: usize| mechanism.links[link].body.is_none();
    let description = mechanism.description;
    for contact in description.contacts.iter().filter(|contact| still(contact.link)) {
        let (name, link) = (&contact.name, &description.links[contact.link].name);
        let message = format!("contact `{name}` is on link `{link}`, which no joint moves");
        errors.push(&name.at, message);
    }
}

fn refuse_limits(mechanism: &Mechanism<'_>, errors: &mut Errors) {
    for index in mechanism.idle_limits() {
        let name = &mechanism.description.limits[index].name;
        errors.push(&name.at, format!("limit `{name}` limits nothing: no joint changes it"));
    }
}

fn refuse_constraints(
    mechanism: &Mechanism<'_>,
    requirements: &[Requirement],
    errors: &mut Errors,
) {
    for (index, stays) in mechanism.idle_constraints() {
        let name = &mechanism.description.constraints[index].name;
        let message = match stays {
            Some(error) => format!(
                "constraint `{name}` cannot hold: no joint changes its error, which is {error}"
            ),
            None => format!("constraint `{name}` holds nothing: no joint moves what it is about"),
        };
        errors.push(&name.at, message);
    }
    let name = |&index: &usize| &mechanism.description.constraints[index].name;
    for found in mechanism.contradictions(&mechanism.constraints(), requirements) {
        let Some((last, others)) = found.constraints.split_last() else { continue };
        let others: Vec<String> = others.iter().map(|k| format!("`{}`", name(k))).collect();
        let (last, others) = (name(last), others.join(", "));
        let by = (1e9 * found.disagreement).round() / 1e9;
        let message = format!(
            "constraint `{last}` contradicts {others}: no joint changes by how much, which is {by}"
        );
        errors.push(&last.at, message);
    }
}

fn tokens_of<'g>(
    ident: &syn::Ident,
    parsed: &Parsed,
    requirements: &[Requirement],
    equations: Option<(&'g Graph, &Equations<'g>)>,
) -> TokenStream {
    emit(&Source {
        ident,
        runtime: &parsed.runtime.to_token_stream(),
        description: &parsed.description,
        requirements,
        kernels: &parsed.kernels,
        cut: Cut::default(),
        files: &parsed.files,
        equations,
    })
}
