//! The derive macro of jourdain.
//!
//! This crate is only the shell that `rustc` loads; all logic is in `jourdain-codegen`, an ordinary
//! library that tests, tools and build scripts can reach.

use std::time::{Duration, Instant};

use proc_macro::TokenStream;

/// A derivation that takes longer is worth a word on how to shorten it.
const LONG: Duration = Duration::from_secs(2);

/// Derives the equations of motion of a robot from its description.
///
/// The description stands in `#[robot(…)]` attributes below the derive. See the documentation of
/// the `jourdain` crate for the grammar.
///
/// If the derivation of a large robot takes seconds because cargo does not optimise macros, a note
/// says how to have it optimised.
#[proc_macro_derive(Robot, attributes(robot))]
pub fn derive_robot(input: TokenStream) -> TokenStream {
    let start = Instant::now();
    let expansion = jourdain_codegen::expand(input.into()).into();
    if env!("JOURDAIN_OPT_LEVEL") == "0" && start.elapsed() > LONG {
        hint(start.elapsed());
    }
    expansion
}

/// A macro has no way to warn but the compiler's standard error.
fn hint(elapsed: Duration) {
    eprintln!(
        "note: `#[derive(Robot)]` took {:.1} s, most of it for want of optimisation; with\n\n    \
         [profile.dev.build-override]\n    opt-level = 3\n\nin the workspace's `Cargo.toml` it takes an \
         eighth (`profile.release.build-override` is for release builds)",
        elapsed.as_secs_f64()
    );
}
