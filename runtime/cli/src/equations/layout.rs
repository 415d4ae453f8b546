//! How the formulas of a quantity are laid out on lines. Widths are those of its text, whatever the notation.

use jourdain_codegen::derive::{Shape, symbols};

use super::document::Quantity;
use super::formula::{Definition, Formula, Name, Variable};
use super::kinds::Argument;
use super::names::Given;
use super::notation::{Notation, signed_terms, write};
use super::text::{Text, width};

/// How the entries of a quantity are arranged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// It is zero.
    Zero,
    Number,
    /// In brackets.
    Matrix,
    /// Those that are not zero, each by itself; of a symmetric matrix, the upper half.
    Entries(Vec<usize>),
}

/// A matrix that is wider than `most` characters is printed entry by entry.
pub(crate) fn layout(quantity: &Quantity, given: &Given, most: usize) -> Layout {
    if quantity.is_zero() {
        return Layout::Zero;
    }
    if quantity.shape == Shape::Number {
        return Layout::Number;
    }
    let (notation, names) = (Text(given), quantity.names());
    let columns = quantity.columns();
    let mut widths = vec![3; columns];
    for (k, entry) in quantity.entries.iter().enumerate() {
        let widest = &mut widths[k % columns];
        *widest = (*widest).max(width(&write(&notation, &names, entry).0) + 3);
    }
    if widths.iter().sum::<usize>() <= most {
        return Layout::Matrix;
    }
    let is_below = |k: usize| quantity.kind.is_symmetric && k % columns < k / columns;
    let is_shown = |k: &usize| !is_below(*k) && !quantity.entries[*k].is_zero();
    Layout::Entries((0..quantity.entries.len()).filter(is_shown).collect())
}

/// Row and column of an entry, counted from one.
pub(crate) fn place(quantity: &Quantity, k: usize) -> String {
    let columns = quantity.columns();
    match quantity.shape {
        Shape::Matrix(rows, columns) if rows.max(columns) > 9 => {
            format!("{},{}", k / columns + 1, k % columns + 1)
        }
        Shape::Matrix(..) => format!("{}{}", k / columns + 1, k % columns + 1),
        _ => (k + 1).to_string(),
    }
}

/// Whether the symbol needs brackets before an index: it has several characters, or a field is called by the same letter
/// with an index.
pub(crate) fn has_brackets(quantity: &Quantity, given: &Given) -> bool {
    let symbol = quantity.kind.symbol[0];
    let is_field = |k| {
        let field = given.symbolic(symbols::FIELD, k);
        field.letter == symbol && !field.index.is_empty()
    };
    width(symbol) > 1 || (0..given.fields.len() as u32).any(is_field)
}

/// What is said of the entries that do not stand by themselves.
pub(crate) fn rest(quantity: &Quantity) -> Option<&'static str> {
    let has_zeros = quantity.entries.iter().any(Formula::is_zero);
    match (quantity.kind.is_symmetric, has_zeros) {
        (true, true) => Some("symmetric, and 0 elsewhere"),
        (true, false) => Some("symmetric"),
        (false, true) => Some("0 elsewhere"),
        (false, false) => None,
    }
}

/// The arguments of a quantity, such as q and v. Time and velocities are left out where no formula contains them.
pub(crate) fn arguments(quantity: &Quantity, written: impl Fn(&Argument) -> String) -> Vec<String> {
    // A product has its own variables.
    let is_product = quantity.kind.symbol[0].contains(' ');
    let list = if is_product { &[] } else { quantity.kind.arguments };
    let used = quantity.variables();
    let is_used = |argument: &&Argument| {
        let is_in =
            |set| used.iter().any(|v| matches!(v, Variable::Given(used, _) if *used == set));
        match argument {
            Argument::T => is_in(argument.set()),
            Argument::V => quantity.is_zero() || is_in(argument.set()),
            Argument::Q | Argument::A | Argument::Force => true,
        }
    };
    list.iter().filter(is_used).map(written).collect()
}

/// The quantity as the left side of an equation, such as `M(q)`.
pub(crate) fn left(
    quantity: &Quantity,
    symbol: &str,
    written: impl Fn(&Argument) -> String,
) -> String {
    match arguments(quantity, written) {
        list if list.is_empty() => symbol.to_owned(),
        list => format!("{symbol}({})", list.join(", ")),
    }
}

/// The sines and cosines of a quantity as equations, at most `most` of them in a line.
pub(crate) fn turns(
    quantity: &Quantity,
    notation: &dyn Notation,
    separator: &str,
    most: usize,
) -> Vec<String> {
    let names = quantity.names();
    let turn = |definition: &Definition| {
        let value = write(notation, &names, &definition.value).0;
        format!("{} = {value}", notation.name(&definition.name))
    };
    let turns: Vec<_> = quantity.definitions[..quantity.turns()].iter().map(turn).collect();
    turns.chunks(most).map(|line| line.join(separator)).collect()
}

/// How formulas are parted into lines.
pub(crate) struct Lines<'a> {
    pub(crate) notation: &'a dyn Notation,
    pub(crate) names: &'a [Name],
    pub(crate) given: &'a Given,
    /// Characters of text in a line.
    pub(crate) most: usize,
}

impl Lines<'_> {
    /// A formula on lines that are as short as asked for, as far as it has sums to part between terms.
    pub(crate) fn of(&self, formula: &Formula) -> Vec<String> {
        let whole = || vec![write(self.notation, self.names, formula).0];
        if width(&write(&Text(self.given), self.names, formula).0) <= self.most {
            return whole();
        }
        match formula {
            Formula::Sum(terms) => self.of_sum(terms),
            Formula::Negative(x) if !matches!(**x, Formula::Sum(_)) => {
                let mut lines = self.of(x);
                lines[0].insert_str(0, self.notation.sign(true, true));
                lines
            }
            Formula::Product(factors) => self.of_product(factors).unwrap_or_else(whole),
            _ => whole(),
        }
    }

    fn of_sum(&self, terms: &[Formula]) -> Vec<String> {
        let signed = |notation| signed_terms(notation, self.names, terms);
        let text = Text(self.given);
        let widths = signed(&text).into_iter();
        let widths = widths.map(|(sign, term)| width(sign) + width(&term));
        let (mut lines, mut used) = (vec![String::new()], 0);
        for (((sign, term), width), formula) in
            signed(self.notation).into_iter().zip(widths).zip(terms)
        {
            let inner = if let Formula::Negative(x) = formula { x.as_ref() } else { formula };
            let is_long = width > self.most && !matches!(inner, Formula::Sum(_));
            let parts = if is_long { self.of(inner) } else { vec![term] };
            if used > 0 && used + width > self.most {
                lines.push(String::new());
                used = 0;
            }
            for (k, part) in parts.iter().enumerate() {
                if k > 0 {
                    lines.push(String::new());
                }
                let sign = if k == 0 { sign } else { "" };
                let last = lines.len() - 1;
                lines[last].push_str(&format!("{sign}{part}"));
            }
            used += width;
        }
        lines
    }

    /// The longest sum among the factors is parted.
    fn of_product(&self, factors: &[Formula]) -> Option<Vec<String>> {
        let sums = factors.iter().enumerate().filter(|(_, x)| matches!(x, Formula::Sum(_)));
        let (place, sum) = sums.max_by_key(|(_, sum)| sum.length())?;
        let Formula::Sum(terms) = sum else { return None };
        let mut lines = self.of_sum(terms);
        let last = lines.len() - 1;
        let [open, close] = self.notation.brackets();
        lines[0].insert_str(0, open);
        lines[last].push_str(close);
        // What stands before and behind the sum.
        let beside = |factors: &[Formula]| match factors {
            [] => String::new(),
            some => write(self.notation, self.names, &Formula::Product(some.to_vec())).0,
        };
        let [before, behind] = [beside(&factors[..place]), beside(&factors[place + 1..])];
        if !before.is_empty() {
            lines[0] = self.notation.product(&[before, lines[0].clone()]);
        }
        if !behind.is_empty() {
            lines[last] = self.notation.product(&[lines[last].clone(), behind]);
        }
        Some(lines)
    }
}
