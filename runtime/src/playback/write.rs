//! Filling the page's template.
//!
//! The template holds `{{name}}` where a part belongs. Parts are written as they are and not
//! searched again, so that nothing in a title can name another part.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Scene, data};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");

/// The script's files; functions are declared before any of them runs, constants in this order.
const SCRIPT: [&str; 9] = [
    include_str!("page/math.js"),
    include_str!("page/data.js"),
    include_str!("page/mesh.js"),
    include_str!("page/shaders.js"),
    include_str!("page/render.js"),
    include_str!("page/camera.js"),
    include_str!("page/plots.js"),
    include_str!("page/controls.js"),
    include_str!("page/main.js"),
];

/// A page that could not be saved.
#[derive(Debug, thiserror::Error)]
#[error("the page can't be saved as `{}`: {source}", path.display())]
struct NotSaved {
    path: PathBuf,
    source: io::Error,
}

impl Scene {
    /// Writes the page.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let mut rest = PAGE;
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, after) = after.split_once("}}").unwrap_or((after, ""));
            to.write_all(before.as_bytes())?;
            self.write_part(name, &mut to)?;
            rest = after;
        }
        to.write_all(rest.as_bytes())?;
        to.flush()
    }

    /// Writes the page to a file, which is replaced if it exists.
    ///
    /// # Errors
    ///
    /// Those of creating the file and of writing to it, of the same [kind](io::Error::kind); the message names the path.
    pub fn save(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let path = path.as_ref();
        let saved = File::create(path).and_then(|file| self.write(BufWriter::new(file)));
        saved.map_err(|source| {
            io::Error::new(source.kind(), NotSaved { path: path.to_owned(), source })
        })
    }

    fn write_part(&self, name: &str, to: &mut impl Write) -> io::Result<()> {
        match name {
            "title" => to.write_all(escape(&self.title).as_bytes()),
            "subtitle" => to.write_all(escape(&self.subtitle).as_bytes()),
            "facts" => self.facts.iter().try_for_each(|fact| {
                let (name, value) = (escape(&fact.name), escape(&fact.value));
                write!(to, "<div><dt>{name}</dt><dd>{value}</dd></div>")
            }),
            "style" => to.write_all(STYLE.as_bytes()),
            "data" => to.write_all(data::literal(self).as_bytes()),
            "script" => SCRIPT.iter().try_for_each(|part| to.write_all(part.as_bytes())),
            _ => Ok(()),
        }
    }
}

/// Text for the content of an element or a quoted attribute.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}
