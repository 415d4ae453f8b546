//! Formulas as a person writes them, before they have a notation.

use jourdain_codegen::derive::symbols;
use jourdain_codegen::expr::Symbol;
use serde::{Deserialize, Serialize};

/// A formula. Signs stand before terms: a number is not negative.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Formula {
    Number(f64),
    Variable(Variable),
    Negative(Box<Formula>),
    Sum(Vec<Formula>),
    Product(Vec<Formula>),
    Quotient(Box<Formula>, Box<Formula>),
    Power(Box<Formula>, u32),
    Function(Function, Box<Formula>),
}

/// What a formula is in terms of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Variable {
    /// A parameter, a coordinate, a velocity, an acceleration or time, by set and index.
    Given(u8, u32),
    /// What is defined before, by its place.
    Defined(usize),
}

/// The functions that equations have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Function {
    Sin,
    Cos,
    Sqrt,
}

/// What a defined variable is called: a letter and what stands below it, in which `,` and `−`, that no field has, part angles.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Name {
    pub(crate) letter: String,
    pub(crate) index: String,
}

/// A variable and what it stands for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Definition {
    pub(crate) name: Name,
    pub(crate) value: Formula,
}

impl Variable {
    /// Parameters, coordinates, what is defined, and rates, in this order.
    fn class(self) -> u8 {
        match self {
            Variable::Given(symbols::FIELD, _) => 1,
            Variable::Given(symbols::Q | symbols::TIME, _) => 2,
            Variable::Defined(_) => 3,
            Variable::Given(..) => 4,
        }
    }
}

impl From<Symbol> for Variable {
    fn from(symbol: Symbol) -> Self {
        Variable::Given(symbol.set, symbol.index)
    }
}

impl Formula {
    pub(crate) fn number(x: f64) -> Self {
        match x {
            x if x.is_sign_negative() && x != 0.0 => {
                Formula::Negative(Box::new(Formula::Number(-x)))
            }
            x => Formula::Number(x),
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        *self == Formula::Number(0.0)
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Formula::Negative(x) => *x,
            x => Formula::Negative(Box::new(x)),
        }
    }

    /// a + b; the terms of both side by side, without those that cancel.
    pub(crate) fn plus(self, other: Self) -> Self {
        let terms = |x| match x {
            Formula::Sum(terms) => terms,
            x => vec![x],
        };
        let mut sum = terms(self);
        for term in terms(other) {
            let opposite = term.clone().negated();
            match sum.iter().position(|known| *known == opposite) {
                Some(place) => drop(sum.remove(place)),
                None => sum.push(term),
            }
        }
        match sum.len() {
            0 => Formula::Number(0.0),
            1 => sum.remove(0),
            _ => Formula::Sum(sum),
        }
    }

    /// −(a + b) as −a − b.
    pub(crate) fn negated_terms(self) -> Self {
        match self {
            Formula::Sum(terms) => Formula::Sum(terms.into_iter().map(Self::negated).collect()),
            x => x.negated(),
        }
    }

    /// A sum with a term that is not negative first, if it has one.
    pub(crate) fn positive_first(self) -> Self {
        let Formula::Sum(mut terms) = self else { return self };
        if let Some(place) = terms.iter().position(|term| !matches!(term, Formula::Negative(_))) {
            terms[..=place].rotate_right(1);
        }
        Formula::Sum(terms)
    }

    /// a · b; the factors of both side by side, equal ones as a power, in the order of numbers and variables.
    pub(crate) fn times(self, other: Self) -> Self {
        let factors = |x| match x {
            Formula::Product(factors) => factors,
            x => vec![x],
        };
        let mut product: Vec<Formula> = Vec::new();
        for factor in factors(self).into_iter().chain(factors(other)) {
            if let (Formula::Number(x), Some(Formula::Number(known))) =
                (&factor, product.iter_mut().find(|known| matches!(known, Formula::Number(_))))
            {
                *known *= x;
                continue;
            }
            let (base, exponent) = factor.base();
            let same = product
                .iter_mut()
                .find(|known| !matches!(known, Formula::Number(_)) && known.base().0 == base);
            match same {
                Some(known) => {
                    let sum = known.base().1 + exponent;
                    *known = Formula::Power(Box::new(base), sum);
                }
                None => product.push(factor),
            }
        }
        product.sort_by_key(Formula::rank);
        if product.len() == 1 { product.remove(0) } else { Formula::Product(product) }
    }

    /// A power as base and exponent.
    fn base(&self) -> (Formula, u32) {
        match self {
            Formula::Power(base, exponent) => (base.as_ref().clone(), *exponent),
            x => (x.clone(), 1),
        }
    }

    /// The place among factors: parameters first, rates last, sums behind what is single.
    fn rank(&self) -> (u8, bool, Option<Variable>) {
        match self {
            Formula::Number(_) => (0, false, None),
            Formula::Variable(variable) => (variable.class(), false, Some(*variable)),
            Formula::Power(base, _) => base.rank(),
            other => {
                let mut variables = Vec::new();
                other.variables(&mut variables);
                (variables.iter().map(|variable| variable.class()).max().unwrap_or(0), true, None)
            }
        }
    }

    /// How many numbers and variables it takes to write it.
    pub(crate) fn length(&self) -> usize {
        match self {
            Formula::Number(_) | Formula::Variable(_) => 1,
            Formula::Negative(x) | Formula::Function(_, x) => x.length(),
            Formula::Power(x, _) => x.length() + 1,
            Formula::Sum(list) | Formula::Product(list) => list.iter().map(Self::length).sum(),
            Formula::Quotient(a, b) => a.length() + b.length(),
        }
    }

    /// Changes every variable in it.
    pub(crate) fn for_each_variable(&mut self, change: &dyn Fn(&mut Variable)) {
        match self {
            Formula::Number(_) => {}
            Formula::Variable(variable) => change(variable),
            Formula::Negative(x) | Formula::Function(_, x) | Formula::Power(x, _) => {
                x.for_each_variable(change);
            }
            Formula::Sum(list) | Formula::Product(list) => {
                list.iter_mut().for_each(|x| x.for_each_variable(change));
            }
            Formula::Quotient(a, b) => [a, b].into_iter().for_each(|x| x.for_each_variable(change)),
        }
    }

    /// Every variable in it.
    pub(crate) fn variables(&self, found: &mut Vec<Variable>) {
        match self {
            Formula::Number(_) => {}
            Formula::Variable(variable) => found.push(*variable),
            Formula::Negative(x) | Formula::Function(_, x) | Formula::Power(x, _) => {
                x.variables(found);
            }
            Formula::Sum(list) | Formula::Product(list) => {
                list.iter().for_each(|x| x.variables(found));
            }
            Formula::Quotient(a, b) => [a, b].into_iter().for_each(|x| x.variables(found)),
        }
    }
}
