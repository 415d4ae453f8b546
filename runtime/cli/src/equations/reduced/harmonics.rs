//! Formulas as sums of sines and cosines of angles, one for each: in this form sin² + cos² is 1, and every identity of
//! sines and cosines holds by itself.
//!
//! > f = Σ a_k cos(k · θ) + b_k sin(k · θ)
//!
//! over whole numbers k of the angles θ, which are coordinates and whatever else sines are taken of. The coefficients are
//! polynomials, which Symbolica expands.

use std::collections::BTreeMap;

use symbolica::atom::{Atom, AtomCore};

/// cos(k · θ), or sin; the first of k that is not zero is positive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Harmonic {
    /// Of each angle that counts, how often.
    pub(super) k: BTreeMap<usize, i32>,
    pub(super) is_sine: bool,
}

impl Harmonic {
    /// cos 0.
    pub(super) fn constant() -> Self {
        Self { k: BTreeMap::new(), is_sine: false }
    }
}

/// A formula in this form; no coefficient is zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Harmonics {
    pub(super) coefficients: BTreeMap<Harmonic, Atom>,
}

impl Harmonics {
    pub(super) fn new(constant: Atom) -> Self {
        Self::of(&Harmonic::constant(), constant)
    }

    pub(super) fn of(harmonic: &Harmonic, coefficient: Atom) -> Self {
        let mut one = Self::default();
        one.add(&harmonic.k, harmonic.is_sine, coefficient);
        one.expanded()
    }

    /// The coefficient of cos 0, if that is all there is.
    pub(super) fn as_constant(&self) -> Option<Atom> {
        match self.coefficients.iter().next() {
            None => Some(Atom::num(0)),
            Some((harmonic, atom)) if self.coefficients.len() == 1 => {
                harmonic.k.is_empty().then(|| atom.clone())
            }
            _ => None,
        }
    }

    /// How many terms it takes.
    pub(super) fn terms(&self) -> usize {
        self.coefficients.values().map(Atom::nterms).sum()
    }

    /// Adds c cos(k · θ) or c sin(k · θ), whatever the sign of k.
    fn add(&mut self, k: &BTreeMap<usize, i32>, is_sine: bool, coefficient: Atom) {
        let mut k = k.clone();
        k.retain(|_, count| *count != 0);
        let is_turned = k.values().next().is_some_and(|first| *first < 0);
        if is_turned {
            k.values_mut().for_each(|count| *count = -*count);
        }
        if k.is_empty() && is_sine {
            return;
        }
        let coefficient = if is_turned && is_sine { -coefficient } else { coefficient };
        let entry =
            self.coefficients.entry(Harmonic { k, is_sine }).or_insert_with(|| Atom::num(0));
        *entry = &*entry + &coefficient;
    }

    fn expanded(mut self) -> Self {
        self.coefficients.values_mut().for_each(|atom| *atom = atom.expand());
        self.coefficients.retain(|_, atom| !atom.is_zero());
        self
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for (harmonic, atom) in &other.coefficients {
            sum.add(&harmonic.k, harmonic.is_sine, atom.clone());
        }
        sum.expanded()
    }

    pub(super) fn scaled(&self, factor: &Atom) -> Self {
        let scaled =
            self.coefficients.iter().map(|(harmonic, atom)| (harmonic.clone(), atom * factor));
        Self { coefficients: scaled.collect() }.expanded()
    }

    pub(super) fn negated(&self) -> Self {
        self.scaled(&Atom::num(-1))
    }

    /// By the products of sines and cosines as sums.
    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self::default();
        for (x, a) in &self.coefficients {
            for (y, b) in &other.coefficients {
                let combined = |sign: i32| {
                    let mut k = x.k.clone();
                    y.k.iter()
                        .for_each(|(angle, count)| *k.entry(*angle).or_insert(0) += sign * count);
                    k
                };
                let half = a * b * Atom::num((1, 2));
                let (sum, difference) = (combined(1), combined(-1));
                match (x.is_sine, y.is_sine) {
                    (false, false) => {
                        product.add(&difference, false, half.clone());
                        product.add(&sum, false, half);
                    }
                    (true, true) => {
                        product.add(&difference, false, half.clone());
                        product.add(&sum, false, -half);
                    }
                    (true, false) => {
                        product.add(&sum, true, half.clone());
                        product.add(&difference, true, half);
                    }
                    (false, true) => {
                        product.add(&sum, true, half.clone());
                        product.add(&difference, true, -half);
                    }
                }
            }
        }
        product.expanded()
    }

    /// The derivative by a variable that is also the angle `angle`.
    pub(super) fn derivative(&self, variable: &Atom, angle: Option<usize>) -> Self {
        let mut derivative = Self::default();
        for (harmonic, atom) in &self.coefficients {
            if let Some(symbol) = variable.get_symbol() {
                derivative.add(&harmonic.k, harmonic.is_sine, atom.derivative(symbol));
            }
            let count = angle.and_then(|angle| harmonic.k.get(&angle)).copied().unwrap_or(0);
            if count != 0 {
                let sign = if harmonic.is_sine { count } else { -count };
                derivative.add(&harmonic.k, !harmonic.is_sine, atom * Atom::num(sign));
            }
        }
        derivative.expanded()
    }
}
