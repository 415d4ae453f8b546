//! The derive macro of jourdain.
//!
//! This crate is only the shell that `rustc` loads; all logic is in `jourdain-codegen`, an ordinary
//! library that tests, tools and build scripts can reach.

use proc_macro::TokenStream;

/// Derives the equations of motion of a robot from its description.
///
/// The description stands in `#[robot(…)]` attributes below the derive. See the documentation of
/// the `jourdain` crate for the grammar.
#[proc_macro_derive(Robot, attributes(robot))]
pub fn derive_robot(input: TokenStream) -> TokenStream {
    jourdain_codegen::expand(input.into()).into()
}
