//! Formulas as MathML, which browsers set.

use super::formula::{Function, Name};
use super::names::{Given, Symbolic, split};
use super::notation::{Notation, Tightness, Written, plain_number};

/// MathML, without the element `math` around it.
pub(crate) struct MathMl<'a>(pub(crate) &'a Given);

/// Times, unseen.
const TIMES: &str = "<mo>&#x2062;</mo>";

impl Notation for MathMl<'_> {
    fn number(&self, x: f64) -> String {
        let plain = plain_number(x);
        match plain.split_once('e') {
            Some((digits, exponent)) => {
                let power =
                    format!("<msup><mn>10</mn><mn>{}</mn></msup>", exponent.replace('-', "−"));
                format!("<mrow><mn>{digits}</mn><mo>·</mo>{power}</mrow>")
            }
            None => format!("<mn>{plain}</mn>"),
        }
    }

    fn given(&self, set: u8, index: u32) -> String {
        let Symbolic { letter, index, dots } = self.0.symbolic(set, index);
        indexed(&dotted(&letter, dots), &index)
    }

    fn name(&self, name: &Name) -> String {
        indexed(&format!("<mi>{}</mi>", escaped(&split(&name.letter).letter)), &name.index)
    }

    fn sign(&self, is_negative: bool, is_first: bool) -> &'static str {
        match (is_negative, is_first) {
            (true, true) => "<mo form=\"prefix\">−</mo>",
            (true, false) => "<mo form=\"infix\">−</mo>",
            (false, true) => "",
            (false, false) => "<mo form=\"infix\">+</mo>",
        }
    }

    fn product(&self, factors: &[String]) -> String {
        // A word before a bracket is no function.
        let is_word = |factor: &str| {
            let letters = factor.strip_prefix("<mi>").and_then(|rest| rest.strip_suffix("</mi>"));
            letters.is_some_and(|letters| letters.chars().count() > 1)
        };
        let between = |last: &str, factor: &str| {
            let is_call = is_word(last) && factor.starts_with("<mrow><mo>(");
            if factor.starts_with("<mn>") || is_call { "<mo>·</mo>" } else { TIMES }
        };
        let mut text = String::new();
        for (k, factor) in factors.iter().enumerate() {
            text.push_str(if k == 0 { "" } else { between(&factors[k - 1], factor) });
            text.push_str(factor);
        }
        text
    }

    fn quotient(&self, a: &str, b: &str) -> Written {
        (format!("<mfrac><mrow>{a}</mrow><mrow>{b}</mrow></mfrac>"), Tightness::Power)
    }

    fn has_fractions(&self) -> bool {
        true
    }

    fn power(&self, base: &str, exponent: u32) -> Written {
        // Index and exponent stand one above the other.
        let indexed = base.strip_prefix("<msub>").and_then(|rest| rest.strip_suffix("</msub>"));
        let text = match indexed {
            Some(inner) => format!("<msubsup>{inner}<mn>{exponent}</mn></msubsup>"),
            None => format!("<msup><mrow>{base}</mrow><mn>{exponent}</mn></msup>"),
        };
        (text, Tightness::Power)
    }

    fn function(&self, function: Function, (x, tightness): Written) -> Written {
        let argument = match tightness {
            Tightness::Atom => format!("<mspace width=\"0.17em\"/>{x}"),
            _ => self.enclosed(&x),
        };
        let word = match function {
            Function::Sqrt => return (format!("<msqrt><mrow>{x}</mrow></msqrt>"), Tightness::Atom),
            Function::Sin => "sin",
            Function::Cos => "cos",
        };
        (format!("<mrow><mi>{word}</mi><mo>&#x2061;</mo>{argument}</mrow>"), Tightness::Power)
    }

    fn enclosed(&self, x: &str) -> String {
        format!("<mrow><mo>(</mo>{x}<mo>)</mo></mrow>")
    }

    fn brackets(&self) -> [&'static str; 2] {
        ["<mo form=\"prefix\">(</mo>", "<mo form=\"postfix\">)</mo>"]
    }
}

/// A letter below so many dots. These are characters that combine with it, as fonts without mathematics set them
/// better than accents; and what consists of several characters would stand upright by itself.
pub(crate) fn dotted(letter: &str, dots: usize) -> String {
    let mut letters = letter.chars();
    let italic = match (letters.next(), letters.next()) {
        (Some('h'), None) => Some('ℎ'),
        (Some(c @ 'a'..='z'), None) => char::from_u32('\u{1D44E}' as u32 + (c as u32 - 'a' as u32)),
        (Some(c @ 'A'..='Z'), None) => char::from_u32('\u{1D434}' as u32 + (c as u32 - 'A' as u32)),
        _ => None,
    };
    match (dots, italic) {
        (1, Some(letter)) => format!("<mi>{letter}\u{307}</mi>"),
        (2, Some(letter)) => format!("<mi>{letter}\u{308}</mi>"),
        _ => format!("<mi>{}</mi>", escaped(letter)),
    }
}

fn indexed(letter: &str, index: &str) -> String {
    if index.is_empty() {
        return letter.to_owned();
    }
    let is_number = index.chars().all(|c| c.is_ascii_digit());
    let below = escaped(index);
    let tag = if is_number { "mn" } else { "mi" };
    format!("<msub>{letter}<{tag}>{below}</{tag}></msub>")
}

/// Text within an element or an attribute.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
