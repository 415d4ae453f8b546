//! Tells the macro how it is optimised, which `cfg` does not.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo::rustc-env=JOURDAIN_OPT_LEVEL={level}");
}
