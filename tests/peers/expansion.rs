//! Time of one expansion of `#[derive(Robot)]`, in milliseconds.
//!
//! Reads an annotated struct from standard input, expands it once, as the derive macro would, and
//! prints how long that took. What `rustc` needs to take the tokens over is not in it. A file that
//! the description names is looked for in `CARGO_MANIFEST_DIR`. A development build is as slow as
//! the macro in a user's build, where nobody optimises it.

use std::error::Error;
use std::hint::black_box;
use std::io;
use std::time::Instant;

use proc_macro2::TokenStream;

fn main() -> Result<(), Box<dyn Error>> {
    let item: TokenStream = io::read_to_string(io::stdin())?.parse()?;
    let start = Instant::now();
    let expansion = black_box(jourdain_codegen::expand(item));
    let elapsed = start.elapsed();
    println!("{:.3}", 1e3 * elapsed.as_secs_f64());
    drop(expansion);
    Ok(())
}
