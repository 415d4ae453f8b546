//! One page for a browser: the robot drawn at rest, what its equations are in, and the equations.

use jourdain_codegen::derive::{Mechanism, Shape, symbols};

use super::document::{Document, Meaning, Quantity};
use super::drawing::drawing;
use super::formula::{Definition, Formula, Name};
use super::kinds::Argument;
use super::mathml::{MathMl, dotted, escaped};
use super::notation::{Notation, write};

const STYLE: &str = include_str!("page.css");

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
    if !document.has_rates() {
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
    let kind = quantity.kind;
    let mut text = format!(
        "<section>\n<h2>{} <small>{}</small></h2>\n",
        escaped(kind.meaning),
        escaped(kind.unit)
    );
    if !quantity.definitions.is_empty() {
        let one = |definition: &Definition| {
            let equation = format!(
                "{}<mo>=</mo>{}",
                notation.name(&definition.name),
                written(&definition.value)
            );
            format!("<span>{}</span>", math(&equation))
        };
        let list: Vec<_> = quantity.definitions.iter().map(one).collect();
        text.push_str(&format!("<p class=\"where\">{}</p>\n", list.join("\n")));
    }
    let left =
        format!("{}{}<mo>=</mo>", symbol(kind.symbol[0]), arguments(kind.arguments, notation));
    let right = match quantity.shape {
        _ if quantity.is_zero() => "<mn>0</mn>".to_owned(),
        Shape::Number => written(&quantity.entries[0]),
        Shape::Vector(_) | Shape::Matrix(..) => matrix(quantity, &written),
    };
    text.push_str(&format!(
        "<div class=\"equation\"><math display=\"block\"><mrow>{left}{right}</mrow></math></div>\n"
    ));
    text.push_str("</section>\n");
    text
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
fn arguments(list: &[Argument], notation: &MathMl<'_>) -> String {
    if list.is_empty() {
        return String::new();
    }
    let one = |argument: &Argument| match argument {
        Argument::A => symbol("v\u{307}"),
        Argument::Force => "<mi>τ</mi>".to_owned(),
        argument => format!("<mi>{}</mi>", argument.word()),
    };
    let list: Vec<_> = list.iter().map(one).collect();
    notation.enclosed(&list.join("<mo>,</mo>"))
}
