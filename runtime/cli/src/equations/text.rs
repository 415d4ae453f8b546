//! Formulas as text that a terminal shows: `m₂ l₂ (l₂ + l₁ c₂)`.

use super::formula::{Function, Name};
use super::names::{Given, Symbolic, split};
use super::notation::{Notation, Tightness, Written, plain_number};

/// Unicode text.
pub(crate) struct Text<'a>(pub(crate) &'a Given);

impl Notation for Text<'_> {
    fn number(&self, x: f64) -> String {
        plain_number(x)
    }

    fn given(&self, set: u8, index: u32) -> String {
        let Symbolic { letter, index, dots } = self.0.symbolic(set, index);
        // A dot is a character that combines with the one before it.
        let dot = ["", "\u{307}", "\u{308}"][dots];
        format!("{letter}{dot}{}", below(&index))
    }

    fn name(&self, name: &Name) -> String {
        format!("{}{}", split(&name.letter).letter, below(&name.index))
    }

    fn sign(&self, is_negative: bool, is_first: bool) -> &'static str {
        match (is_negative, is_first) {
            (true, true) => "−",
            (true, false) => " − ",
            (false, true) => "",
            (false, false) => " + ",
        }
    }

    fn product(&self, factors: &[String]) -> String {
        let is_number = |x: &str| x.starts_with(|c: char| c.is_numeric());
        let mut text = String::new();
        for (k, factor) in factors.iter().enumerate() {
            // A word before a bracket is no function.
            let is_call = k > 0 && factor.starts_with('(') && is_word(&factors[k - 1]);
            let is_beside = k > 0 && is_number(factor) && is_number(&factors[k - 1]) || is_call;
            text.push_str(if k == 0 {
                ""
            } else if is_beside {
                " · "
            } else {
                " "
            });
            text.push_str(factor);
        }
        text
    }

    fn quotient(&self, a: &str, b: &str) -> Written {
        let fractions = [
            ("1", "2", "½"),
            ("1", "3", "⅓"),
            ("2", "3", "⅔"),
            ("1", "4", "¼"),
            ("3", "4", "¾"),
            ("1", "6", "⅙"),
            ("5", "6", "⅚"),
            ("1", "8", "⅛"),
            ("3", "8", "⅜"),
        ];
        match fractions.iter().find(|(above, below, _)| (*above, *below) == (a, b)) {
            Some((_, _, fraction)) => ((*fraction).to_owned(), Tightness::Atom),
            None => (format!("{a} / {b}"), Tightness::Product),
        }
    }

    fn has_fractions(&self) -> bool {
        false
    }

    fn power(&self, base: &str, exponent: u32) -> Written {
        let digits = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];
        let exponent: String =
            exponent.to_string().bytes().map(|c| digits[usize::from(c - b'0')]).collect();
        (format!("{base}{exponent}"), Tightness::Power)
    }

    fn function(&self, function: Function, (x, tightness): Written) -> Written {
        let is_atom = tightness == Tightness::Atom;
        let argument = if is_atom { x } else { self.enclosed(&x) };
        match function {
            Function::Sqrt => (format!("√{argument}"), Tightness::Power),
            Function::Sin | Function::Cos => {
                let word = if function == Function::Sin { "sin" } else { "cos" };
                let space = if is_atom { " " } else { "" };
                (format!("{word}{space}{argument}"), Tightness::Power)
            }
        }
    }

    fn enclosed(&self, x: &str) -> String {
        format!("({x})")
    }
}

/// An index as characters below the line where there are such, and else behind a line below.
pub(crate) fn below(index: &str) -> String {
    let digit = |c: char| match c {
        '0'..='9' => char::from_u32('₀' as u32 + (c as u32 - '0' as u32)),
        '−' => Some('₋'),
        ',' => Some('\u{2009}'),
        _ => None,
    };
    let digits: Option<String> = index.chars().map(digit).collect();
    match digits {
        Some(digits) => digits,
        None => format!("_{index}"),
    }
}

/// Whether a factor is a name of several letters.
fn is_word(factor: &str) -> bool {
    width(factor) > 1 && factor.chars().all(char::is_alphabetic)
}

/// In characters; dots above letters take no room.
pub(crate) fn width(text: &str) -> usize {
    text.chars().filter(|c| !('\u{300}'..'\u{370}').contains(c)).count()
}
