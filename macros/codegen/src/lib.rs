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

use proc_macro2::TokenStream;

/// Expands `#[derive(Robot)]` on one struct.
pub fn expand(_input: TokenStream) -> TokenStream {
    TokenStream::new()
}
