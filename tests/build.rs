//! Writes the Rust of random mechanisms, for the tests of emitted code.

#[path = "random/mod.rs"]
mod random;

use std::fmt::Write;
use std::path::Path;

use jourdain_codegen::derive::{Equations, Forms, Mechanism};
use jourdain_codegen::emit::{Source, emit};
use jourdain_codegen::expr::Graph;
use quote::{format_ident, quote};

/// Mechanisms that are compiled, each of at most so many joints with coordinates: random frames leave
/// nothing sparse, and the compiler's time grows with the code.
const MODELS: usize = 30;
const JOINTS: usize = 4;
/// Mechanisms that are compiled in every form, with parallel axes.
const FORMED: [u64; 2] = [133, 276];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut text = String::new();
    let mut visits = String::new();
    let small = |seed: &u64| {
        let joints = random::mechanism(*seed).joints;
        joints.iter().filter(|joint| joint.family.nv() > 0).count() <= JOINTS
    };
    for seed in (0..).filter(small).take(MODELS) {
        let ident = format_ident!("Random{seed}");
        writeln!(text, "#[derive(Debug)]\nstruct {ident};")?;
        writeln!(text, "{}", model(seed, &ident, &Forms::default())?)?;
        writeln!(visits, "visitor.visit({seed}, &Forms::default(), &{ident});")?;
    }
    for seed in FORMED {
        for (k, forms) in Forms::each().enumerate() {
            let ident = format_ident!("Random{seed}Form{k}");
            writeln!(text, "#[derive(Debug)]\nstruct {ident};")?;
            writeln!(text, "{}", model(seed, &ident, &forms)?)?;
            writeln!(visits, "visitor.visit({seed}, &form({k}), &{ident});")?;
        }
    }
    writeln!(text, "/// Shows every model to `visitor`.")?;
    writeln!(text, "fn each(visitor: &mut impl Visitor) {{\n{visits}}}")?;
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("random.rs"), text)?;
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=random");
    Ok(())
}

fn model(
    seed: u64,
    ident: &proc_macro2::Ident,
    forms: &Forms,
) -> Result<String, Box<dyn std::error::Error>> {
    let description = random::mechanism(seed);
    let graph = Graph::new();
    let mechanism = Mechanism::new(&graph, &description)
        .map_err(|error| format!("joint `{}` cannot run backwards", error.joint))?;
    let equations = Equations::derive(&mechanism, &[], forms);
    let source = Source {
        ident,
        runtime: &quote!(::jourdain),
        description: &description,
        requirements: &[],
        files: &[],
        equations: Some((&graph, &equations)),
    };
    Ok(emit(&source).to_string())
}
