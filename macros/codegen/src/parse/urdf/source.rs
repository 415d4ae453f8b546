//! The text of a file, and where in it something stands.

use std::borrow::Cow;
use std::ops::Range;

use proc_macro2::Span;
use roxmltree::{Attribute, Node};

use super::super::reader::{At, Reader};
use super::dialect::{GAP, restored};
use crate::diagnostic::{Location, Name};
use crate::scalar::Scalar;

/// A file, as the user's text names it.
pub(super) struct Source<'t> {
    /// The path to show.
    path: &'t str,
    /// The string literal that names the file.
    span: Span,
    text: &'t str,
    /// Offset of the first byte of each line.
    lines: Vec<usize>,
    /// That of the standard that the file says it follows.
    pub(super) version: Version,
}

/// A version of the standard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    /// Where none is stated.
    #[default]
    V1_0,
    /// Orientations may be quaternions.
    V1_1,
    /// A limit that is not stated is none.
    V1_2,
}

impl<'t> Source<'t> {
    pub(super) fn new(path: &'t str, span: Span, text: &'t str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(offset, _)| offset + 1)).collect();
        Self { path, span, text, lines, version: Version::default() }
    }

    /// The place of the byte at `offset`.
    pub(super) fn at(&self, offset: usize) -> Location {
        let line = self.lines.partition_point(|&start| start <= offset);
        let start = self.lines[line.saturating_sub(1)];
        let before = self.text.get(start..offset).unwrap_or_default();
        self.place(line, before.chars().filter(|c| *c != GAP).count() + 1)
    }

    /// The place of a line and a column, both from one on.
    pub(super) fn place(&self, line: usize, column: usize) -> Location {
        let mut location = Location::token(self.span);
        location.file = Some(format!("{}:{line}:{column}", self.path));
        location
    }
}

/// An element of a file.
#[derive(Clone, Copy)]
pub(super) struct Element<'s, 'd> {
    pub(super) source: &'s Source<'d>,
    pub(super) node: Node<'d, 'd>,
}

impl<'s, 'd> Element<'s, 'd> {
    pub(super) fn at(self) -> Location {
        self.source.at(self.node.range().start)
    }

    /// Its name.
    pub(super) fn tag(self) -> Cow<'d, str> {
        restored(self.node.tag_name().name())
    }

    /// The children that are elements.
    pub(super) fn elements(self) -> impl Iterator<Item = Self> {
        let elements = self.node.children().filter(Node::is_element);
        elements.map(move |node| Self { node, ..self })
    }

    /// The children of this name.
    pub(super) fn children(self, name: &'static str) -> impl Iterator<Item = Self> {
        self.elements().filter(move |child| child.node.tag_name().name() == name)
    }

    /// The first child of this name.
    pub(super) fn child(self, name: &'static str) -> Option<Self> {
        self.children(name).next()
    }

    /// The first child of this name; an error if there is none.
    pub(super) fn required(self, reader: &mut Reader<'_>, name: &'static str) -> Option<Self> {
        let child = self.child(name);
        if child.is_none() {
            let tag = self.tag();
            reader.error(&self.at(), format!("`<{tag}>` has no `<{name}>`"));
        }
        child
    }

    fn attribute(self, key: &str) -> Option<Attribute<'d, 'd>> {
        self.node.attribute_node(key)
    }

    /// Where the value of an attribute stands, if it is given.
    pub(super) fn place_of(self, key: &str) -> Option<Location> {
        self.attribute(key).map(|attribute| self.place(attribute.range_value()))
    }

    fn place(self, range: Range<usize>) -> Location {
        self.source.at(range.start)
    }

    /// The text of an attribute; an error if there is none.
    pub(super) fn name(self, reader: &mut Reader<'_>, key: &str) -> Option<Name> {
        let Some(attribute) = self.attribute(key) else {
            let tag = self.tag();
            reader.gap(&self.at(), format!("`<{tag}>` has no `{key}`"));
            return None;
        };
        let at = self.place(attribute.range_value());
        let text = restored(attribute.value()).into_owned();
        if let Some(message) = xacro(&text) {
            reader.warn(&at, format!("`{text}` {message}"));
        }
        Some(Name { text, at })
    }

    /// The number that an attribute is, if it is given.
    pub(super) fn number(self, reader: &mut Reader<'_>, key: &str) -> Option<At<f64>> {
        let At { value: [number], at } = self.read(reader, key)?;
        Some(At { value: number, at })
    }

    /// The number that an attribute is; an error if it is not given.
    pub(super) fn required_number(self, reader: &mut Reader<'_>, key: &str) -> Option<At<f64>> {
        if self.attribute(key).is_none() {
            let tag = self.tag();
            reader.error(&self.at(), format!("`<{tag}>` has no `{key}`"));
        }
        self.number(reader, key)
    }

    /// The `N` finite numbers that an attribute lists, if it is given.
    pub(super) fn numbers<const N: usize>(
        self,
        reader: &mut Reader<'_>,
        key: &str,
    ) -> Option<At<[f64; N]>> {
        let At { value, at } = self.read(reader, key)?;
        let infinite = value.iter().find(|x: &&f64| !x.is_finite());
        if let Some(x) = infinite {
            reader.error(&at, format!("expected finite numbers for `{key}`, found {x}"));
        }
        infinite.is_none().then_some(At { value, at })
    }

    /// The `N` numbers that an attribute lists, infinities among them, if it is given.
    fn read<const N: usize>(self, reader: &mut Reader<'_>, key: &str) -> Option<At<[f64; N]>> {
        let attribute = self.attribute(key)?;
        let at = self.place(attribute.range_value());
        let text = restored(attribute.value());
        let words = text.split_ascii_whitespace();
        let read = words.map(|word| word.parse().ok().filter(|x: &f64| !x.is_nan()));
        let numbers: Option<Vec<f64>> = read.collect();
        match numbers.and_then(|numbers| <[f64; N]>::try_from(numbers).ok()) {
            Some(value) => Some(At { value, at }),
            None => {
                let expected = if N == 1 { "a number".to_owned() } else { format!("{N} numbers") };
                let hint = match xacro(&text) {
                    Some(_) => "; expand the file with xacro first",
                    None if text.contains(',') => {
                        "; numbers have a decimal point, and blanks between them"
                    }
                    None => "",
                };
                let message = format!("expected {expected} for `{key}`, found `{text}`{hint}");
                reader.error(&at, message);
                None
            }
        }
    }
}

/// What is wrong with a text that xacro should have replaced.
pub(super) fn xacro(text: &str) -> Option<&'static str> {
    let is_left = text.contains("${") || text.contains("$(");
    is_left.then_some("is left over from xacro; expand the file with it first")
}

/// Numbers as scalars.
pub(super) fn scalars<const N: usize>(numbers: At<[f64; N]>) -> At<[Scalar; N]> {
    At { value: numbers.value.map(Scalar::Number), at: numbers.at }
}

/// A number as a scalar.
pub(super) fn scalar(number: At<f64>) -> At<Scalar> {
    At { value: Scalar::Number(number.value), at: number.at }
}
