//! The angles that sines and cosines are taken of, and from harmonics to products of sines and cosines.

use std::collections::BTreeMap;

use jourdain_codegen::derive::symbols;
use symbolica::atom::{Atom, AtomCore};

use super::harmonics::Harmonics;
use super::term::Variable;
use crate::equations::angle::index;
use crate::equations::formula::{Definition, Formula, Function, Name, Variable as Written};

/// Whole numbers of angles.
pub(super) type Count = BTreeMap<usize, i32>;

/// The angles that counts are of: the coordinates, and what else sines are taken of.
#[derive(Debug)]
pub(super) struct Angles {
    nq: usize,
    /// Beyond the coordinates.
    others: Vec<Variable>,
    /// Those that have sines and cosines as variables.
    counts: Vec<Count>,
}

/// How cosines of twice an angle are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubled {
    Kept,
    /// 1 − 2 sin²
    Sines,
    /// 2 cos² − 1
    Cosines,
}

impl Angles {
    pub(super) fn new(nq: usize) -> Self {
        Self { nq, others: Vec::new(), counts: Vec::new() }
    }

    /// The number of an angle: of a coordinate, or of a parameter.
    pub(super) fn angle(&mut self, variable: Variable) -> usize {
        if let Variable::Q(k) = variable {
            return k as usize;
        }
        let place = self.others.iter().position(|known| *known == variable);
        self.nq
            + place.unwrap_or_else(|| {
                self.others.push(variable);
                self.others.len() - 1
            })
    }

    /// The same formula as a polynomial in sines and cosines of angles: those of one group are summed within one, those
    /// of different ones multiplied.
    pub(super) fn polynomial(
        &mut self,
        harmonics: &Harmonics,
        group: &dyn Fn(usize) -> usize,
        doubled: Doubled,
    ) -> Atom {
        let terms = harmonics.coefficients.iter().map(|(harmonic, coefficient)| {
            let mut parts: BTreeMap<usize, Count> = BTreeMap::new();
            for (angle, count) in &harmonic.k {
                parts.entry(group(*angle)).or_default().insert(*angle, *count);
            }
            let (mut cosine, mut sine) = (Atom::num(1), Atom::num(0));
            for part in parts.values() {
                let (c, s) = self.cosine_and_sine(part, doubled);
                (cosine, sine) = (&cosine * &c - &sine * &s, &sine * &c + &cosine * &s);
            }
            coefficient * if harmonic.is_sine { sine } else { cosine }
        });
        Atom::add_many(terms.collect::<Vec<_>>()).expand()
    }

    fn cosine_and_sine(&mut self, count: &Count, doubled: Doubled) -> (Atom, Atom) {
        let is_even = count.values().all(|k| k % 2 == 0);
        if is_even && doubled != Doubled::Kept {
            let half = count.iter().map(|(angle, k)| (*angle, k / 2)).collect();
            let (c, s) = self.variables(&half);
            let cosine = match doubled {
                Doubled::Cosines => Atom::num(2) * &c * &c - Atom::num(1),
                _ => Atom::num(1) - Atom::num(2) * &s * &s,
            };
            return (cosine, Atom::num(2) * s * c);
        }
        self.variables(count)
    }

    /// Cosine and sine of an angle as variables.
    fn variables(&mut self, count: &Count) -> (Atom, Atom) {
        let is_turned = count.values().next().is_some_and(|first| *first < 0);
        let count: Count =
            count.iter().map(|(angle, k)| (*angle, if is_turned { -k } else { *k })).collect();
        let place = self.counts.iter().position(|known| *known == count).unwrap_or_else(|| {
            self.counts.push(count);
            self.counts.len() - 1
        });
        let sine = Variable::Sine(place).atom();
        (Variable::Cosine(place).atom(), if is_turned { -sine } else { sine })
    }

    /// What the sine or cosine of an angle in the list is called and stands for; `fields` are the parameters' names.
    pub(super) fn definition(
        &self,
        function: Function,
        place: usize,
        fields: &[String],
    ) -> Definition {
        let count = &self.counts[place];
        let letter = if function == Function::Sin { "s" } else { "c" };
        let is_plain = self.nq <= 9 && count.keys().all(|angle| *angle < self.nq);
        let between = if is_plain { "" } else { "," };
        let labels = count.iter().map(|(angle, k)| (self.label(*angle, fields), *k));
        let index = index(labels, between);
        let terms = count.iter().map(|(angle, k)| {
            let variable = Formula::Variable(self.written(*angle));
            let size = f64::from(k.abs());
            let term = if size == 1.0 { variable } else { Formula::Number(size).times(variable) };
            if *k < 0 { term.negated() } else { term }
        });
        let mut terms: Vec<_> = terms.collect();
        let sum = if terms.len() == 1 { terms.remove(0) } else { Formula::Sum(terms) };
        let name = Name { letter: letter.to_owned(), index };
        Definition { name, value: Formula::Function(function, Box::new(sum)) }
    }

    /// The order of definitions: by angle, the sine before the cosine.
    pub(super) fn rank(&self, variable: Variable) -> (usize, Vec<usize>, bool) {
        let (place, is_cosine) = match variable {
            Variable::Sine(place) => (place, false),
            Variable::Cosine(place) => (place, true),
            Variable::Lump(place) => return (usize::MAX, vec![place], false),
            _ => return (usize::MAX, Vec::new(), false),
        };
        let angles: Vec<_> = self.counts[place].keys().copied().collect();
        (angles.len(), angles, is_cosine)
    }

    /// The opaque angles that an angle in the list is made of, if it has any.
    pub(super) fn opaque(&self, place: usize) -> Option<Vec<usize>> {
        let others = self.counts[place].keys().filter_map(|angle| angle.checked_sub(self.nq));
        let opaque: Vec<_> = others
            .filter_map(|k| match self.others[k] {
                Variable::Opaque(k) => Some(k),
                _ => None,
            })
            .collect();
        (!opaque.is_empty()).then_some(opaque)
    }

    fn label(&self, angle: usize, fields: &[String]) -> String {
        match angle.checked_sub(self.nq).map(|k| self.others[k]) {
            None => (angle + 1).to_string(),
            Some(Variable::Field(k)) => fields[k as usize].clone(),
            Some(Variable::Opaque(k)) => format!("x{}", k + 1),
            Some(_) => "t".to_owned(),
        }
    }

    fn written(&self, angle: usize) -> Written {
        match angle.checked_sub(self.nq).map(|k| self.others[k]) {
            None => Written::Given(symbols::Q, angle as u32),
            Some(Variable::Field(k)) => Written::Given(symbols::FIELD, k),
            Some(Variable::Opaque(k)) => Written::Defined(k),
            Some(_) => Written::Given(symbols::TIME, 0),
        }
    }
}
