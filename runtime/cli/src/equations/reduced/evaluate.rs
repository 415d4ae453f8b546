//! The operations of a request, in harmonics.

use std::collections::{BTreeMap, HashMap};

use symbolica::atom::Atom;
use symbolica::domains::rational::Rational;

use super::angles::Angles;
use super::harmonics::{Harmonic, Harmonics};
use super::number::rational;
use super::request::Operation;
use super::term::{Term, Variable, atom, terms};

/// The most terms of a formula that is printed.
pub(crate) const MOST_TERMS: usize = 200;

/// The most terms of a formula on the way, which may become shorter again.
const MOST_ON_THE_WAY: usize = 1000;

/// The most products of terms in one multiplication.
const MOST_PRODUCTS: usize = 10_000;

/// The most products of terms in all multiplications together.
const MOST_IN_ALL: usize = 50_000;

/// What is no polynomial in sines, cosines and variables.
#[derive(Debug)]
pub(super) enum Opaque {
    /// 1 / x.
    Reciprocal(Harmonics),
    /// √x.
    Root(Harmonics),
    /// An angle that is no sum of whole numbers of coordinates.
    Angle(Harmonics),
}

/// All operations evaluated, and what they met on the way.
#[derive(Debug)]
pub(super) struct Evaluated {
    /// `None` where it takes too many terms.
    pub(super) values: Vec<Option<Harmonics>>,
    pub(super) angles: Angles,
    pub(super) opaque: Vec<Opaque>,
    /// How many terms were multiplied with others.
    products: usize,
    /// Of each operation, the place of its reciprocal, root or angle.
    known: HashMap<(u8, usize), usize>,
}

impl Evaluated {
    pub(super) fn new(operations: &[Operation], nq: usize) -> Self {
        let (values, opaque, known) = (Vec::new(), Vec::new(), HashMap::new());
        let mut evaluated = Self { values, angles: Angles::new(nq), opaque, products: 0, known };
        for operation in operations {
            let value =
                evaluated.operate(operation).filter(|value| value.terms() <= MOST_ON_THE_WAY);
            evaluated.values.push(value);
        }
        evaluated
    }

    fn operate(&mut self, operation: &Operation) -> Option<Harmonics> {
        let value = |k: &usize| self.values[*k].as_ref();
        Some(match operation {
            Operation::Number(bits) if !f64::from_bits(*bits).is_finite() => return None,
            Operation::Number(bits) => Harmonics::new(Atom::num(rational(f64::from_bits(*bits)))),
            Operation::Given(set, index) => Harmonics::new(Variable::given(*set, *index).atom()),
            Operation::Add(a, b) => value(a)?.plus(value(b)?),
            Operation::Sub(a, b) => value(a)?.plus(&value(b)?.negated()),
            Operation::Mul(a, b) => {
                let (a, b) = (value(a)?, value(b)?);
                let products = a.terms() * b.terms();
                if products > MOST_PRODUCTS || self.products > MOST_IN_ALL {
                    return None;
                }
                let product = a.times(b);
                self.products += products;
                product
            }
            Operation::Neg(a) => value(a)?.negated(),
            Operation::Div(a, b) => match reciprocal(value(b)?) {
                Some(factor) => value(a)?.scaled(&factor),
                None => {
                    let (above, below) = (value(a)?.clone(), value(b)?.clone());
                    above.scaled(&self.opaque(0, *b, Opaque::Reciprocal(below)).atom())
                }
            },
            Operation::Sqrt(a) => {
                let of = value(a)?.clone();
                Harmonics::new(self.opaque(1, *a, Opaque::Root(of)).atom())
            }
            Operation::Sin(a) => self.turn(*a, true)?,
            Operation::Cos(a) => self.turn(*a, false)?,
        })
    }

    fn opaque(&mut self, kind: u8, of: usize, opaque: Opaque) -> Variable {
        let place = *self.known.entry((kind, of)).or_insert_with(|| {
            self.opaque.push(opaque);
            self.opaque.len() - 1
        });
        Variable::Opaque(place)
    }

    /// The sine or cosine of an operation.
    fn turn(&mut self, of: usize, is_sine: bool) -> Option<Harmonics> {
        let value = self.values[of].clone()?;
        let angle = value.as_constant().and_then(|atom| terms(&atom));
        let Some((counts, offset)) = angle.and_then(|terms| whole(&terms)) else {
            let angle = self.opaque(2, of, Opaque::Angle(value));
            let k = [(self.angles.angle(angle), 1)].into();
            return Some(Harmonics::of(&Harmonic { k, is_sine }, Atom::num(1)));
        };
        let mut k = BTreeMap::new();
        for (variable, count) in counts {
            k.insert(self.angles.angle(variable), count);
        }
        let of = |is_sine| turned(&k, is_sine);
        if offset == 0.0 {
            return Some(of(is_sine));
        }
        let (sin, cos) = sine_and_cosine(offset);
        let (sin, cos) = (Atom::num(rational(sin)), Atom::num(rational(cos)));
        Some(match is_sine {
            true => of(true).scaled(&cos).plus(&of(false).scaled(&sin)),
            false => of(false).scaled(&cos).plus(&of(true).scaled(&-sin)),
        })
    }

    /// Whether a root, a reciprocal or an angle changes as the robot moves, so that derivatives by coordinates are not known here.
    pub(super) fn has_opaque_motion(&self) -> bool {
        let moves = |harmonics: &Harmonics| {
            harmonics.coefficients.iter().any(|(harmonic, atom)| {
                let list = terms(atom).unwrap_or_default();
                let is_motion = |variable: &Variable| !variable.is_parameter();
                !harmonic.k.is_empty() || list.iter().any(|term| term.powers.keys().any(is_motion))
            })
        };
        self.opaque.iter().any(|opaque| match opaque {
            Opaque::Reciprocal(x) | Opaque::Root(x) | Opaque::Angle(x) => moves(x),
        })
    }
}

/// sin(k · θ), or cos, whatever the sign of k.
fn turned(k: &BTreeMap<usize, i32>, is_sine: bool) -> Harmonics {
    let unit = Harmonics::of(&Harmonic { k: k.clone(), is_sine }, Atom::num(1));
    let is_turned = k.values().next().is_some_and(|first| *first < 0);
    if !is_turned {
        return unit;
    }
    let k = k.iter().map(|(angle, count)| (*angle, -count)).collect();
    let positive = Harmonics::of(&Harmonic { k, is_sine }, Atom::num(1));
    if is_sine { positive.negated() } else { positive }
}

/// Of a quarter turn 0 and ±1, as the graph has them.
fn sine_and_cosine(angle: f64) -> (f64, f64) {
    const QUARTER: f64 = 1e-10;
    match angle.sin_cos() {
        (sin, cos) if sin.abs() < QUARTER => (0.0, cos.signum()),
        (sin, cos) if cos.abs() < QUARTER => (sin.signum(), 0.0),
        both => both,
    }
}

/// Whole numbers of coordinates and parameters, and a number beside; `None` of anything else.
fn whole(list: &[Term]) -> Option<(Vec<(Variable, i32)>, f64)> {
    let (mut counts, mut offset) = (Vec::new(), 0.0);
    for term in list {
        let mut powers = term.powers.iter();
        match (powers.next(), powers.next()) {
            (None, _) => offset += term.coefficient.to_f64(),
            (Some((variable, 1)), None) => {
                let is_angle =
                    matches!(variable, Variable::Q(_) | Variable::Field(_) | Variable::Time);
                let count = term
                    .coefficient
                    .is_integer()
                    .then(|| term.coefficient.numerator().to_i64())
                    .flatten()?;
                let count =
                    i32::try_from(count).ok().filter(|count| is_angle && count.abs() < 100)?;
                counts.push((*variable, count));
            }
            _ => return None,
        }
    }
    Some((counts, offset))
}

/// 1 / x of a product of powers.
fn reciprocal(x: &Harmonics) -> Option<Atom> {
    let list = terms(&x.as_constant()?)?;
    let [term] = list.as_slice() else { return None };
    let powers = term.powers.iter().map(|(variable, power)| (*variable, -power)).collect();
    let coefficient = &Rational::one() / &term.coefficient;
    Some(atom(&[Term { coefficient, powers }]))
}
