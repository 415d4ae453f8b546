//! Of several ways to collect an expanded formula, the one that is shortest to write.
//!
//! Masses and whatever else energies are linear in come before brackets, as textbooks have it, or velocities and
//! sines and cosines do, or factors. Nothing is nested for its own sake.

use std::collections::BTreeMap;

use symbolica::atom::{AtomCore, AtomView};
use symbolica::domains::rational::Rational;

use super::number;
use super::term::{Term, Variable, atom, terms};
use crate::equations::formula::{Formula, Variable as Written};

/// Factors are looked for in formulas of at most so many terms.
const FACTORED: usize = 24;

/// What formulas are written with.
pub(super) struct Writer<'a> {
    /// The parameters in which an energy is linear.
    pub(super) masses: &'a [Variable],
    /// What each variable is in print.
    pub(super) written: &'a dyn Fn(Variable) -> Written,
}

type Powers = BTreeMap<Variable, i32>;

impl Writer<'_> {
    /// The shortest form of a sum of terms.
    pub(super) fn shortest(&self, list: &[Term]) -> Formula {
        match list {
            [] => return Formula::Number(0.0),
            [term] => return self.monomial(term),
            _ => {}
        }
        let powers = common_powers(list);
        let sign = Rational::new(
            if list.iter().all(|term| term.coefficient.is_negative()) { -1 } else { 1 },
            1,
        );
        let numbers = contents(list).into_iter().map(|number| &number * &sign);
        let forms = numbers.map(|number| {
            let rest = list.iter().map(|term| {
                let rest = term.without(&powers);
                Term { coefficient: &rest.coefficient / &number, ..rest }
            });
            let bracket = self.bracket(&rest.collect::<Vec<_>>());
            let factor = Term { coefficient: number, powers: powers.clone() };
            let is_one = factor.powers.is_empty() && factor.coefficient.abs().is_one();
            match (is_one, factor.coefficient.is_negative()) {
                (true, false) => bracket,
                (true, true) => bracket.negated(),
                (false, _) => self.product(&factor, bracket),
            }
        });
        forms.min_by_key(Formula::length).unwrap_or(Formula::Number(0.0))
    }

    /// A sum without a common factor.
    fn bracket(&self, list: &[Term]) -> Formula {
        if let [term] = list {
            return self.monomial(term);
        }
        let mut sorted = list.to_vec();
        sorted.sort_by_key(|term| self.rank(term));
        let plain =
            Formula::Sum(sorted.iter().map(|term| self.monomial(term)).collect()).positive_first();
        let by = |key: &dyn Fn(&Term) -> Powers| self.collected(&sorted, key);
        let of = |term: &Term, is_key: &dyn Fn(Variable) -> bool| {
            let chosen = term.powers.iter().filter(|(variable, _)| is_key(**variable));
            chosen.map(|(variable, power)| (*variable, *power)).collect()
        };
        let is_motion = |variable| matches!(variable, Variable::V(_) | Variable::A(_));
        let is_mass = |variable| self.masses.contains(&variable);
        let is_linear = |variable: Variable| {
            variable.is_parameter()
                && list.iter().all(|term| (0..2).contains(&term.power(variable)))
        };
        let candidates = [
            by(&|term| of(term, &is_mass)),
            by(&|term| of(term, &is_motion)),
            by(&|term| of(term, &|variable| !variable.is_parameter())),
            self.factored(&sorted),
            by(&|term| of(term, &is_linear)),
        ];
        candidates
            .into_iter()
            .flatten()
            .fold(plain, |best, next| if next.length() < best.length() { next } else { best })
    }

    /// Terms with the same key together, each key before its bracket.
    fn collected(&self, list: &[Term], key: &dyn Fn(&Term) -> Powers) -> Option<Formula> {
        let mut groups: Vec<(Powers, Vec<Term>)> = Vec::new();
        for term in list {
            let key = key(term);
            let rest = term.without(&key);
            match groups.iter_mut().find(|group| group.0 == key) {
                Some(group) => group.1.push(rest),
                None => groups.push((key, vec![rest])),
            }
        }
        if groups.len() < 2 || groups.len() == list.len() {
            return None;
        }
        let part = |(powers, rest): &(Powers, Vec<Term>)| {
            let whole: Vec<_> = rest.iter().map(|term| joined(powers, term)).collect();
            match rest.len() {
                1 => self.monomial(&whole[0]),
                _ => self.shortest(&whole),
            }
        };
        let parts = groups.iter().map(part).collect::<Vec<_>>();
        parts.into_iter().reduce(Formula::plus).map(Formula::positive_first)
    }

    /// As a product of sums.
    fn factored(&self, list: &[Term]) -> Option<Formula> {
        if list.len() > FACTORED {
            return None;
        }
        let below = divisor(list);
        if !below.is_empty() {
            let above: Vec<_> = list.iter().map(|term| term.without(&below)).collect();
            let factor = Term { coefficient: Rational::one(), powers: below };
            return Some(self.product(&factor, self.factored(&above)?));
        }
        let factored = atom(list).factor();
        let product: Vec<_> = match factored.as_view() {
            AtomView::Mul(product) => product.iter().collect(),
            view @ AtomView::Pow(_) => return self.factor(view),
            _ => return None,
        };
        let is_sum = |factor: &&AtomView<'_>| match factor {
            AtomView::Add(_) => true,
            AtomView::Pow(raised) => matches!(raised.get_base(), AtomView::Add(_)),
            _ => false,
        };
        // A number before the same sum is no factor.
        if product.iter().filter(is_sum).count() < 2 {
            return None;
        }
        let factors: Option<Vec<_>> =
            product.into_iter().map(|factor| self.factor(factor)).collect();
        factors?.into_iter().reduce(Formula::times)
    }

    fn factor(&self, view: AtomView<'_>) -> Option<Formula> {
        if let AtomView::Pow(raised) = view {
            let (base, exponent) = raised.get_base_exp();
            let exponent = i64::try_from(exponent).ok().and_then(|n| u32::try_from(n).ok())?;
            let base = self.shortest(&terms(&base.to_owned())?);
            return Some(Formula::Power(Box::new(base), exponent));
        }
        Some(self.shortest(&terms(&view.to_owned().expand())?))
    }

    /// A product of a monomial and a sum.
    fn product(&self, factor: &Term, bracket: Formula) -> Formula {
        let sign = factor.coefficient.is_negative();
        let positive =
            Term { coefficient: factor.coefficient.abs(), powers: factor.powers.clone() };
        let is_number = positive.powers.is_empty();
        let product = match self.monomial(&positive) {
            Formula::Quotient(a, b) if !is_number || !matches!(*b, Formula::Number(_)) => {
                let above = if *a == Formula::Number(1.0) { bracket } else { a.times(bracket) };
                Formula::Quotient(Box::new(above), b)
            }
            monomial => match bracket {
                Formula::Quotient(a, b) => Formula::Quotient(Box::new(monomial.times(*a)), b),
                bracket => monomial.times(bracket),
            },
        };
        if sign { product.negated() } else { product }
    }

    /// A term, its number first, then masses.
    fn monomial(&self, term: &Term) -> Formula {
        let coefficient = term.coefficient.abs();
        let number = number::formula(&coefficient);
        let mut variables: Vec<_> = term.powers.iter().collect();
        variables.sort_by_key(|(variable, _)| (!self.masses.contains(variable), **variable));
        let power = |variable: Variable, power: u32| {
            let variable = Formula::Variable((self.written)(variable));
            if power == 1 { variable } else { Formula::Power(Box::new(variable), power) }
        };
        let part = |is_above: bool| -> Vec<Formula> {
            let chosen = variables.iter().filter(|(_, power)| (**power > 0) == is_above);
            chosen.map(|(variable, n)| power(**variable, n.unsigned_abs())).collect()
        };
        let (mut above, below) = (part(true), part(false));
        if above.is_empty() || !coefficient.is_one() {
            above.insert(0, number);
        }
        let whole = |mut list: Vec<Formula>| {
            if list.len() == 1 { list.remove(0) } else { Formula::Product(list) }
        };
        let above = whole(above);
        let formula = match below.is_empty() {
            true => above,
            false => Formula::Quotient(Box::new(above), Box::new(whole(below))),
        };
        if term.coefficient.is_negative() { formula.negated() } else { formula }
    }

    /// The order of terms: without sines and velocities first, then as their factors are ordered.
    fn rank(&self, term: &Term) -> (usize, Vec<(bool, Variable, i32)>) {
        let outer = term.powers.keys().filter(|variable| !variable.is_parameter()).count();
        let mut list: Vec<_> = term
            .powers
            .iter()
            .map(|(variable, power)| (!self.masses.contains(variable), *variable, -power))
            .collect();
        list.sort_unstable();
        (outer, list)
    }
}

/// The powers that all terms have.
fn common_powers(list: &[Term]) -> Powers {
    let mut powers = list[0].powers.clone();
    for term in list {
        for (variable, power) in &mut powers {
            let other = term.power(*variable);
            *power = match power.signum() == other.signum() {
                true if *power > 0 => (*power).min(other),
                true => (*power).max(other),
                false => 0,
            };
        }
    }
    powers.retain(|_, power| *power != 0);
    powers
}

/// The powers to divide by so that no term has a negative one.
fn divisor(list: &[Term]) -> Powers {
    let mut lowest = Powers::new();
    for (variable, power) in list.iter().flat_map(|term| &term.powers) {
        let known = lowest.entry(*variable).or_insert(0);
        *known = (*known).min(*power);
    }
    lowest.retain(|_, power| *power < 0);
    lowest
}

/// Numbers that may stand before a bracket: one, the largest that all coefficients are multiples of, and the coefficient
/// that is met most often; only where what they leave is simple.
fn contents(list: &[Term]) -> Vec<Rational> {
    let sizes: Vec<Rational> = list.iter().map(|term| term.coefficient.abs()).collect();
    let largest = sizes.iter().skip(1).fold(sizes[0].clone(), |a, b| {
        let numerator = a.numerator_ref().gcd(b.numerator_ref());
        let denominator = a.denominator_ref().lcm(b.denominator_ref());
        Rational::new(numerator, denominator)
    });
    let count = |x: &Rational| sizes.iter().filter(|size| *size == x).count();
    let frequent = sizes.iter().rev().max_by_key(|size| count(size)).cloned();
    let is_simple = |x: &Rational| {
        sizes.iter().all(|size| {
            let left = size / x;
            let denominator = left.denominator_ref().to_i64();
            denominator.is_some_and(|n| n <= 12) && left.to_f64() <= 24.0
        })
    };
    let mut contents = vec![Rational::one()];
    contents.extend([Some(largest), frequent].into_iter().flatten().filter(|x| is_simple(x)));
    contents.dedup();
    contents
}

fn joined(powers: &Powers, term: &Term) -> Term {
    let mut joined = term.clone();
    powers
        .iter()
        .for_each(|(variable, power)| *joined.powers.entry(*variable).or_insert(0) += power);
    joined
}
