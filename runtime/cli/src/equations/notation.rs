//! How a formula is written in a notation: signs, parentheses, and what a notation says of its own.

use super::formula::{Formula, Function, Name, Variable};

/// How tightly what was written holds together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tightness {
    Sum,
    Product,
    Power,
    Atom,
}

/// Something written, and how tightly it holds together.
pub(crate) type Written = (String, Tightness);

/// A way to write formulas.
pub(crate) trait Notation {
    /// A number that is not negative.
    fn number(&self, x: f64) -> String;

    /// A variable that is given.
    fn given(&self, set: u8, index: u32) -> String;

    /// A variable that is defined.
    fn name(&self, name: &Name) -> String;

    /// The sign between or before terms.
    fn sign(&self, is_negative: bool, is_first: bool) -> &'static str;

    /// Factors, each of which is in parentheses where it has to be.
    fn product(&self, factors: &[String]) -> String;

    /// a / b. Without fractions, a and b are in parentheses where they have to be.
    fn quotient(&self, a: &str, b: &str) -> Written;

    /// Whether a quotient is a fraction, whose parts need no parentheses.
    fn has_fractions(&self) -> bool;

    /// Whether a number such as 0.08333333333333333 is 1/12.
    fn has_ratios(&self) -> bool {
        true
    }

    /// xⁿ.
    fn power(&self, base: &str, exponent: u32) -> Written;

    /// f(x), with the tightness of x.
    fn function(&self, function: Function, x: Written) -> Written;

    /// (x).
    fn enclosed(&self, x: &str) -> String;

    /// Brackets that may stand on different lines.
    fn brackets(&self) -> [&'static str; 2] {
        ["(", ")"]
    }
}

/// Writes `formula`; `names` are those of defined variables.
pub(crate) fn write(notation: &dyn Notation, names: &[Name], formula: &Formula) -> Written {
    let write_it = |x: &Formula| write(notation, names, x);
    let at_least = |x: &Formula, least: Tightness| {
        let (text, tightness) = write_it(x);
        if tightness < least { notation.enclosed(&text) } else { text }
    };
    match formula {
        Formula::Number(x) => match ratio(*x).filter(|_| notation.has_ratios()) {
            Some([above, below]) => {
                notation.quotient(&notation.number(above), &notation.number(below))
            }
            None => (notation.number(*x), Tightness::Atom),
        },
        Formula::Variable(Variable::Given(set, index)) => {
            (notation.given(*set, *index), Tightness::Atom)
        }
        Formula::Variable(Variable::Defined(k)) => (notation.name(&names[*k]), Tightness::Atom),
        Formula::Negative(x) => (
            format!("{}{}", notation.sign(true, true), at_least(x, Tightness::Product)),
            Tightness::Sum,
        ),
        Formula::Sum(terms) => {
            let terms = signed_terms(notation, names, terms).into_iter();
            (terms.map(|(sign, term)| format!("{sign}{term}")).collect(), Tightness::Sum)
        }
        Formula::Product(factors) => {
            let factors: Vec<_> = factors.iter().map(|x| at_least(x, Tightness::Power)).collect();
            (notation.product(&factors), Tightness::Product)
        }
        Formula::Quotient(a, b) if notation.has_fractions() => {
            notation.quotient(&write_it(a).0, &write_it(b).0)
        }
        Formula::Quotient(a, b) => {
            notation.quotient(&at_least(a, Tightness::Product), &at_least(b, Tightness::Power))
        }
        Formula::Power(x, exponent) => notation.power(&at_least(x, Tightness::Atom), *exponent),
        Formula::Function(function, x) => notation.function(*function, write_it(x)),
    }
}

/// Each term of a sum without its sign, behind the sign as it is written there.
pub(crate) fn signed_terms(
    notation: &dyn Notation,
    names: &[Name],
    terms: &[Formula],
) -> Vec<(&'static str, String)> {
    let one = |(k, term): (usize, &Formula)| {
        let (is_negative, value) = match term {
            Formula::Negative(x) => (true, x.as_ref()),
            x => (false, x),
        };
        let (term, tightness) = write(notation, names, value);
        let term = if tightness < Tightness::Product { notation.enclosed(&term) } else { term };
        (notation.sign(is_negative, k == 0), term)
    };
    terms.iter().enumerate().map(one).collect()
}

/// A number that has many digits only because it is one of these ratios.
fn ratio(x: f64) -> Option<[f64; 2]> {
    let has_digits = |x: &f64| plain_number(*x).len() > 12;
    let x = Some(x).filter(has_digits)?;
    let of = |below: i32| {
        let below = f64::from(below);
        let above = (x * below).round();
        (above / below == x && above > 0.0 && above < 1000.0).then_some([above, below])
    };
    (3..=60).find_map(of)
}

/// A number with as many digits as tell it from its neighbours; a whole one without a point.
pub(crate) fn plain_number(x: f64) -> String {
    match x {
        x if x.is_infinite() => "∞".to_owned(),
        x if x == 0.0 || (1e-4..1e7).contains(&x) => format!("{x}"),
        x => format!("{x:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_those_of_small_numbers_and_exact() {
        assert_eq!(ratio(1.0 / 12.0), Some([1.0, 12.0]));
        assert_eq!(ratio(22.0 / 7.0), Some([22.0, 7.0]));
        for x in [0.0, 0.5, 2.0, 0.125, 0.5_f64.sqrt(), f64::INFINITY, (1.0 / 12.0_f64).next_up()] {
            assert_eq!(ratio(x), None, "{x}");
        }
    }
}
