//! One page for a browser: the robot drawn at rest, what its equations are in, and the equations.

use std::iter;

use jourdain_codegen::derive::{Mechanism, symbols};

use super::document::{Document, Meaning, Quantity};
use super::drawing::drawing;
use super::formula::{Definition, Formula, Name};
use super::kinds::Argument;
use super::layout::{self, Layout, Lines, layout};
use super::mathml::{MathMl, dotted, escaped};
use super::notation::{Notation, write};

const STYLE: &str = include_str!("page.css");

/// A line of the page, in characters of text.
const WIDE: usize = 92;

/// The page; the drawing takes parameters for `values`.
pub(crate) fn page(document: &Document, mechanism: &Mechanism<'_>, values: &[f64]) -> String {
    let notation = MathMl(&document.given);
    let name = escaped(&document.robot);
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>Equations of {name}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<main>\n<h1>{name}</h1>\n<p class=\"motion\">{}</p>\n",
        motion(&document.motion)
    );
    text.push_str("<section class=\"given\">\n");
    text.push_str(&drawing(document, mechanism, values));
    text.push_str("<div>\n");
    text.push_str(&table(&notation, symbols::Q, &document.coordinates));
    if !document.given.has_rates() {
        text.push_str(&table(&notation, symbols::V, &document.velocities));
    }
    let u = |k: usize| notation.name(&Name { letter: "u".to_owned(), index: (k + 1).to_string() });
    text.push_str(&rows(&document.inputs, &u));
    text.push_str(&table(&notation, symbols::FIELD, &document.parameters));
    text.push_str("</div>\n</section>\n");
    for quantity in &document.quantities {
        text.push_str(&section(quantity, &notation));
    }
    for note in &document.notes {
        text.push_str(&format!("<p class=\"note\">{}</p>\n", escaped(note)));
    }
    text.push_str("</main>\n</body>\n</html>\n");
    text
}

/// The equation of motion.
fn motion(text: &str) -> String {
    let one = |word: &str| match (word, word.strip_suffix('ᵀ')) {
        ("+" | "=", _) => format!("<mo>{word}</mo>"),
        (_, Some(matrix)) => {
            format!("<msup><mi>{matrix}</mi><mi mathvariant=\"normal\">T</mi></msup>")
        }
        _ => symbol(word),
    };
    math(&text.split(' ').map(one).collect::<String>())
}

/// What is given, by its letters.
fn table(notation: &MathMl<'_>, set: u8, list: &[Meaning]) -> String {
    rows(list, &|k| notation.given(set, k as u32))
}

fn rows(list: &[Meaning], letter: &dyn Fn(usize) -> String) -> String {
    if list.is_empty() {
        return String::new();
    }
    let row = |(k, meaning): (usize, &Meaning)| {
        format!(
            "<tr><th>{}</th><td>{}</td></tr>\n",
            math(&letter(k)),
            escaped(&meaning.described())
        )
    };
    format!("<table>\n{}</table>\n", list.iter().enumerate().map(row).collect::<String>())
}

fn math(inner: &str) -> String {
    format!("<math><mrow>{inner}</mrow></math>")
}

fn section(quantity: &Quantity, notation: &MathMl<'_>) -> String {
    let names = quantity.names();
    let written = |formula: &Formula| write(notation, &names, formula).0;
    let lines = Lines { notation, names: &names, given: notation.0, most: WIDE };
    let kind = quantity.kind;
    let mut text = format!(
        "<section>\n<h2>{} <small>{}</small></h2>\n",
        escaped(kind.meaning),
        escaped(kind.unit)
    );
    if !quantity.definitions.is_empty() {
        let one = |definition: &Definition| {
            let equation = [(notation.name(&definition.name), lines.of(&definition.value))];
            format!("<span>{}</span>", math(&aligned(&equation)))
        };
        let list: Vec<_> = quantity.definitions.iter().map(one).collect();
        text.push_str(&format!("<p class=\"where\">{}</p>\n", list.join("\n")));
    }
    let symbol = symbol(kind.symbol[0]);
    let left = format!("{symbol}{}", arguments(quantity, notation));
    let layout = layout(quantity, notation.0, WIDE);
    let rest = layout::rest(quantity).filter(|_| matches!(layout, Layout::Entries(_)));
    let right = match layout {
        Layout::Zero => format!("{left}<mo>=</mo><mn>0</mn>"),
        Layout::Number => aligned(&[(left, lines.of(&quantity.entries[0]))]),
        Layout::Matrix => format!("{left}<mo>=</mo>{}", matrix(quantity, &written)),
        Layout::Entries(shown) => {
            let has_brackets = layout::has_brackets(quantity, notation.0);
            let name = if has_brackets { notation.enclosed(&symbol) } else { symbol };
            let entry = |k: usize| {
                let place = layout::place(quantity, k);
                (format!("<msub>{name}<mn>{place}</mn></msub>"), lines.of(&quantity.entries[k]))
            };
            aligned(&shown.into_iter().map(entry).collect::<Vec<_>>())
        }
    };
    text.push_str(&format!(
        "<div class=\"equation\"><math display=\"block\"><mrow>{right}</mrow></math></div>\n"
    ));
    if let Some(rest) = rest {
        text.push_str(&format!("<p class=\"note\">{rest}</p>\n"));
    }
    text.push_str("</section>\n");
    text
}

/// Equations one below the other, each as its left side and the lines of its right side.
fn aligned(equations: &[(String, Vec<String>)]) -> String {
    let row = |cells: [&str; 3]| {
        format!("<mtr>{}</mtr>", cells.map(|x| format!("<mtd><mrow>{x}</mrow></mtd>")).concat())
    };
    let rows = equations.iter().flat_map(|(left, lines)| {
        let fronts = [[left.as_str(), "<mo>=</mo>"]].into_iter().chain(iter::repeat(["", ""]));
        fronts.zip(lines).map(|([left, sign], line)| row([left, sign, line]))
    });
    format!("<mtable class=\"aligned\">{}</mtable>", rows.collect::<String>())
}

fn matrix(quantity: &Quantity, written: &dyn Fn(&Formula) -> String) -> String {
    let cell = |entry: &Formula| format!("<mtd><mrow>{}</mrow></mtd>", written(entry));
    let row = |row: &[Formula]| format!("<mtr>{}</mtr>", row.iter().map(cell).collect::<String>());
    let rows: String = quantity.entries.chunks(quantity.columns().max(1)).map(row).collect();
    format!("<mtable class=\"matrix\">{rows}</mtable>")
}

/// A quantity's own name: a letter, what is below it, and what is behind.
fn symbol(text: &str) -> String {
    let mut parts = text.split(' ');
    let one = |part: &str| {
        let (letter, below) = part.split_once('_').unwrap_or((part, ""));
        let plain = letter.trim_end_matches('\u{307}');
        let letter = dotted(plain, usize::from(plain.len() < letter.len()));
        if below.is_empty() { letter } else { format!("<msub>{letter}<mi>{below}</mi></msub>") }
    };
    parts.by_ref().map(one).collect::<Vec<_>>().join("<mo>&#x2062;</mo>")
}

/// (q, v), as far as it depends on them.
fn arguments(quantity: &Quantity, notation: &MathMl<'_>) -> String {
    let one = |argument: &Argument| match argument {
        Argument::A => symbol("v\u{307}"),
        Argument::Force => "<mi>τ</mi>".to_owned(),
        argument => format!("<mi>{}</mi>", argument.word()),
    };
    match layout::arguments(quantity, one) {
        list if list.is_empty() => String::new(),
        list => notation.enclosed(&list.join("<mo>,</mo>")),
    }
}
