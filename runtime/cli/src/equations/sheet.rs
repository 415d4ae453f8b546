//! Equations as a sheet of text, and as one of LaTeX.

use jourdain_codegen::derive::Shape;

use super::document::{Document, Meaning, Quantity};
use super::formula::{Definition, Formula, Function, Name};
use super::kinds::Argument;
use super::latex::Latex;
use super::notation::{Notation, signed_terms, write};
use super::text::{Text, below};

/// Matrices whose rows are wider than that are printed entry by entry.
const WIDE: usize = 96;

/// Everything as Unicode text.
pub(crate) fn text(document: &Document) -> String {
    let notation = Text(&document.given);
    let mut text = format!("{}\n\n  {}\n", document.robot, document.motion);
    let mut table = |letter: &str, of: &[Meaning], is_named: bool| {
        let width = of.iter().map(|meaning| meaning.name.chars().count()).max().unwrap_or(0);
        if !of.is_empty() {
            text += "\n";
        }
        for (k, meaning) in of.iter().enumerate() {
            let name = match is_named {
                true => format!("{:width$}", meaning.name),
                false => {
                    notation.name(&Name { letter: letter.to_owned(), index: (k + 1).to_string() })
                }
            };
            text += &format!("  {name}  {}\n", meaning.described());
        }
    };
    table("q", &document.coordinates, false);
    if !document.has_rates() {
        table("v", &document.velocities, false);
    }
    table("u", &document.inputs, false);
    table("", &document.parameters, true);
    for quantity in &document.quantities {
        text += &format!("\n{} ({})\n", quantity.kind.meaning, quantity.kind.unit);
        text += &quantity_in_text(quantity, &notation);
    }
    for note in &document.notes {
        text += &format!("\n{note}\n");
    }
    text
}

fn quantity_in_text(quantity: &Quantity, notation: &dyn Notation) -> String {
    let names = quantity.names();
    let written = |formula: &Formula| write(notation, &names, formula).0;
    let mut text = String::new();
    let defined = |definition: &Definition| {
        format!("{} = {}", notation.name(&definition.name), written(&definition.value))
    };
    let is_turn = |definition: &&Definition| {
        matches!(definition.value, Formula::Function(Function::Sin | Function::Cos, _))
    };
    let turns: Vec<_> = quantity.definitions.iter().take_while(is_turn).map(defined).collect();
    text += &turns.chunks(6).map(|line| format!("    {}\n", line.join(",  "))).collect::<String>();
    for definition in quantity.definitions.iter().skip(turns.len()) {
        text += &format!("    {}\n", defined(definition));
    }
    let symbol = quantity.kind.symbol[0];
    let rows: Vec<Vec<String>> = quantity
        .entries
        .chunks(quantity.columns().max(1))
        .map(|row| row.iter().map(written).collect())
        .collect();
    if quantity.is_zero() {
        return text + format!("  {symbol} = 0\n").as_str();
    }
    let widths: Vec<usize> = (0..quantity.columns())
        .map(|column| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0))
        .collect();
    match quantity.shape {
        Shape::Number => text + format!("  {symbol} = {}\n", rows[0][0]).as_str(),
        _ if widths.iter().sum::<usize>() + 3 * widths.len() <= WIDE => {
            text + boxed(symbol, &rows, &widths).as_str()
        }
        _ => text + one_by_one(quantity, &rows, symbol).as_str(),
    }
}

/// A matrix with brackets of several lines.
fn boxed(symbol: &str, rows: &[Vec<String>], widths: &[usize]) -> String {
    let mut text = String::new();
    let last = rows.len() - 1;
    for (k, row) in rows.iter().enumerate() {
        let (open, close) = match (k, last) {
            (0, 0) => ("[", "]"),
            (0, _) => ("⎡", "⎤"),
            (k, last) if k == last => ("⎣", "⎦"),
            _ => ("⎢", "⎥"),
        };
        let front = match k == last / 2 {
            true => format!("{symbol} = "),
            false => " ".repeat(width(symbol) + 3),
        };
        let padded = |(entry, &column): (&String, &usize)| {
            format!("{entry}{}", " ".repeat(column - width(entry)))
        };
        let entries: Vec<_> = row.iter().zip(widths).map(padded).collect();
        text += &format!("  {front}{open} {} {close}\n", entries.join("   "));
    }
    text
}

/// The entries that are not zero; of a symmetric matrix, the upper half.
fn one_by_one(quantity: &Quantity, rows: &[Vec<String>], symbol: &str) -> String {
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            if is_shown(quantity, i, j) {
                let index = place(quantity, i, j);
                text += &format!("  {}{} = {entry}\n", in_brackets(symbol), below(&index));
            }
        }
    }
    text + format!("  {}\n", rest(quantity)).as_str()
}

/// A symbol, in brackets where it has an index or consists of two.
fn in_brackets(symbol: &str) -> String {
    if symbol.contains(['_', ' ']) { format!("({symbol})") } else { symbol.to_owned() }
}

fn is_shown(quantity: &Quantity, i: usize, j: usize) -> bool {
    let is_below = quantity.kind.is_symmetric && j < i;
    !is_below && !quantity.entries[i * quantity.columns() + j].is_zero()
}

/// What is said of the entries that are not shown.
fn rest(quantity: &Quantity) -> &'static str {
    match quantity.kind.is_symmetric {
        true => "symmetric, and 0 elsewhere",
        false => "0 elsewhere",
    }
}

fn place(quantity: &Quantity, i: usize, j: usize) -> String {
    match quantity.shape {
        Shape::Matrix(rows, columns) if rows.max(columns) > 9 => format!("{},{}", i + 1, j + 1),
        Shape::Matrix(..) => format!("{}{}", i + 1, j + 1),
        _ => (i + 1).to_string(),
    }
}

/// In characters; dots above letters take no room.
fn width(text: &str) -> usize {
    text.chars().filter(|c| !('\u{300}'..'\u{370}').contains(c)).count()
}

/// Everything for LaTeX, to be pasted into a document that uses `amsmath`.
pub(crate) fn latex(document: &Document) -> String {
    let notation = Latex(&document.given);
    let heading = document.heading();
    let mut text: String =
        heading.iter().map(|line| format!("% {line}").trim_end().to_owned() + "\n").collect();
    for parameter in &document.parameters {
        text += &format!("% {}: {}\n", parameter.name, parameter.described());
    }
    for quantity in &document.quantities {
        text += &format!("\n% {}\n", quantity.described());
        text += &quantity_in_latex(quantity, &notation);
    }
    text
}

/// Longer entries stand alone.
const LONG: usize = 160;

fn quantity_in_latex(quantity: &Quantity, notation: &dyn Notation) -> String {
    let names = quantity.names();
    let written = |formula: &Formula| write(notation, &names, formula);
    let mut text = String::new();
    if !quantity.definitions.is_empty() {
        let lines = quantity.definitions.iter().map(|definition| {
            let value = broken(&definition.value, &names, notation);
            format!("{} &= {value}", notation.name(&definition.name))
        });
        text += &aligned(&lines.collect::<Vec<_>>());
    }
    let of: Vec<_> = quantity
        .kind
        .arguments
        .iter()
        .map(|argument| match argument {
            Argument::A => "\\dot v",
            Argument::Force => "\\tau",
            argument => argument.word(),
        })
        .collect();
    let of = if of.is_empty() { String::new() } else { format!("({})", of.join(", ")) };
    let symbol = quantity.kind.symbol[1];
    if quantity.is_zero() {
        return text + format!("\\[\n{symbol}{of} = 0\n\\]\n").as_str();
    }
    let entries: Vec<_> = quantity.entries.iter().map(|entry| written(entry).0).collect();
    let rows: Vec<&[String]> = entries.chunks(quantity.columns().max(1)).collect();
    let longest = rows.iter().map(|row| row.iter().map(String::len).sum()).max().unwrap_or(0);
    match quantity.shape {
        Shape::Number if longest <= LONG => {
            text + format!("\\[\n{symbol}{of} = {}\n\\]\n", entries[0]).as_str()
        }
        Shape::Number => {
            text + aligned(&[format!(
                "{symbol}{of} &= {}",
                broken(&quantity.entries[0], &names, notation)
            )])
            .as_str()
        }
        _ if longest <= LONG => {
            let rows: Vec<_> = rows.iter().map(|row| format!("  {}", row.join(" & "))).collect();
            let matrix = format!("\\begin{{bmatrix}}\n{}\n\\end{{bmatrix}}", rows.join(" \\\\\n"));
            text + format!("\\[\n{symbol}{of} = {matrix}\n\\]\n").as_str()
        }
        _ => {
            let columns = quantity.columns();
            let shown = (0..entries.len()).filter(|k| is_shown(quantity, k / columns, k % columns));
            let lines = shown.map(|k| {
                let place = place(quantity, k / columns, k % columns);
                format!(
                    "{{{symbol}}}_{{{place}}} &= {}",
                    broken(&quantity.entries[k], &names, notation)
                )
            });
            format!("{text}{}% {}\n", aligned(&lines.collect::<Vec<_>>()), rest(quantity))
        }
    }
}

fn aligned(lines: &[String]) -> String {
    format!("\\begin{{align*}}\n{}\n\\end{{align*}}\n", lines.join(" \\\\\n"))
}

/// A sum on several lines, where it is long.
fn broken(formula: &Formula, names: &[Name], notation: &dyn Notation) -> String {
    let whole = write(notation, names, formula).0;
    let Formula::Sum(terms) = formula else { return whole };
    if whole.len() <= LONG {
        return whole;
    }
    let (mut text, mut line) = (String::new(), 0);
    for (sign, term) in signed_terms(notation, names, terms) {
        if line + term.len() > LONG && line > 0 {
            text += " \\\\\n  &\\quad";
            line = 0;
        }
        line += term.len();
        text += sign;
        text += &term;
    }
    text
}
