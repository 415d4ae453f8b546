//! Expanded formulas as lists of terms.

use std::collections::BTreeMap;

use jourdain_codegen::derive::symbols;
use symbolica::atom::{Atom, AtomCore, AtomView};
use symbolica::domains::rational::Rational;
use symbolica::prelude::*;

/// A variable of expanded formulas. The order is that of factors in print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Variable {
    /// A lumped parameter.
    Lump(usize),
    /// A parameter.
    Field(u32),
    /// What is no polynomial, by its place in the list of those.
    Opaque(usize),
    Time,
    /// A coordinate.
    Q(u32),
    /// Sine of an angle in the list of those.
    Sine(usize),
    Cosine(usize),
    /// A velocity, or an acceleration.
    V(u32),
    A(u32),
}

impl Variable {
    pub(super) fn given(set: u8, index: u32) -> Self {
        match set {
            symbols::FIELD => Variable::Field(index),
            symbols::Q => Variable::Q(index),
            symbols::V => Variable::V(index),
            symbols::A => Variable::A(index),
            _ => Variable::Time,
        }
    }

    /// As a variable of Symbolica's.
    pub(super) fn atom(self) -> Atom {
        let name = match self {
            Variable::Lump(k) => format!("l{k}"),
            Variable::Field(k) => format!("p{k}"),
            Variable::Opaque(k) => format!("w{k}"),
            Variable::Time => "t0".to_owned(),
            Variable::Q(k) => format!("q{k}"),
            Variable::Sine(k) => format!("s{k}"),
            Variable::Cosine(k) => format!("c{k}"),
            Variable::V(k) => format!("v{k}"),
            Variable::A(k) => format!("a{k}"),
        };
        Atom::var(symbol!(name.as_str()))
    }

    fn of(symbol: Symbol) -> Option<Self> {
        let name = symbol.get_stripped_name();
        let (letter, index) = name.split_at_checked(1)?;
        let index: u32 = index.parse().ok()?;
        Some(match letter {
            "l" => Variable::Lump(index as usize),
            "p" => Variable::Field(index),
            "w" => Variable::Opaque(index as usize),
            "t" => Variable::Time,
            "q" => Variable::Q(index),
            "s" => Variable::Sine(index as usize),
            "c" => Variable::Cosine(index as usize),
            "v" => Variable::V(index),
            "a" => Variable::A(index),
            _ => return None,
        })
    }

    /// Whether it is a number once the robot is known.
    pub(super) fn is_parameter(self) -> bool {
        matches!(self, Variable::Lump(_) | Variable::Field(_))
    }
}

/// A coefficient and powers, which may be negative, of variables.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    pub(super) coefficient: Rational,
    pub(super) powers: BTreeMap<Variable, i32>,
}

impl Term {
    pub(super) fn number(coefficient: Rational) -> Self {
        Self { coefficient, powers: BTreeMap::new() }
    }

    pub(super) fn power(&self, variable: Variable) -> i32 {
        self.powers.get(&variable).copied().unwrap_or(0)
    }

    /// Itself without a factor.
    pub(super) fn without(&self, factor: &BTreeMap<Variable, i32>) -> Self {
        let mut powers = self.powers.clone();
        for (variable, power) in factor {
            *powers.entry(*variable).or_insert(0) -= power;
        }
        powers.retain(|_, power| *power != 0);
        Self { coefficient: self.coefficient.clone(), powers }
    }
}

/// The terms of an expanded formula; `None` where it is no sum of products of powers.
pub(super) fn terms(atom: &Atom) -> Option<Vec<Term>> {
    match atom.as_view() {
        view if view.is_zero() => Some(Vec::new()),
        AtomView::Add(sum) => sum.iter().map(term).collect(),
        view => Some(vec![term(view)?]),
    }
}

fn term(view: AtomView<'_>) -> Option<Term> {
    let mut term = Term::number(Rational::one());
    multiply(&mut term, view, 1)?;
    Some(term)
}

fn multiply(term: &mut Term, view: AtomView<'_>, power: i32) -> Option<()> {
    match view {
        AtomView::Num(_) => {
            let number = Rational::try_from(view).ok()?;
            let factor = number.pow(u64::from(power.unsigned_abs()));
            term.coefficient = match power {
                0.. => &term.coefficient * &factor,
                _ => &term.coefficient / &factor,
            };
        }
        AtomView::Var(variable) => {
            *term.powers.entry(Variable::of(variable.get_symbol())?).or_insert(0) += power;
        }
        AtomView::Pow(raised) => {
            let (base, exponent) = raised.get_base_exp();
            let exponent = Rational::try_from(exponent).ok()?;
            let exponent =
                exponent.is_integer().then(|| exponent.numerator().to_i64()).flatten()?;
            multiply(term, base, power * i32::try_from(exponent).ok()?)?;
        }
        AtomView::Mul(product) => {
            for factor in product.iter() {
                multiply(term, factor, power)?;
            }
        }
        AtomView::Add(_) | AtomView::Fun(_) => return None,
    }
    Some(())
}

/// The sum of terms.
pub(super) fn atom(terms: &[Term]) -> Atom {
    let one = |term: &Term| {
        let powers = term.powers.iter().map(|(variable, power)| variable.atom().pow(*power));
        powers.fold(Atom::num(term.coefficient.clone()), |product, factor| product * factor)
    };
    Atom::add_many(terms.iter().map(one))
}
