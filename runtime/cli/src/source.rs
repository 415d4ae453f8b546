//! Robots that a file describes: annotated structs of a Rust source, or a URDF.

use std::fs;
use std::path::{Path, PathBuf};

use jourdain_codegen::description::Requirement;
use jourdain_codegen::diagnostic::Errors;
use jourdain_codegen::parse::{Parsed, parse_in};
use jourdain_codegen::validate::validate;
use proc_macro2::LineColumn;
use syn::visit::{self, Visit};
use syn::{Attribute, DeriveInput, Expr, Lit, Meta};

use crate::failure::Failure;

/// A robot as it is described.
pub(crate) struct Robot {
    pub(crate) parsed: Parsed,
    pub(crate) requirements: Vec<Requirement>,
    /// What the source says of each field.
    pub(crate) documented: Vec<Option<String>>,
    pub(crate) errors: Errors,
    origin: Origin,
}

/// Where the description stands.
struct Origin {
    file: PathBuf,
    /// Whether places are those of tokens in the file.
    has_tokens: bool,
}

/// Reads the robot of `file`, the one called `name` where it has several; `base` is what a URDF's first link is.
pub(crate) fn read(file: &Path, name: Option<&str>, base: Option<&str>) -> Result<Robot, Failure> {
    let shown = || file.display().to_string();
    let bytes = fs::read(file)
        .map_err(|error| Failure::File { file: shown(), error: error.to_string() })?;
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    let is_rust = extension.eq_ignore_ascii_case("rs");
    match (is_rust, name, base) {
        (true, _, Some(_)) => return Err(Failure::NoUse { word: "--base", of: "a URDF" }),
        (false, Some(_), _) => return Err(Failure::NoUse { word: "--robot", of: "a Rust source" }),
        _ => {}
    }
    let is_xml = bytes.trim_ascii_start().strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    if !is_rust && !is_xml.trim_ascii_start().starts_with(b"<") {
        return Err(Failure::NoSource { file: shown() });
    }
    let folder = file.parent().map_or_else(PathBuf::new, Path::to_owned);
    let (input, folders) = if is_rust {
        let text = String::from_utf8(bytes)
            .map_err(|_| Failure::File { file: shown(), error: "it is not UTF-8".to_owned() })?;
        let package = package(file);
        (of_source(&text, file, name)?, package.into_iter().chain([folder]).collect())
    } else {
        (of_urdf(file, base.unwrap_or("fixed"))?, vec![folder])
    };
    let mut errors = Errors::default();
    let parsed = parse_in(&folders, &input, &mut errors);
    let requirements = validate(&parsed, &mut errors);
    let documented = documented(&input);
    let origin = Origin { file: file.to_owned(), has_tokens: is_rust };
    let mut robot = Robot { parsed, requirements, documented, errors, origin };
    robot.fails_with_errors()?;
    Ok(robot)
}

impl Robot {
    /// The errors that were found, as one failure.
    pub(crate) fn fails_with_errors(&mut self) -> Result<(), Failure> {
        if self.errors.is_empty() {
            return Ok(());
        }
        let at = |(span, message): (proc_macro2::Span, String)| match self.origin.has_tokens {
            true => located(&self.origin.file, span.start(), &message),
            false => message,
        };
        Err(Failure::Described(self.errors.located().into_iter().map(at).collect()))
    }

    /// What the description should have said better.
    pub(crate) fn warnings(&self) -> Vec<String> {
        if self.parsed.are_warnings_silent { Vec::new() } else { self.errors.warnings() }
    }
}

fn located(file: &Path, place: LineColumn, message: &str) -> String {
    format!("{}:{}:{}: {message}", file.display(), place.line, place.column + 1)
}

/// The folder of the package that a source file belongs to.
fn package(file: &Path) -> Option<PathBuf> {
    let file = fs::canonicalize(file).ok()?;
    file.ancestors().skip(1).find(|folder| folder.join("Cargo.toml").is_file()).map(Path::to_owned)
}

/// A URDF as a struct whose attribute names it.
fn of_urdf(file: &Path, base: &str) -> Result<DeriveInput, Failure> {
    let shown = || file.display().to_string();
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| Failure::File {
        file: shown(),
        error: "its name is not UTF-8".to_owned(),
    })?;
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("Robot");
    let ident =
        syn::Ident::new(&jourdain_codegen::parse::identifier(stem), proc_macro2::Span::call_site());
    let base = syn::Ident::new(base, proc_macro2::Span::call_site());
    Ok(syn::parse_quote!(#[robot(urdf = #name, base = #base)] struct #ident;))
}

/// The struct with a `#[robot(…)]` attribute, in whatever module of the source.
fn of_source(text: &str, file: &Path, name: Option<&str>) -> Result<DeriveInput, Failure> {
    let source = syn::parse_file(text).map_err(|error| {
        let message = format!("this is not Rust: {error}");
        Failure::Described(vec![located(file, error.span().start(), &message)])
    })?;
    let mut found = Found::default();
    found.visit_file(&source);
    let names = || found.robots.iter().map(|robot| robot.ident.to_string()).collect::<Vec<_>>();
    let file = file.display().to_string();
    match (name, found.robots.as_slice()) {
        (_, []) => Err(Failure::NoRobot { file }),
        (None, [robot]) => Ok(robot.clone()),
        (None, _) => Err(Failure::WhichRobot { file, names: names() }),
        (Some(name), robots) => {
            let named: Vec<_> = robots.iter().filter(|robot| robot.ident == name).collect();
            match named[..] {
                [robot] => Ok(robot.clone()),
                [] => Err(Failure::NotARobot { name: name.to_owned(), file, names: names() }),
                _ => Err(Failure::WhichRobot { file, names: names() }),
            }
        }
    }
}

#[derive(Default)]
struct Found {
    robots: Vec<DeriveInput>,
}

impl<'a> Visit<'a> for Found {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let attributes = match item {
            syn::Item::Struct(item) => &item.attrs,
            syn::Item::Enum(item) => &item.attrs,
            syn::Item::Union(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if attributes.iter().any(is_robot) {
            let input = match item.clone() {
                syn::Item::Struct(item) => item.into(),
                syn::Item::Enum(item) => item.into(),
                syn::Item::Union(item) => item.into(),
                _ => return,
            };
            self.robots.push(input);
        }
    }
}

/// Whether an attribute describes a robot, or derives one.
fn is_robot(attribute: &Attribute) -> bool {
    if attribute.path().is_ident("robot") {
        return true;
    }
    let mut derives = false;
    if attribute.path().is_ident("derive") {
        // What is no list of paths derives nothing.
        let _ = attribute.parse_nested_meta(|meta| {
            derives |= meta.path.segments.last().is_some_and(|last| last.ident == "Robot");
            Ok(())
        });
    }
    derives
}

/// The first line of a text, without what ends a sentence or continues a comment.
fn first_line(text: &str) -> String {
    let line = text.trim().lines().next().unwrap_or_default();
    line.trim_end_matches(['.', '\\', ' ']).replace(char::is_control, " ")
}

/// The first line of each field's documentation.
fn documented(input: &DeriveInput) -> Vec<Option<String>> {
    let syn::Data::Struct(data) = &input.data else { return Vec::new() };
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(first_line(&text.value())),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    data.fields.iter().map(|field| field.attrs.iter().find_map(line)).collect()
}
