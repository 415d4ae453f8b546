//! Equations for programs.

use jourdain_codegen::derive::{Shape, symbols};
use serde::Serialize;

use super::code::{Code, identifiers};
use super::document::{Document, Meaning, Quantity};
use super::formula::Name;
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
    /// What formulas call it.
    symbol: String,
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
    let fields: Vec<_>;
    let (text, latex, mathml) = (Text(given), Latex(given), MathMl(given));
    let code;
    let notation: &dyn Notation = match (form, language(form)) {
        (_, Some(language)) => {
            fields = identifiers(language, given);
            code = Code { language, fields: &fields };
            &code
        }
        (Form::Latex, _) => &latex,
        (Form::Html, _) => &mathml,
        _ => &text,
    };
    let entries = |list, set| entries(list, &|k| notation.given(set, k as u32));
    let input =
        |k: usize| notation.name(&Name { letter: "u".to_owned(), index: (k + 1).to_string() });
    let sheet = Sheet {
        robot: &document.robot,
        motion: &document.motion,
        coordinates: entries(&document.coordinates, symbols::Q),
        velocities: entries(&document.velocities, symbols::V),
        inputs: self::entries(&document.inputs, &input),
        parameters: entries(&document.parameters, symbols::FIELD),
        quantities: document
            .quantities
            .iter()
            .map(|quantity| written(quantity, notation))
            .collect(),
        notes: &document.notes,
    };
    // Text and lists alone, which always have a form in JSON.
    serde_json::to_string_pretty(&sheet).unwrap_or_default() + "\n"
}

fn entries<'a>(list: &'a [Meaning], symbol: &dyn Fn(usize) -> String) -> Vec<Entry<'a>> {
    let entry = |(k, m): (usize, &'a Meaning)| Entry {
        symbol: symbol(k),
        name: &m.name,
        meaning: &m.meaning,
        unit: &m.unit,
    };
    list.iter().enumerate().map(entry).collect()
}

fn written(quantity: &Quantity, notation: &dyn Notation) -> Item {
    let names = quantity.names();
    let text = |formula| write(notation, &names, formula).0;
    let definitions = quantity.definitions.iter().map(|d| [notation.name(&d.name), text(&d.value)]);
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
        definitions: definitions.collect(),
        entries: quantity.entries.iter().map(text).collect(),
    }
}
