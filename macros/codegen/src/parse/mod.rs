//! From tokens, and the file that they name, to a description.
//!
//! ```text
//! #[robot(
//!     gravity = [0, 0, -9.81], ground(height = …), root = link, crate = path,
//!     kernels(all | name, …),
//!     urdf = "path", base = floating | fixed, mimic = follow | ignore, warnings = show | ignore,
//!     link(name, mass = …, com = […], inertia = […], …),
//!     joint(name, revolute(parent -> child), axis = […], at = […], …),
//!     contact(name, on = link, …), frame(name, on = link, …),
//!     shape(name, on = link, …), pair(name, name, …), collide(all),
//!     actuator(name, joint = joint, …), spring(name, a = link @ […], b = world @ […], …),
//!     closure(name, a = link @ frame, b = link @ frame, axes = [x, rz]), constraint(name, h = …), …,
//!     limit(name, c = …), …
//! )]
//! ```
//!
//! The stages: `syntax` reads items without meaning; `link` and `joint` make drafts of them,
//! as `urdf` does of a file; `resolve` merges both and turns names into indices;
//! `attached`, `contact`, `pair`, `constraint` and `limit` read what refers to links and joints. An error
//! never ends the reading.

mod attached;
mod constraint;
mod contact;
mod draft;
mod entries;
mod geometry;
mod input;
mod joint;
mod keys;
mod limit;
mod link;
mod name;
mod number;
mod pair;
mod place;
mod reader;
mod request;
mod resolve;
mod scope;
mod solid;
mod state;
mod suggest;
mod syntax;
mod urdf;

#[cfg(test)]
mod tests;

use std::env;
use std::path::PathBuf;

use crate::description::{Description, Requirement};
use crate::diagnostic::Errors;
use crate::kernels::Family;
use entries::Entries;
use reader::Reader;

pub use name::{RESERVED, constant, identifier};
pub use urdf::{Base, Followers, UrdfOptions, urdf};

/// What an attribute says.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The robot, as far as it could be read.
    pub description: Description,
    /// Every bound on a number of the description, with the place of the number.
    pub requirements: Vec<Requirement>,
    /// Whether every link and joint could be read, so that their tree can be judged.
    pub complete: bool,
    /// The heavy kernels that are asked for.
    pub kernels: Vec<Family>,
    /// Path of the runtime crate.
    pub runtime: syn::Path,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// Whether warnings are not to be shown.
    pub are_warnings_silent: bool,
}

/// Reads the `#[robot(…)]` attributes of a struct.
///
/// A file is looked for in the package's folder, then beside the source file. What is wrong is added
/// to `errors`; the result then holds what could be read.
pub fn parse(input: &syn::DeriveInput, errors: &mut Errors) -> Parsed {
    let package = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    parse_in(package.as_slice(), input, errors)
}

/// The same of a struct whose files are in one of these folders, the first that has them.
pub fn parse_in(folders: &[PathBuf], input: &syn::DeriveInput, errors: &mut Errors) -> Parsed {
    let fields = input::fields(input, errors);
    let content = input::content(input, errors);
    let mut reader = Reader::new(fields, errors);
    reader.folders = folders.to_vec();
    let entries = Entries::read(&mut reader, &content);
    let mut parts = entries.parts(&mut reader);
    let files = std::mem::take(&mut parts.files);
    let description = entries.describe(&mut reader, input.ident.to_string(), parts);
    Parsed {
        description,
        kernels: entries.kernels(),
        runtime: entries.runtime(),
        files,
        are_warnings_silent: entries.are_warnings_silent(),
        requirements: reader.requirements,
        complete: reader.complete && !reader.lost,
    }
}
