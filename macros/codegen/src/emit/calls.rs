//! The functions of the arithmetic that a kernel calls, by short names.
//!
//! What acts on lanes has the name of its function and the number of lanes, `sum4`.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The calls of one kernel: names, and what they stand for.
#[derive(Default)]
pub(super) struct Calls {
    used: BTreeMap<String, String>,
    /// Whether lanes are those of a lane program, for which the arithmetic chooses a type.
    varying: bool,
}

impl Calls {
    /// The calls of a lane program.
    pub(super) fn varying() -> Self {
        Self { varying: true, ..Self::default() }
    }

    /// The multiply-add of so many lanes.
    pub(super) fn fuse(&mut self, width: usize) -> String {
        if width == 1 {
            self.name("f", "A::mul_add".to_owned())
        } else {
            self.lanes("mul_add", width)
        }
    }

    /// The square root of so many lanes.
    pub(super) fn sqrt(&mut self, width: usize) -> String {
        if width == 1 { "A::sqrt".to_owned() } else { self.lanes("sqrt", width) }
    }

    /// A constant.
    pub(super) fn literal(&mut self, x: f64) -> String {
        let literal = self.name("k", "A::literal".to_owned());
        format!("{literal}({})", number(x))
    }

    /// A function of the type with so many lanes.
    pub(super) fn lanes(&mut self, function: &str, width: usize) -> String {
        let register = if width == 2 { "Pair" } else { "Quad" };
        let path = match self.varying {
            true => format!("V::{function}"),
            false => format!("<A::{register} as Lanes<{width}>>::{function}"),
        };
        self.name(&format!("{function}{width}"), path)
    }

    fn name(&mut self, name: &str, path: String) -> String {
        self.used.entry(name.to_owned()).or_insert(path);
        name.to_owned()
    }

    /// Statements that give the functions their names.
    pub(super) fn prologue(&self) -> String {
        let mut text = String::new();
        for (name, path) in &self.used {
            let _ = writeln!(text, "let {name} = {path};");
        }
        text
    }
}

/// A number as a literal of type `f64`.
pub(super) fn number(x: f64) -> String {
    match x {
        f64::INFINITY => "f64::INFINITY".to_owned(),
        f64::NEG_INFINITY => "-f64::INFINITY".to_owned(),
        x if x.is_nan() => "f64::NAN".to_owned(),
        x => format!("{x:?}"),
    }
}
