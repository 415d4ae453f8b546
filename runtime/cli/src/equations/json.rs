//! Equations for programs.

use jourdain_codegen::derive::Shape;
use serde::Serialize;

use super::code::formulas;
use super::document::{Document, Meaning, Quantity};
use super::latex::Latex;
use super::mathml::MathMl;
use super::notation::{Notation, write};
use super::text::Text;
use super::{Form, language};

#[derive(Serialize)]
struct Sheet<'a> {
    robot: &'a str,
    motion: &'a str,
    coordinates: Vec<Entry<'a>>,
    velocities: Vec<Entry<'a>>,
    inputs: Vec<Entry<'a>>,
    parameters: Vec<Entry<'a>>,
    quantities: Vec<Item>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    meaning: &'a str,
    unit: &'a str,
}

#[derive(Serialize)]
struct Item {
    key: &'static str,
    name: &'static str,
    meaning: &'static str,
    unit: &'static str,
    /// What it is a function of, in the order of its function's arguments.
    arguments: Vec<&'static str>,
    /// Rows and columns; a number has neither, a vector has rows.
    shape: Vec<usize>,
    /// Names with what they stand for, in order.
    definitions: Vec<[String; 2]>,
    /// Row by row.
    entries: Vec<String>,
}

/// The document, its formulas in the notation that is asked for.
pub(crate) fn print(document: &Document, form: Form) -> String {
    let given = &document.given;
    let item = |quantity: &Quantity| match (form, language(form)) {
        (_, Some(language)) => {
            let (definitions, entries) = formulas(language, document, quantity);
            item(quantity, definitions, entries)
        }
        (Form::Latex, _) => written(quantity, &Latex(given)),
        (Form::Html, _) => written(quantity, &MathMl(given)),
        _ => written(quantity, &Text(given)),
    };
    let sheet = Sheet {
        robot: &document.robot,
        motion: &document.motion,
        coordinates: entries(&document.coordinates),
        velocities: entries(&document.velocities),
        inputs: entries(&document.inputs),
        parameters: entries(&document.parameters),
        quantities: document.quantities.iter().map(item).collect(),
        notes: &document.notes,
    };
    // Text and lists alone, which always have a form in JSON.
    serde_json::to_string_pretty(&sheet).unwrap_or_default() + "\n"
}

fn entries(list: &[Meaning]) -> Vec<Entry<'_>> {
    list.iter().map(|m| Entry { name: &m.name, meaning: &m.meaning, unit: &m.unit }).collect()
}

fn written(quantity: &Quantity, notation: &dyn Notation) -> Item {
    let names = quantity.names();
    let text = |formula| write(notation, &names, formula).0;
    let definitions = quantity.definitions.iter().map(|d| [notation.name(&d.name), text(&d.value)]);
    item(quantity, definitions.collect(), quantity.entries.iter().map(text).collect())
}

fn item(quantity: &Quantity, definitions: Vec<[String; 2]>, entries: Vec<String>) -> Item {
    let shape = match quantity.shape {
        Shape::Number => Vec::new(),
        Shape::Vector(n) => vec![n],
        Shape::Matrix(rows, columns) => vec![rows, columns],
    };
    let kind = quantity.kind;
    Item {
        key: kind.key,
        name: kind.word,
        meaning: kind.meaning,
        unit: kind.unit,
        arguments: kind.arguments.iter().map(|argument| argument.word()).collect(),
        shape,
        definitions,
        entries,
    }
}
