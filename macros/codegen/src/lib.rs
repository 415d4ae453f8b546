//! Everything that jourdain does at compile time.
//!
//! Attributes or a URDF become a [`description::Description`], which is validated, derived on the
//! expression graph and emitted as Rust. This is an ordinary library, so that tests, tools and
//! build scripts can reach each stage; the derive macro is a shell around [`expand`].

pub mod derive;
pub mod description;
pub mod diagnostic;
pub mod emit;
pub mod expr;
pub mod joint;
pub mod parse;
pub mod scalar;
pub mod validate;

use proc_macro2::TokenStream;

/// Expands `#[derive(Robot)]` on one struct.
pub fn expand(input: TokenStream) -> TokenStream {
    let input = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut errors = diagnostic::Errors::default();
    let parsed = parse::parse(&input, &mut errors);
    validate::validate(&parsed, &mut errors);
    errors.to_compile_errors()
}
