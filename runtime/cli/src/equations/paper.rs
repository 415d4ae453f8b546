//! Equations in LaTeX, to be pasted into a document that uses `amsmath`.

use jourdain_codegen::derive::symbols;

use super::document::{Document, Meaning, Quantity};
use super::formula::{Formula, Name};
use super::kinds::Argument;
use super::latex::{Latex, in_words};
use super::layout::{self, Layout, Lines, layout};
use super::notation::{Notation, write};

/// A line of a page, in characters of text.
const WIDE: usize = 70;

/// Everything: what is given as tables, then the equations.
pub(crate) fn latex(document: &Document) -> String {
    let notation = &Latex(&document.given);
    let mut text = format!(
        "% Equations of {}, for a document with the package amsmath\n% {}\n",
        document.robot, document.motion
    );
    for note in &document.notes {
        text += &format!("% {note}\n");
    }
    let given = |set| move |k: usize| notation.given(set, k as u32);
    let input =
        |k: usize| notation.name(&Name { letter: "u".to_owned(), index: (k + 1).to_string() });
    let mut rows = rows(&document.coordinates, &given(symbols::Q));
    if !document.given.has_rates() {
        rows.extend(self::rows(&document.velocities, &given(symbols::V)));
    }
    rows.extend(self::rows(&document.inputs, &input));
    rows.extend(self::rows(&document.parameters, &given(symbols::FIELD)));
    // Tables do not part at the end of a page.
    for rows in rows.chunks(40) {
        let rows = rows.concat();
        text += &format!(
            "\n\\begin{{center}}\n\\begin{{tabular}}{{ll}}\n{rows}\\end{{tabular}}\n\\end{{center}}\n"
        );
    }
    for quantity in &document.quantities {
        text += &format!("\n% {}\n", quantity.described());
        text += &equations(quantity, notation);
    }
    text
}

fn rows(of: &[Meaning], written: &dyn Fn(usize) -> String) -> Vec<String> {
    let row = |(k, meaning): (usize, &Meaning)| {
        format!("  ${}$ & {} \\\\\n", written(k), in_words(&meaning.described()))
    };
    of.iter().enumerate().map(row).collect()
}

fn equations(quantity: &Quantity, notation: &Latex<'_>) -> String {
    let names = quantity.names();
    let equation = |left: &str, right: &Formula| {
        let lines = Lines { notation, names: &names, given: notation.0, most: WIDE }.of(right);
        format!("{left} &= {}", lines.join(" \\\\\n  &\\quad"))
    };
    let mut text = String::new();
    let turns = layout::turns(quantity, notation, ", \\quad ", 4);
    if !turns.is_empty() {
        let lines = turns.join(" \\\\\n");
        text += &format!("\\begin{{gather*}}\n{lines}\n\\end{{gather*}}\n");
    }
    let rest = &quantity.definitions[quantity.turns()..];
    if !rest.is_empty() {
        let lines = rest.iter().map(|d| equation(&notation.name(&d.name), &d.value));
        text += &aligned(&lines.collect::<Vec<_>>());
    }
    let symbol = quantity.kind.symbol[1];
    let left = layout::left(quantity, symbol, argument);
    match layout(quantity, notation.0, WIDE) {
        Layout::Zero => text += &format!("\\[\n{left} = 0\n\\]\n"),
        Layout::Number => {
            let right = equation(&left, &quantity.entries[0]);
            text += &match right.contains('\n') {
                true => aligned(&[right]),
                false => format!("\\[\n{}\n\\]\n", right.replacen("&=", "=", 1)),
            };
        }
        Layout::Matrix => {
            let entries: Vec<_> =
                quantity.entries.iter().map(|entry| write(notation, &names, entry).0).collect();
            let rows = entries.chunks(quantity.columns().max(1));
            let rows: Vec<_> = rows.map(|row| format!("  {}", row.join(" & "))).collect();
            // Matrices of amsmath have ten columns unless this is said.
            if quantity.columns() > 10 {
                text += &format!("\\setcounter{{MaxMatrixCols}}{{{}}}\n", quantity.columns());
            }
            let matrix = format!("\\begin{{bmatrix}}\n{}\n\\end{{bmatrix}}", rows.join(" \\\\\n"));
            text += &format!("\\[\n{left} = {matrix}\n\\]\n");
        }
        Layout::Entries(shown) => {
            let [open, close] = match layout::has_brackets(quantity, notation.0) {
                true => ["(", ")"],
                false => [""; 2],
            };
            let entry = |k: usize| {
                let left = format!("{open}{symbol}{close}_{{{}}}", layout::place(quantity, k));
                equation(&left, &quantity.entries[k])
            };
            text += &aligned(&shown.into_iter().map(entry).collect::<Vec<_>>());
            if let Some(rest) = layout::rest(quantity) {
                text += &format!("${symbol}$ is {rest}.\n");
            }
        }
    }
    text
}

fn argument(argument: &Argument) -> String {
    match argument {
        Argument::A => "\\dot v".to_owned(),
        Argument::Force => "\\tau".to_owned(),
        argument => argument.word().to_owned(),
    }
}

fn aligned(lines: &[String]) -> String {
    // Where it is long, it goes on on the next page.
    let (open, close) = if lines.len() > 12 { ("{\\allowdisplaybreaks\n", "}") } else { ("", "") };
    let lines = lines.join(" \\\\\n");
    format!("{open}\\begin{{align*}}\n{lines}\n\\end{{align*}}{close}\n")
}
