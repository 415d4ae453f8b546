//! Writes the Rust of random mechanisms, for the tests of emitted code and of energy, and that of chains of linkages.

mod chains;
mod passive;
mod patches;
#[path = "random/mod.rs"]
mod random;

use std::fmt::Write;
use std::path::Path;

use jourdain_codegen::derive::{Equations, Forms, Limbs, Mechanism, Quantity, Shape};
use jourdain_codegen::description::Description;
use jourdain_codegen::emit::{Cut, Source, emit};
use jourdain_codegen::expr::Graph;
use jourdain_codegen::kernels::Family;
use quote::{format_ident, quote};

/// Mechanisms that are compiled, each of at most so many joints with coordinates: random frames leave
/// nothing sparse, and the compiler's time grows with the code. One in so many of them, and of the forms, is compiled without
/// optimisation, and the others with it; of those on a floating base each has the first.
const MODELS: usize = 30;
const SHARE: usize = 3;
const JOINTS: usize = 4;
/// Each model of so many, and the first on a floating base, has all kernels that a description can ask
/// for.
const COMPLETE: usize = 5;
/// Seeds of mechanisms with constrained dynamics are multiples of this.
const HELD: u64 = 4;
/// Mechanisms with parallel axes that are compiled in every form, each in every other one; robots have limbs in lanes.
const FORMED: [u64; 2] = [133, 276];
/// Seeds of the structs of mechanisms whose energy is watched: of all families of joints.
const PASSIVE: [u64; 15] = [2, 4, 5, 8, 14, 20, 26, 28, 29, 34, 40, 41, 44, 47, 53];
/// Numbers of loops of the chains.
const CHAINS: [usize; 4] = [1, 2, 10, 40];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let optimised = std::env::var("OPT_LEVEL")? != "0";
    let compiled = |place: usize| place.is_multiple_of(SHARE) != optimised;
    let mut text = String::new();
    let mut visits = String::new();
    let small = |seed: &u64| {
        let joints = random::mechanism(*seed).joints;
        joints.iter().filter(|joint| joint.family.nv() > 0).count() <= JOINTS
    };
    let mut requested = String::new();
    let mut floating = false;
    let mut models = 0;
    for (place, seed) in (0..).filter(small).take(MODELS).enumerate() {
        let joints = random::mechanism(seed).joints;
        let floats = joints.iter().any(|joint| joint.family.keyword() == "floating");
        let first = floats && !floating;
        floating |= floats;
        if !compiled(place) && !first {
            continue;
        }
        models += 1;
        let ident = format_ident!("Random{seed}");
        writeln!(text, "#[derive(Debug)]\nstruct {ident};")?;
        let complete = place.is_multiple_of(COMPLETE) || first;
        let families = if complete { &Family::ALL[..] } else { &[] };
        let description = random::or_on_patches(seed);
        let held = seed.is_multiple_of(HELD);
        writeln!(
            text,
            "{}",
            model((&description, held), &ident, families, &Forms::default(), cut(place))?
        )?;
        if complete {
            writeln!(requested, "visitor.visit({seed}, &{ident});")?;
        }
        writeln!(visits, "visitor.visit({seed}, &Forms::default(), &{ident});")?;
    }
    let one_by_one = |forms: &Forms| forms.limbs == Some(Limbs::OneByOne);
    let forms = Forms::each().enumerate().filter(|(_, forms)| one_by_one(forms)).enumerate();
    let forms = forms.filter(|(place, _)| compiled(*place)).map(|(_, form)| form);
    for ((k, forms), seed) in forms.zip(FORMED.into_iter().cycle()) {
        models += 1;
        let ident = format_ident!("Random{seed}Form{k}");
        writeln!(text, "#[derive(Debug)]\nstruct {ident};")?;
        let description = random::or_on_patches(seed);
        let held = seed.is_multiple_of(HELD);
        writeln!(text, "{}", model((&description, held), &ident, &[], &forms, cut(k))?)?;
        writeln!(visits, "visitor.visit({seed}, &form({k}), &{ident});")?;
    }
    writeln!(text, "/// How many there are.\nconst MODELS: usize = {models};")?;
    writeln!(text, "/// Shows every model to `visitor`.")?;
    writeln!(text, "fn each(visitor: &mut impl Visitor) {{\n{visits}}}")?;
    writeln!(text, "/// Shows every model that has all kernels to `visitor`.")?;
    let signature = "fn each_requested(visitor: &mut impl CompleteVisitor)";
    writeln!(text, "{signature} {{\n{requested}}}")?;
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("random.rs"), text)?;
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("patches.rs"), patches::robots()?)?;
    let passive = passive::robots(PASSIVE, |description, ident| {
        model((description, false), ident, &[], &Forms::default(), Cut::default())
    })?;
    std::fs::write(Path::new(&std::env::var("OUT_DIR")?).join("passive.rs"), passive)?;
    for loops in CHAINS {
        let file = Path::new(&std::env::var("OUT_DIR")?).join(format!("chain{loops}.rs"));
        std::fs::write(file, chains::chain(loops)?)?;
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=chains.rs");
    println!("cargo::rerun-if-changed=passive.rs");
    println!("cargo::rerun-if-changed=patches.rs");
    println!("cargo::rerun-if-changed=random");
    Ok(())
}

/// Every other model has its kernels in parts, as those of a humanoid are.
fn cut(place: usize) -> Cut {
    if place.is_multiple_of(2) { Cut::default() } else { Cut { whole: 40, part: 15 } }
}

/// Motion under rows that hold is as much code as all else.
fn leave_out_held(equations: &mut Equations<'_>) {
    equations.held_rows = 0;
    let constrained = |quantity: &&mut Quantity<'_>| quantity.kernel.starts_with("Constrained");
    for quantity in equations.quantities.iter_mut().filter(constrained) {
        quantity.outputs.clear();
        quantity.shape = Shape::Vector(0);
    }
}

fn model(
    (description, held): (&Description, bool),
    ident: &proc_macro2::Ident,
    kernels: &[Family],
    forms: &Forms,
    cut: Cut,
) -> Result<String, Box<dyn std::error::Error>> {
    let graph = Graph::new();
    let mechanism = Mechanism::new(&graph, description)
        .map_err(|error| format!("joint `{}` cannot run backwards", error.joint))?;
    let mut equations = Equations::derive(&mechanism, &[], kernels, forms);
    if !held {
        leave_out_held(&mut equations);
    }
    let source = Source {
        ident,
        runtime: &quote!(::jourdain),
        description,
        requirements: &[],
        kernels,
        cut,
        files: &[],
        equations: Some((&graph, &equations)),
    };
    Ok(emit(&source).to_string())
}
