//! The robots of `jourdain-models`, as descriptions.

use std::path::{Path, PathBuf};

use jourdain_codegen::description::Description;
use jourdain_codegen::diagnostic::Errors;
use jourdain_codegen::parse::{Base, UrdfOptions, parse, urdf};
use quote::ToTokens;

/// Files of robots that attributes describe.
const ATTRIBUTES: [&str; 10] = [
    "acrobot.rs",
    "bricard.rs",
    "brick.rs",
    "cart_pole.rs",
    "double_pendulum.rs",
    "hollow_ball.rs",
    "jansen_walker.rs",
    "slider_crank.rs",
    "stewart_platform.rs",
    "stick_slip.rs",
];
/// Files of robots, and how they stand on the world.
const URDF: [(&str, Base); 5] = [
    ("g1.urdf", Base::Floating),
    ("go2.urdf", Base::Floating),
    ("panda.urdf", Base::Fixed),
    ("solo12.urdf", Base::Floating),
    ("ur5.urdf", Base::Fixed),
];

/// All of them.
pub(crate) fn descriptions() -> Vec<Description> {
    let described = ATTRIBUTES.into_iter().flat_map(attributes);
    described.chain(URDF.into_iter().map(|(name, base)| file(name, base))).collect()
}

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn attributes(name: &str) -> Vec<Description> {
    let source = syn::parse_file(&read(&models().join("src").join(name))).expect("Rust");
    let structs = source.items.into_iter().filter_map(|item| match item {
        syn::Item::Struct(item) => Some(item),
        _ => None,
    });
    structs
        .map(|item| {
            let mut errors = Errors::default();
            let input = syn::parse2(item.into_token_stream()).expect("a struct");
            let description = parse(&input, &mut errors).description;
            assert!(errors.is_empty(), "{name}: {:?}", errors.messages());
            description
        })
        .collect()
}

fn file(name: &str, base: Base) -> Description {
    let mut errors = Errors::default();
    let options = UrdfOptions { base, ..UrdfOptions::default() };
    let parsed = urdf(&read(&models().join("urdf").join(name)), name, &options, &mut errors);
    assert!(errors.is_empty(), "{name}: {:?}", errors.messages());
    parsed.description
}
