//! From a request to reduced formulas: M from T, C from M and τ_g from U, each in the form that is shortest.

use std::collections::BTreeMap;

use jourdain_codegen::derive::symbols;
use symbolica::atom::Atom;

use super::angles::{Angles, Doubled};
use super::evaluate::{Evaluated, MOST_TERMS, Opaque};
use super::harmonics::Harmonics;
use super::request::{Answer, Asked, Reduced, Request, Way};
use super::shorten::Writer;
use super::term::{Term, Variable, terms};
use crate::equations::formula::{Definition, Formula, Function, Name, Variable as Written};

/// All that is asked for.
pub(super) fn answer(request: &Request) -> Answer {
    let mut evaluated = Evaluated::new(&request.operations, request.nq);
    let quantities = derive(request, &evaluated);
    let [kinetic, _, elastic] = request.energies.map(|k| evaluated.values[k].as_ref());
    let masses = [kinetic, elastic].into_iter().flatten().flat_map(linear).collect();
    let opaque = std::mem::take(&mut evaluated.opaque);
    let mut sheet = Sheet { request, masses, opaque, angles: evaluated.angles, lumps: Vec::new() };
    let is_short =
        |entries: &&Vec<Harmonics>| entries.iter().all(|entry| entry.terms() <= MOST_TERMS);
    let short = quantities.iter().map(|entries| entries.as_ref().filter(is_short));
    short.map(|entries| entries.map(|entries| sheet.reduced(entries))).collect()
}

/// The entries of each quantity; `None` of what takes too many terms.
fn derive(request: &Request, evaluated: &Evaluated) -> Vec<Option<Vec<Harmonics>>> {
    let [kinetic, potential, _] = request.energies.map(|k| evaluated.values[k].as_ref());
    let has_rates = request.rates.iter().all(Option::is_some) && !evaluated.has_opaque_motion();
    let v: Vec<Atom> = (0..request.rates.len()).map(|k| Variable::V(k as u32).atom()).collect();
    let by_q = |x: &Harmonics, k: usize| {
        let q = request.rates[k].unwrap_or(k);
        x.derivative(&Variable::Q(q as u32).atom(), Some(q))
    };
    let is_asked = |way: Way| request.asked.iter().any(|asked| asked.way == way);
    let mass = kinetic.filter(|_| is_asked(Way::Mass) || is_asked(Way::Coriolis)).map(|kinetic| {
        let of = |v: &Atom| kinetic.derivative(v, None);
        let row = |p: Harmonics| v.iter().map(|v| p.derivative(v, None)).collect();
        v.iter().map(of).map(row).collect::<Vec<Vec<_>>>()
    });
    let alone =
        |asked: &Asked| asked.outputs.iter().map(|k| evaluated.values[*k].clone()).collect();
    let of = |asked: &Asked| match asked.way {
        Way::Kinetic => kinetic.map(|kinetic| vec![kinetic.clone()]),
        Way::Potential => potential.map(|potential| vec![potential.clone()]),
        Way::Mass => mass.as_ref().map(|mass| mass.concat()),
        Way::Coriolis if has_rates => {
            mass.as_ref().map(|mass| christoffel(mass, &v, &by_q).concat())
        }
        Way::Gravity if has_rates => {
            potential.map(|potential| (0..v.len()).map(|k| by_q(potential, k).negated()).collect())
        }
        Way::Coriolis | Way::Gravity | Way::Alone => alone(asked),
    };
    request.asked.iter().map(of).collect()
}

/// C_ij = ½ Σ_k (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i) v_k.
fn christoffel(
    mass: &[Vec<Harmonics>],
    v: &[Atom],
    by_q: &dyn Fn(&Harmonics, usize) -> Harmonics,
) -> Vec<Vec<Harmonics>> {
    let all = 0..v.len();
    let slope: Vec<Vec<Vec<Harmonics>>> = mass
        .iter()
        .map(|row| row.iter().map(|entry| all.clone().map(|k| by_q(entry, k)).collect()).collect())
        .collect();
    let entry = |i: usize, j: usize| {
        let terms = all.clone().map(|k| {
            let twice = slope[i][j][k].plus(&slope[i][k][j]).plus(&slope[j][k][i].negated());
            twice.scaled(&(Atom::num((1, 2)) * &v[k]))
        });
        terms.fold(Harmonics::default(), |sum, term| sum.plus(&term))
    };
    all.clone().map(|i| all.clone().map(|j| entry(i, j)).collect()).collect()
}

/// The parameters in which an energy is linear: masses and inertias, or stiffnesses.
fn linear(energy: &Harmonics) -> Vec<Variable> {
    let mut most: BTreeMap<Variable, i32> = BTreeMap::new();
    for term in energy.coefficients.values().flat_map(|atom| terms(atom).unwrap_or_default()) {
        for (variable, power) in term.powers.iter().filter(|(variable, _)| variable.is_parameter())
        {
            let most = most.entry(*variable).or_insert(0);
            *most = (*most).max(power.abs());
        }
    }
    most.into_iter().filter(|(_, power)| *power == 1).map(|(variable, _)| variable).collect()
}

/// Which angles are summed, and what becomes of doubled ones.
type TurnForm = (Groups, Doubled);

/// Of so many forms it is tried how short they can be written.
const WRITTEN: usize = 3;

/// What formulas are written with.
struct Sheet<'a> {
    request: &'a Request,
    masses: Vec<Variable>,
    opaque: Vec<Opaque>,
    angles: Angles,
    /// What parameters make together, as they were named.
    lumps: Vec<Vec<Term>>,
}

impl Sheet<'_> {
    fn reduced(&mut self, entries: &[Harmonics]) -> Reduced {
        let (groups, doubled) = self.best_form(entries);
        let polynomials: Vec<_> =
            entries.iter().map(|entry| self.polynomial(entry, groups, doubled)).collect();
        let polynomials = match self.request.is_lumped {
            true => polynomials.iter().map(|list| self.lumped(list)).collect(),
            false => polynomials,
        };
        let mut printed = Printed::default();
        let mut turned: Vec<_> =
            polynomials.iter().flatten().flat_map(|term| term.powers.keys().copied()).collect();
        turned.sort_by_key(|variable| self.angles.rank(*variable));
        turned.dedup();
        turned.into_iter().for_each(|variable| self.define(variable, &mut printed));
        let entries = polynomials.iter().map(|list| self.write(list, &mut printed)).collect();
        Reduced { definitions: printed.definitions, entries }
    }

    /// The form in which all entries together are shortest: which angles are summed, and what becomes of doubled ones.
    /// Those with the fewest factors are written to see.
    fn best_form(&mut self, entries: &[Harmonics]) -> TurnForm {
        let forms = [Groups::Runs, Groups::All, Groups::Each].into_iter().flat_map(|groups| {
            [Doubled::Sines, Doubled::Cosines, Doubled::Kept].map(|doubled| (groups, doubled))
        });
        let mut known: Vec<(usize, Vec<Vec<Term>>, TurnForm)> = Vec::new();
        for (groups, doubled) in forms {
            let polynomials: Vec<_> =
                entries.iter().map(|entry| self.polynomial(entry, groups, doubled)).collect();
            if !known.iter().any(|(_, others, _)| *others == polynomials) {
                let factors = |term: &Term| 1 + term.powers.len();
                let length = polynomials.iter().flatten().map(factors).sum();
                known.push((length, polynomials, (groups, doubled)));
            }
        }
        known.sort_by_key(|(length, ..)| *length);
        known.truncate(WRITTEN);
        let written = known.into_iter().map(|(_, polynomials, form)| {
            let write = |list: &Vec<Term>| self.write(list, &mut Printed::default()).length();
            (polynomials.iter().map(write).sum::<usize>(), form)
        });
        written
            .min_by_key(|(length, _)| *length)
            .map_or((Groups::Runs, Doubled::Sines), |(_, form)| form)
    }

    fn polynomial(&mut self, entry: &Harmonics, groups: Groups, doubled: Doubled) -> Vec<Term> {
        let runs = &self.request.runs;
        let group = |angle: usize| match groups {
            Groups::All => 0,
            Groups::Runs => runs.get(angle).copied().unwrap_or(runs.len() + angle),
            Groups::Each => angle,
        };
        terms(&self.angles.polynomial(entry, &group, doubled)).unwrap_or_default()
    }

    /// The same terms, with a name for each sum of products of parameters that stands before something that moves.
    fn lumped(&mut self, list: &[Term]) -> Vec<Term> {
        let mut parts: Vec<(BTreeMap<Variable, i32>, Vec<Term>)> = Vec::new();
        for term in list {
            let split = |is_parameter: bool| -> BTreeMap<Variable, i32> {
                let chosen = term
                    .powers
                    .iter()
                    .filter(|(variable, _)| variable.is_parameter() == is_parameter);
                chosen.map(|(variable, power)| (*variable, *power)).collect()
            };
            let (moves, powers) = (split(false), split(true));
            let constant = Term { coefficient: term.coefficient.clone(), powers };
            match parts.iter_mut().find(|part| part.0 == moves) {
                Some(part) => part.1.push(constant),
                None => parts.push((moves, vec![constant])),
            }
        }
        let lump = |(moves, mut constants): (BTreeMap<Variable, i32>, Vec<Term>)| {
            constants.sort_by(|a, b| a.powers.cmp(&b.powers));
            let first = constants[0].coefficient.clone();
            let is_number = constants.len() == 1 && constants[0].powers.is_empty();
            let is_field = constants.len() == 1 && constants[0].powers.values().sum::<i32>() == 1;
            if is_number || is_field {
                let powers = moves.into_iter().chain(constants.remove(0).powers).collect();
                return Term { coefficient: first, powers };
            }
            let scaled =
                |term: &Term| Term { coefficient: &term.coefficient / &first, ..term.clone() };
            let constants: Vec<_> = constants.iter().map(scaled).collect();
            let known = self.lumps.iter().position(|known| *known == constants);
            let place = known.unwrap_or_else(|| {
                self.lumps.push(constants);
                self.lumps.len() - 1
            });
            let powers = moves.into_iter().chain([(Variable::Lump(place), 1)]).collect();
            Term { coefficient: first, powers }
        };
        parts.into_iter().map(lump).collect()
    }

    /// The shortest formula of a polynomial; what it is defined by is added to `printed`.
    fn write(&mut self, list: &[Term], printed: &mut Printed) -> Formula {
        let mut used: Vec<Variable> =
            list.iter().flat_map(|term| term.powers.keys().copied()).collect();
        used.sort_unstable();
        used.dedup();
        used.into_iter().for_each(|variable| self.define(variable, printed));
        let written = |variable: Variable| printed.written(variable);
        Writer { masses: &self.masses, written: &written }.shortest(list)
    }

    /// Sees to it that a variable is defined, if it has to be.
    fn define(&mut self, variable: Variable, printed: &mut Printed) {
        if printed.places.contains_key(&variable) {
            return;
        }
        let definition = match variable {
            Variable::Sine(k) | Variable::Cosine(k) => {
                let function = if matches!(variable, Variable::Sine(_)) {
                    Function::Sin
                } else {
                    Function::Cos
                };
                let mut definition = self.angles.definition(function, k, &self.request.fields);
                if let Some(opaque) = self.angles.opaque(k) {
                    opaque
                        .into_iter()
                        .for_each(|angle| self.define(Variable::Opaque(angle), printed));
                    definition.value.for_each_variable(&|variable| redirect(variable, printed));
                }
                definition
            }
            Variable::Opaque(k) => {
                let of = match &self.opaque[k] {
                    Opaque::Reciprocal(x) | Opaque::Root(x) | Opaque::Angle(x) => x.clone(),
                };
                let list = self.polynomial(&of, Groups::Runs, Doubled::Sines);
                let value = self.write(&list, printed);
                let value = match &self.opaque[k] {
                    Opaque::Reciprocal(_) => {
                        Formula::Quotient(Box::new(Formula::Number(1.0)), Box::new(value))
                    }
                    Opaque::Root(_) => Formula::Function(Function::Sqrt, Box::new(value)),
                    Opaque::Angle(_) => value,
                };
                Definition {
                    name: Name { letter: "x".to_owned(), index: (k + 1).to_string() },
                    value,
                }
            }
            Variable::Lump(k) => {
                let list = self.lumps[k].clone();
                let value = self.write(&list, printed);
                Definition {
                    name: Name { letter: "a".to_owned(), index: (k + 1).to_string() },
                    value,
                }
            }
            Variable::Field(_)
            | Variable::Time
            | Variable::Q(_)
            | Variable::V(_)
            | Variable::A(_) => return,
        };
        printed.places.insert(variable, printed.definitions.len());
        printed.definitions.push(definition);
    }
}

/// An opaque angle by its place among the definitions.
fn redirect(variable: &mut Written, printed: &Printed) {
    if let Written::Defined(k) = variable
        && let Some(place) = printed.places.get(&Variable::Opaque(*k))
    {
        *k = *place;
    }
}

/// Which angles are summed within one sine.
#[derive(Clone, Copy, Debug)]
enum Groups {
    /// Those of successive parallel axes.
    Runs,
    All,
    Each,
}

/// What is defined so far.
#[derive(Debug, Default)]
struct Printed {
    definitions: Vec<Definition>,
    places: BTreeMap<Variable, usize>,
}

impl Printed {
    fn written(&self, variable: Variable) -> Written {
        match variable {
            Variable::Field(k) => Written::Given(symbols::FIELD, k),
            Variable::Time => Written::Given(symbols::TIME, 0),
            Variable::Q(k) => Written::Given(symbols::Q, k),
            Variable::V(k) => Written::Given(symbols::V, k),
            Variable::A(k) => Written::Given(symbols::A, k),
            // One that is missing is no place, so that the answer is refused.
            defined => Written::Defined(self.places.get(&defined).copied().unwrap_or(usize::MAX)),
        }
    }
}
