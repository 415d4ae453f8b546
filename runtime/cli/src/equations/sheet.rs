//! Equations as a sheet of text for a terminal.

use jourdain_codegen::derive::symbols;

use super::document::{Document, Meaning, Quantity};
use super::formula::{Formula, Name};
use super::kinds::Argument;
use super::layout::{self, Layout, Lines, layout};
use super::notation::{Notation, write};
use super::text::{Text, below, width};

/// In characters.
const WIDE: usize = 96;

/// Everything as Unicode text.
pub(crate) fn text(document: &Document) -> String {
    let notation = &Text(&document.given);
    let mut text = format!("{}\n\n  {}\n", document.robot, document.motion);
    let given = |set| move |k: usize| notation.given(set, k as u32);
    let input =
        |k: usize| notation.name(&Name { letter: "u".to_owned(), index: (k + 1).to_string() });
    text += &table(&document.coordinates, given(symbols::Q));
    if !document.given.has_rates() {
        text += &table(&document.velocities, given(symbols::V));
    }
    text += &table(&document.inputs, input);
    text += &table(&document.parameters, given(symbols::FIELD));
    for quantity in &document.quantities {
        text += &format!("\n{} ({})\n", quantity.kind.meaning, quantity.kind.unit);
        text += &equations(quantity, notation);
    }
    for note in &document.notes {
        text += &format!("\n{note}\n");
    }
    text
}

/// What is given, a line each.
fn table(of: &[Meaning], written: impl Fn(usize) -> String) -> String {
    let names: Vec<_> = (0..of.len()).map(written).collect();
    let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let line = |(name, meaning): (&String, &Meaning)| {
        let blanks = " ".repeat(widest - width(name));
        format!("  {name}{blanks}  {}\n", meaning.described())
    };
    let lines: String = names.iter().zip(of).map(line).collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

fn equations(quantity: &Quantity, notation: &Text<'_>) -> String {
    let names = quantity.names();
    let written = |formula: &Formula| write(notation, &names, formula).0;
    let equation = |left: &str, right: &Formula| {
        let room = WIDE.saturating_sub(width(left) + 3).max(WIDE / 2);
        let lines = Lines { notation, names: &names, given: notation.0, most: room }.of(right);
        let between = format!("\n{}", " ".repeat(width(left) + 2));
        format!("{left} = {}\n", lines.join(&between))
    };
    let turns = layout::turns(quantity, notation, ",  ", 6);
    let mut text: String = turns.iter().map(|line| format!("    {line}\n")).collect();
    for definition in &quantity.definitions[quantity.turns()..] {
        text += &equation(&format!("    {}", notation.name(&definition.name)), &definition.value);
    }
    let symbol = quantity.kind.symbol[0];
    let left = layout::left(quantity, symbol, argument);
    match layout(quantity, notation.0, WIDE) {
        Layout::Zero => text += &format!("  {left} = 0\n"),
        Layout::Number => text += &equation(&format!("  {left}"), &quantity.entries[0]),
        Layout::Matrix => {
            let entries: Vec<_> = quantity.entries.iter().map(written).collect();
            text += &boxed(&left, &entries, quantity.columns());
        }
        Layout::Entries(shown) => {
            let has_brackets = layout::has_brackets(quantity, notation.0);
            let symbol = if has_brackets { format!("({symbol})") } else { symbol.to_owned() };
            for k in shown {
                let left = format!("  {symbol}{}", below(&layout::place(quantity, k)));
                text += &equation(&left, &quantity.entries[k]);
            }
            text += &layout::rest(quantity).map_or(String::new(), |rest| format!("  {rest}\n"));
        }
    }
    text
}

fn argument(argument: &Argument) -> String {
    match argument {
        Argument::A => "v\u{307}".to_owned(),
        Argument::Force => "τ".to_owned(),
        argument => argument.word().to_owned(),
    }
}

/// A matrix with brackets of several lines.
fn boxed(left: &str, entries: &[String], columns: usize) -> String {
    let rows: Vec<_> = entries.chunks(columns.max(1)).collect();
    let widest = |column: usize| rows.iter().map(|row| width(&row[column])).max().unwrap_or(0);
    let widths: Vec<_> = (0..columns).map(widest).collect();
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
            true => format!("{left} = "),
            false => " ".repeat(width(left) + 3),
        };
        let padded = |(entry, &column): (&String, &usize)| {
            format!("{entry}{}", " ".repeat(column - width(entry)))
        };
        let entries: Vec<_> = row.iter().zip(&widths).map(padded).collect();
        text += &format!("  {front}{open} {} {close}\n", entries.join("   "));
    }
    text
}
