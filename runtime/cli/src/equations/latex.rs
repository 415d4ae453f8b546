//! Formulas for LaTeX.

use super::formula::{Function, Name};
use super::names::{Given, Symbolic, command, split};
use super::notation::{Notation, Tightness, Written, plain_number};

/// LaTeX, in mathematical mode.
pub(crate) struct Latex<'a>(pub(crate) &'a Given);

impl Notation for Latex<'_> {
    fn number(&self, x: f64) -> String {
        let plain = plain_number(x);
        match plain.split_once('e') {
            Some((digits, exponent)) => format!("{digits} \\cdot 10^{{{exponent}}}"),
            None => plain.replace('∞', "\\infty"),
        }
    }

    fn given(&self, set: u8, index: u32) -> String {
        let Symbolic { letter, index, dots } = self.0.symbolic(set, index);
        let letter = letters(&letter);
        let letter = match dots {
            0 => letter,
            1 => format!("\\dot {letter}"),
            _ => format!("\\ddot {letter}"),
        };
        indexed(&letter, &index)
    }

    fn name(&self, name: &Name) -> String {
        indexed(&letters(&split(&name.letter).letter), &name.index)
    }

    fn sign(&self, is_negative: bool, is_first: bool) -> &'static str {
        match (is_negative, is_first) {
            (true, true) => "-",
            (true, false) => " - ",
            (false, true) => "",
            (false, false) => " + ",
        }
    }

    fn product(&self, factors: &[String]) -> String {
        let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let mut text = String::new();
        for factor in factors {
            let is_call = factor.starts_with("\\left(") && text.ends_with('}') && is_word(&text);
            let touch = is_digit(factor.chars().next()) && is_digit(text.chars().last()) || is_call;
            text += if text.is_empty() {
                ""
            } else if touch {
                " \\cdot "
            } else {
                " "
            };
            text += factor;
        }
        text
    }

    fn quotient(&self, a: &str, b: &str) -> Written {
        (format!("\\frac{{{a}}}{{{b}}}"), Tightness::Power)
    }

    fn has_fractions(&self) -> bool {
        true
    }

    fn power(&self, base: &str, exponent: u32) -> Written {
        // A name with a dot, as any other, takes its exponent beside the index.
        (format!("{base}^{{{exponent}}}"), Tightness::Power)
    }

    fn function(&self, function: Function, (x, tightness): Written) -> Written {
        let argument =
            if tightness == Tightness::Atom { format!(" {x}") } else { self.enclosed(&x) };
        match function {
            Function::Sqrt => (format!("\\sqrt{{{x}}}"), Tightness::Atom),
            Function::Sin => (format!("\\sin{argument}"), Tightness::Power),
            Function::Cos => (format!("\\cos{argument}"), Tightness::Power),
        }
    }

    fn enclosed(&self, x: &str) -> String {
        format!("\\left({x}\\right)")
    }

    fn brackets(&self) -> [&'static str; 2] {
        ["\\bigl(", "\\bigr)"]
    }
}

/// Whether a product ends with a name of several letters, which before a bracket would look like a function.
fn is_word(product: &str) -> bool {
    product.rsplit(' ').next().is_some_and(|last| last.starts_with("\\mathrm{"))
}

fn letters(letter: &str) -> String {
    let is_single = letter.chars().count() == 1;
    command(letter).unwrap_or_else(|| if is_single { letter.to_owned() } else { word(letter) })
}

fn word(text: &str) -> String {
    format!("\\mathrm{{{}}}", text.replace('−', "-").replace('_', "\\_").replace(' ', "\\ "))
}

fn indexed(letter: &str, index: &str) -> String {
    match index {
        "" => letter.to_owned(),
        index if index.chars().all(|c| c.is_ascii_digit() || c == '−' || c == ',') => {
            format!("{letter}_{{{}}}", index.replace('−', "-"))
        }
        index if index.chars().count() == 1 => format!("{letter}_{{{index}}}"),
        index => format!("{letter}_{{{}}}", word(index)),
    }
}

/// Plain words as text of LaTeX.
pub(crate) fn in_words(text: &str) -> String {
    let one = |c: char| match c {
        '#' | '$' | '%' | '&' | '_' | '{' | '}' => format!("\\{c}"),
        '\\' => "\\textbackslash{}".to_owned(),
        '~' => "\\textasciitilde{}".to_owned(),
        '^' => "\\textasciicircum{}".to_owned(),
        '²' => "$^2$".to_owned(),
        '³' => "$^3$".to_owned(),
        '·' => "$\\cdot$".to_owned(),
        '−' => "$-$".to_owned(),
        '°' => "$^\\circ$".to_owned(),
        c => command(&c.to_string()).map_or_else(|| c.to_string(), |greek| format!("${greek}$")),
    };
    text.chars().map(one).collect()
}
