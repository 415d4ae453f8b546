//! The entries of the attribute by their kinds, and the description that they make.

use std::path::PathBuf;

use syn::{Expr, Path};

use super::keys::{Form, Keys};
use super::pair::Touching;
use super::reader::{At, Reader};
use super::resolve::{self, Drafts};
use super::syntax::{Body, Content, Item, Value, Word};
use super::urdf::{self, Base, Followers, UrdfOptions};
use super::{attached, constraint, contact, draft, joint, limit, link, pair, request};
use crate::description::{Description, Shape, Surface, Triple};
use crate::diagnostic::Name;
use crate::kernels::Family;

/// Kinds of entries that have a name and can be repeated.
const KINDS: [&str; 9] =
    ["link", "joint", "contact", "shape", "pair", "frame", "actuator", "spring", "limit"];

/// All of them, constraints among them.
fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.into_iter().chain(constraint::KINDS)
}

/// Everything else.
const SETTINGS: [(&str, Form); 10] = [
    ("gravity", Form::Value),
    ("ground", Form::Call),
    ("collide", Form::Call),
    ("root", Form::Value),
    ("crate", Form::Value),
    ("urdf", Form::Value),
    ("base", Form::Value),
    ("mimic", Form::Value),
    ("warnings", Form::Value),
    ("kernels", Form::Call),
];

/// An entry with a name: `kind(name, …)`.
struct Entry<'a> {
    kind: &'a str,
    name: Name,
    items: &'a [Item],
    /// Whether an error in its syntax was reported.
    broken: bool,
}

/// What the attribute and the file that it names say of links and joints.
pub(super) struct Parts {
    links: Drafts<draft::Link>,
    joints: Drafts<draft::Joint>,
    closures: Vec<draft::Closure>,
    /// The files that were read.
    pub(super) files: Vec<PathBuf>,
}

/// The entries of the attribute.
pub(super) struct Entries<'a> {
    named: Vec<Entry<'a>>,
    gravity: Option<At<Triple>>,
    ground: Surface,
    /// Whether all solids touch each other.
    collide: bool,
    root: Option<Name>,
    runtime: Option<Path>,
    urdf: Option<&'a Word>,
    options: UrdfOptions,
    are_warnings_silent: bool,
    kernels: Vec<Family>,
}

impl<'a> Entries<'a> {
    /// Sorts the items of `content` by their kinds.
    pub(super) fn read(reader: &mut Reader<'_>, content: &'a Content) -> Self {
        reader.lost = !content.errors.is_empty();
        let items = reader.items(content);
        let (named, settings): (Vec<&Item>, Vec<&Item>) = items.iter().partition(|item| {
            matches!(item.body, Body::Call(_)) && kinds().any(|kind| kind == item.key.text)
        });
        let known: Vec<_> = kinds().map(|kind| (kind, Form::Call)).chain(SETTINGS).collect();
        let keys = Keys::read(reader, "a robot", settings, &known);
        let urdf = keys.word(reader, "urdf");
        reader.lost |= keys.at("urdf").is_some() && urdf.is_none();
        Self {
            named: named.into_iter().filter_map(|item| entry(reader, item)).collect(),
            gravity: keys.array(reader, "gravity"),
            ground: contact::ground(reader, &keys),
            collide: collide(reader, &keys),
            root: keys.name(reader, "root"),
            runtime: runtime(reader, &keys),
            urdf,
            options: options(reader, &keys),
            are_warnings_silent: are_warnings_silent(reader, &keys),
            kernels: request::read(reader, &keys),
        }
    }

    /// The path of the runtime crate.
    pub(super) fn runtime(&self) -> Path {
        let default = || syn::parse_quote!(::jourdain);
        self.runtime.clone().unwrap_or_else(default)
    }

    /// The heavy kernels that are asked for.
    pub(super) fn kernels(&self) -> Vec<Family> {
        self.kernels.clone()
    }

    /// Whether warnings are not to be shown.
    pub(super) fn are_warnings_silent(&self) -> bool {
        self.are_warnings_silent
    }

    fn of(&self, kind: &str) -> impl Iterator<Item = &Entry<'a>> {
        self.named.iter().filter(move |entry| entry.kind == kind)
    }

    /// What the robot is made of, and the files that were read for it.
    pub(super) fn parts(&self, reader: &mut Reader<'_>) -> Parts {
        let (file, files) = match self.urdf.and_then(|path| urdf::load(reader, path, self.options))
        {
            Some((file, path)) => (file, vec![path]),
            None => {
                reader.lost |= self.urdf.is_some();
                (urdf::File::default(), Vec::new())
            }
        };
        let mut links = Drafts::new(reader, file.links);
        for Entry { name, items, broken, .. } in self.of("link") {
            let mut link = link::read(reader, name.clone(), items);
            link.broken |= broken;
            links.add(reader, link);
        }
        let mut joints = Drafts::new(reader, file.joints);
        for Entry { name, items, broken, .. } in self.of("joint") {
            let mut joint = joint::read(reader, name.clone(), items);
            joint.broken |= broken;
            joints.add(reader, joint);
        }
        Parts { links, joints, closures: file.closures, files }
    }

    /// The description of the robot called `name`.
    pub(super) fn describe(
        &self,
        reader: &mut Reader<'_>,
        name: String,
        parts: Parts,
    ) -> Description {
        let mut description = resolve::description(reader, name, parts.links, &parts.joints);
        resolve::closures(reader, &mut description, &parts.closures);
        self.attach(reader, &mut description);
        if let Some(At { value, at }) = &self.gravity {
            reader.require_finite("gravity", value, at);
            description.gravity = value.clone();
        }
        if let Some(root) = &self.root {
            description.root = resolve::link(reader, &description.links, root);
        }
        description
    }

    /// What touches each other of `shapes`, the first `own` of which are declared as such, the others as
    /// contacts.
    fn touch(
        &self,
        reader: &mut Reader<'_>,
        description: &mut Description,
        shapes: Vec<Shape>,
        own: usize,
    ) {
        let (declared, contacts) = shapes.split_at(own);
        let clash = |contact: &&Shape| declared.iter().any(|s| s.name.text == contact.name.text);
        let names = declared.iter().chain(contacts.iter().filter(clash)).map(|shape| &shape.name);
        attached::unique(reader, "shape", names);
        let known = |name: &str| shapes.iter().any(|shape| shape.name.text == name);
        let all = self.of("shape").chain(self.of("contact")).map(|entry| entry.name.text.as_str());
        let broken = all.filter(|name| !known(name)).collect();
        let mut touching = Touching::new(&description.joints, shapes, broken);
        for Entry { name, items, .. } in self.of("pair") {
            touching.pair(reader, name, items);
        }
        if self.collide && !reader.lost {
            touching.collide();
        }
        let (contacts, shapes, pairs) = touching.finish(own);
        description.contacts.extend(contacts);
        (description.shapes, description.pairs) = (shapes, pairs);
    }

    fn attach(&self, reader: &mut Reader<'_>, description: &mut Description) {
        let links = &description.links;
        let (mut contacts, mut shapes) = (Vec::new(), Vec::new());
        for Entry { name, items, .. } in self.of("shape") {
            shapes.extend(pair::shape(reader, links, name.clone(), items));
        }
        let own = shapes.len();
        for Entry { name, items, .. } in self.of("contact") {
            let read = contact::contact(reader, links, &self.ground, name.clone(), items);
            if let Some((vertices, whole)) = read {
                contacts.extend(vertices);
                shapes.push(whole);
            }
        }
        description.contacts = contacts;
        self.touch(reader, description, shapes, own);
        attached::unique(reader, "contact", description.contacts.iter().map(|c| &c.name));
        let links = &description.links;
        for Entry { name, items, .. } in self.of("frame") {
            description.frames.extend(attached::frame(reader, links, name.clone(), items));
        }
        for Entry { name, items, .. } in self.of("spring") {
            description.springs.extend(attached::spring(reader, links, name.clone(), items));
        }
        for Entry { name, items, .. } in self.of("actuator") {
            let actuator = attached::actuator(reader, &description.joints, name.clone(), items);
            description.actuators.extend(actuator);
        }
        for entry in &self.named {
            let is_known = reader.knows_joints_of(entry.items);
            if is_known && constraint::KINDS.contains(&entry.kind) {
                let (kind, name) = (entry.kind, entry.name.clone());
                let read = constraint::read(reader, description, kind, name, entry.items);
                description.constraints.extend(read);
            }
            if is_known && entry.kind == "limit" {
                let (joints, name) = (&description.joints, entry.name.clone());
                description.limits.extend(limit::limit(reader, joints, name, entry.items));
            }
        }
        attached::unique(reader, "constraint", description.constraints.iter().map(|c| &c.name));
        attached::unique(reader, "frame", description.frames.iter().map(|f| &f.name));
        attached::unique(reader, "spring", description.springs.iter().map(|s| &s.name));
        attached::unique(reader, "actuator", description.actuators.iter().map(|a| &a.name));
        attached::unique(reader, "limit", description.limits.iter().map(|l| &l.name));
    }
}

/// `collide(all)`.
fn collide(reader: &mut Reader<'_>, keys: &Keys<'_>) -> bool {
    let Some((at, items)) = keys.call(reader, "collide") else { return false };
    match items {
        [Item { key, body: Body::Bare, .. }] if key.text == "all" => {}
        _ => reader.error(&at, "expected `collide(all)`"),
    }
    true
}

fn entry<'a>(reader: &mut Reader<'_>, item: &'a Item) -> Option<Entry<'a>> {
    let Body::Call(content) = &item.body else { return None };
    let (kind, broken) = (item.key.text.as_str(), !content.errors.is_empty());
    let Some((Item { key, body: Body::Bare, .. }, items)) = reader.items(content).split_first()
    else {
        reader.lost |= matches!(kind, "link" | "joint");
        reader.error(&item.key.at(), format!("expected a name first, `{kind}(name, …)`"));
        return None;
    };
    if kind == "link" && key.is_world() {
        let message = "`world` is the inertial frame; write \"world\" for a link of that name";
        reader.gap(&key.at(), message);
        return None;
    }
    Some(Entry { kind, name: key.name(), items, broken })
}

/// `crate = path`.
fn runtime(reader: &mut Reader<'_>, keys: &Keys<'_>) -> Option<Path> {
    let value = keys.value("crate")?;
    let path = match value {
        Value::Expr(Expr::Path(path)) => Some(path.path.clone()),
        Value::Word(word) => syn::parse_str(&word.text).ok(),
        _ => None,
    };
    if path.is_none() {
        reader.error(&value.at(), "expected the path of the runtime crate, such as `::jourdain`");
    }
    path
}

/// `warnings = show | ignore`.
fn are_warnings_silent(reader: &mut Reader<'_>, keys: &Keys<'_>) -> bool {
    let Some(word) = keys.word(reader, "warnings") else { return false };
    match word.text.as_str() {
        "show" => {}
        "ignore" => return true,
        _ => reader.error(&word.at(), "expected `show` or `ignore`"),
    }
    false
}

/// `base = floating | fixed` and `mimic = follow | ignore`, which belong to a file.
fn options(reader: &mut Reader<'_>, keys: &Keys<'_>) -> UrdfOptions {
    let mut options = UrdfOptions::default();
    for key in ["base", "mimic", "warnings"] {
        if let (Some(at), None) = (keys.at(key), keys.at("urdf")) {
            reader
                .error(&at, format!("`{key}` says how a file is read, and there is no `urdf = …`"));
        }
    }
    if let Some(word) = keys.word(reader, "base") {
        match word.text.as_str() {
            "floating" => options.base = Base::Floating,
            "fixed" => options.base = Base::Fixed,
            _ => reader.error(&word.at(), "expected `floating` or `fixed`"),
        }
    }
    if let Some(word) = keys.word(reader, "mimic") {
        match word.text.as_str() {
            "follow" => options.followers = Followers::Follow,
            "ignore" => options.followers = Followers::Ignore,
            _ => reader.error(&word.at(), "expected `follow` or `ignore`"),
        }
    }
    options
}
