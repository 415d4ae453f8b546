//! URDF: drafts of links and joints from an XML file.
//!
//! Only what moves the robot is read: `link` with `inertial`, `joint` with `origin`, `axis`,
//! `limit`, `dynamics` and `mimic`, and `constraint`; `standard.rs` lists what else is known, and of the
//! rest is warned. Joints come in depth-first order of the file. Every joint with one coordinate that follows no
//! other gets an actuator.
//!
//! Source: the URDF specification, <http://wiki.ros.org/urdf/XML>, with what versions 1.1 and 1.2 add, and
//! for `constraint`, which closes loops, what is proposed for it (see `constraint.rs`). Beyond them, or
//! where files in use differ: a limit whose two ends are equal (zero, mostly) states no range, and an
//! effort or velocity of zero states no limit; `world` is the world where no link has that name; a `spherical`
//! joint is read, and Drake's `drake:joint` (`ball`, `screw`, `universal`).

mod constraint;
mod dialect;
mod frame;
mod joint;
mod link;
mod load;
mod order;
mod origin;
mod source;
mod standard;

use std::borrow::Cow;

use proc_macro2::Span;
use roxmltree::{Document, ParsingOptions};

pub(super) use load::load;

use super::Parsed;
use super::attached;
use super::draft::{Closure, Connection, Hook, Joint, Link, WORLD};
use super::reader::Reader;
use super::resolve::{self, Drafts};
use crate::diagnostic::{Errors, Name};
use crate::joint::family;
use dialect::{prepared, restored};
use source::{Element, Source, Version};

/// How a file becomes a robot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UrdfOptions {
    /// How its root hangs on the world.
    pub base: Base,
    /// What becomes of `mimic`.
    pub followers: Followers,
}

/// How the root link of a file hangs on the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// By a fixed joint `root_joint`.
    #[default]
    Fixed,
    /// By a floating joint `root_joint`.
    Floating,
}

/// What becomes of joints that mimic others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Followers {
    /// They follow exactly and have no coordinates of their own.
    #[default]
    Follow,
    /// They move freely.
    Ignore,
}

/// The contents of a file.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) links: Vec<Link>,
    pub(super) joints: Vec<Joint>,
    pub(super) closures: Vec<Closure>,
}

/// Reads the URDF `text`, for tools that have no tokens; what is wrong is added to `errors`, and
/// what remains is to be validated.
///
/// `path` is shown in front of the line and column of each error.
pub fn urdf(text: &str, path: &str, options: &UrdfOptions, errors: &mut Errors) -> Parsed {
    let mut reader = Reader::new(Vec::new(), errors);
    let file = read(&mut reader, path, Span::call_site(), text, *options);
    reader.lost |= file.is_none();
    let File { name, links, joints, closures } = file.unwrap_or_default();
    let links = Drafts::new(&mut reader, links);
    let joints = Drafts::new(&mut reader, joints);
    let mut description = resolve::description(&mut reader, name, links, &joints);
    resolve::closures(&mut reader, &mut description, &closures);
    attached::unique(&mut reader, "constraint", description.constraints.iter().map(|c| &c.name));
    Parsed {
        description,
        requirements: reader.requirements,
        complete: reader.complete && !reader.lost,
        kernels: Vec::new(),
        runtime: syn::parse_quote!(::jourdain),
        files: Vec::new(),
        are_warnings_silent: false,
    }
}

/// Reads the drafts of `text`; `None` if it is no URDF at all. `path` is to be shown, and `span` is the
/// string literal that names the file.
fn read(
    reader: &mut Reader<'_>,
    path: &str,
    span: Span,
    text: &str,
    options: UrdfOptions,
) -> Option<File> {
    let text = prepared(text);
    let mut source = Source::new(path, span, &text);
    let parsing = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = match Document::parse_with_options(&text, parsing) {
        Ok(document) => document,
        Err(error) => {
            let (place, message) = (error.pos(), error.to_string());
            let at = source.place(place.row as usize, place.col as usize);
            let message = message.replace(&format!(" at {place}"), "");
            reader.gap(&at, format!("this is not XML: {}", restored(&message)));
            return None;
        }
    };
    let robot = Element { source: &source, node: document.root_element() };
    let tag = robot.tag();
    if tag != "robot" {
        reader.gap(&robot.at(), format!("expected `<robot>`, found `<{tag}>`"));
        return None;
    }
    if robot.child("link").is_none() {
        let hint =
            if standard::has_xacro(robot) { "; expand the file with xacro first" } else { "" };
        reader.gap(&robot.at(), format!("the robot has no link{hint}"));
        return None;
    }
    source.version = version(reader, robot);
    let robot = Element { source: &source, node: document.root_element() };
    standard::check(reader, robot);
    contents(reader, robot, options)
}

/// The version that is stated.
fn version(reader: &mut Reader<'_>, robot: Element<'_, '_>) -> Version {
    let Some(attribute) = robot.node.attribute_node("version") else { return Version::default() };
    match attribute.value().trim() {
        "1.0" | "1" => Version::V1_0,
        "1.1" => Version::V1_1,
        "1.2" => Version::V1_2,
        other => {
            let at = robot.source.at(attribute.range_value().start);
            let message = "is none of the versions 1.0, 1.1 and 1.2; the file is read as of 1.2";
            reader.warn(&at, format!("`{other}` {message}"));
            Version::V1_2
        }
    }
}

fn contents(reader: &mut Reader<'_>, robot: Element<'_, '_>, options: UrdfOptions) -> Option<File> {
    let name = robot.node.attribute("name").map_or(Cow::Borrowed("robot"), restored).into_owned();
    let links: Vec<Link> =
        robot.children("link").filter_map(|link| link::read(reader, link)).collect();
    let joints = robot.elements().filter(|element| joint::is_joint(*element));
    let mut joints: Vec<Joint> =
        joints.filter_map(|j| joint::read(reader, j, options.followers)).collect();
    let closures =
        robot.children("constraint").filter_map(|c| constraint::read(reader, c)).collect();
    hang_on_world(&links, &mut joints);
    let root = root(&links, &joints);
    if let (None, Base::Floating, Some(joint)) = (&root, options.base, hung(&joints)) {
        let message =
            "ties the robot to the world; `base = floating` needs a root that no joint carries";
        reader.error(&joint.name.at, format!("joint `{}` {message}", joint.name));
    }
    let mut joints = order::depth_first(joints, root.as_ref().map(|root| root.text.as_str()));
    joints.splice(0..0, root.map(|root| base(&joints, root, options.base)));
    Some(File { name, links, joints, closures })
}

/// Lets joints whose parent is called `world` hang on the world, unless a link has that name.
fn hang_on_world(links: &[Link], joints: &mut [Joint]) {
    if links.iter().any(|link| link.name.text == WORLD) {
        return;
    }
    for Connection { parent, .. } in joints.iter_mut().filter_map(|j| j.connection.as_mut()) {
        if matches!(parent, Hook::Link(name) if name.text == WORLD) {
            *parent = Hook::World;
        }
    }
}

/// The first joint that hangs on the world.
fn hung(joints: &[Joint]) -> Option<&Joint> {
    let hangs = |c: &Connection| matches!(c.parent, Hook::World);
    joints.iter().find(|joint| joint.connection.as_ref().is_some_and(hangs))
}

/// The first link that no joint carries.
fn root(links: &[Link], joints: &[Joint]) -> Option<Name> {
    let carried = |link: &&Link| {
        let carries = |c: &Connection| c.child.text == link.name.text;
        joints.iter().any(|joint| joint.connection.as_ref().is_some_and(carries))
    };
    links.iter().find(|link| !carried(link)).map(|link| link.name.clone())
}

/// The joint from the world to the root.
fn base(joints: &[Joint], root: Name, base: Base) -> Joint {
    let mut text = "root_joint".to_owned();
    while joints.iter().any(|joint| joint.name.text == text) {
        text.push('_');
    }
    let keyword = match base {
        Base::Fixed => "fixed",
        Base::Floating => "floating",
    };
    let mut joint = Joint::new(Name { text, at: root.at.clone() });
    joint.connection =
        family(keyword).map(|family| Connection { family, parent: Hook::World, child: root });
    joint
}
