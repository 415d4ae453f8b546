//! Rows of a random mechanism that one velocity keeps, and which of them are independent.

use fastrand::Rng;
use jourdain_codegen::derive::symbols;
use jourdain_codegen::expr::Expr;
use nalgebra::{DMatrix, DVector};

use crate::law::Case;

/// What is left of a row of length one beside others, or of a row beside the longest, is zero below the
/// first and not zero above the second; a problem with anything between is left out.
const UNCLEAR: (f64, f64) = (1e-12, 1e-6);

/// Some rows: their rates, H and b.
#[derive(Clone)]
pub(super) struct Rows<'g> {
    rates: Vec<Expr<'g>>,
    pub(super) jacobian: Vec<Vec<Expr<'g>>>,
    pub(super) bias: Vec<Expr<'g>>,
}

impl<'g> Rows<'g> {
    fn and(&self, other: &Self) -> Self {
        Self {
            rates: [&self.rates[..], &other.rates].concat(),
            jacobian: [&self.jacobian[..], &other.jacobian].concat(),
            bias: [&self.bias[..], &other.bias].concat(),
        }
    }

    fn range(&self, first: usize, count: usize) -> Self {
        let rows = first..first + count;
        Self {
            rates: self.rates[rows.clone()].to_vec(),
            jacobian: self.jacobian[rows.clone()].to_vec(),
            bias: self.bias[rows].to_vec(),
        }
    }
}

/// The rows of each constraint, contact with a plane and frame.
fn parts<'g>(case: &Case<'g>) -> Vec<Rows<'g>> {
    let mechanism = case.mechanism;
    let declared = mechanism.constraints();
    let (jacobian, bias) = (declared.jacobian(), declared.bias());
    let declared = Rows { rates: declared.rates(), jacobian, bias };
    let held = |jacobian: Vec<Vec<Expr<'g>>>, bias| {
        let rates = case.times(&jacobian, &mechanism.state.v);
        Rows { rates, jacobian, bias }
    };
    let touching = held(mechanism.contact_jacobian(), mechanism.contact_bias());
    let description = mechanism.description;
    let mut parts = Vec::new();
    let mut next = 0;
    for constraint in &description.constraints {
        let count = constraint.law.levels().len();
        parts.push(declared.range(next, count));
        next += count;
    }
    let contacts = description.contacts.iter().enumerate();
    let flat = contacts.filter(|(_, contact)| !contact.surface.turns());
    parts.extend(flat.map(|(k, _)| touching.range(3 * k, 3)));
    let frames = description.frames.iter();
    parts.extend(frames.map(|f| held(mechanism.frame_jacobian(f), mechanism.frame_bias(f))));
    parts
}

/// Some of the rows that all keep at one velocity, and the case with it.
pub(super) fn consistent<'g>(
    case: &Case<'g>,
    rng: &mut Rng,
    independent: bool,
) -> Option<(Case<'g>, Rows<'g>)> {
    let mut found: Option<(Case<'g>, Rows<'g>)> = None;
    for part in parts(case).into_iter().filter(|_| rng.bool()) {
        let (before, rows) = match &found {
            Some((case, rows)) => (case, rows.and(&part)),
            None => (case, part),
        };
        let after = keeping(before, &rows);
        let kept = after.filter(|(_, rank)| !independent || *rank == rows.rates.len());
        found = kept.map(|(case, _)| (case, rows)).or(found);
    }
    found
}

/// The case at the velocity, near its own, with which the rows keep, and their rank; by Newton's method.
fn keeping<'g>(case: &Case<'g>, rows: &Rows<'g>) -> Option<(Case<'g>, usize)> {
    let mut case = case.with(symbols::V, case.v().as_slice().to_vec());
    let mut kept = false;
    for _ in 0..30 {
        let rates = case.vector(&rows.rates);
        let (jacobian, rates) = scaled(&case.square(rows.jacobian.clone()), &rates)?;
        let chosen = independent(&jacobian).filter(|chosen| !chosen.is_empty())?;
        let small = rates.amax() <= 1e-13 * (1.0 + case.v().amax());
        if small && kept {
            return Some((case, chosen.len()));
        }
        kept = small;
        let (jacobian, rates) = (jacobian.select_rows(&chosen), rates.select_rows(&chosen));
        let change = (&jacobian * jacobian.transpose()).lu().solve(&rates)?;
        case = case.with(symbols::V, (case.v() - jacobian.tr_mul(&change)).as_slice().to_vec());
    }
    None
}

/// Rows of length one with what they ask for, or of zeros; none where that is unclear.
pub(super) fn scaled(
    rows: &DMatrix<f64>,
    asked: &DVector<f64>,
) -> Option<(DMatrix<f64>, DVector<f64>)> {
    let lengths: Vec<f64> = rows.row_iter().map(|row| row.norm()).collect();
    let longest = lengths.iter().copied().fold(0.0, f64::max);
    let (mut rows, mut asked) = (rows.clone(), asked.clone());
    for (k, length) in lengths.into_iter().enumerate() {
        let factor = if is_zero(length, longest)? { 0.0 } else { 1.0 / length };
        rows.row_mut(k).scale_mut(factor);
        asked[k] *= factor;
    }
    Some((rows, asked))
}

/// A largest set of independent rows among rows of length one, by Gram and Schmidt's method with pivots;
/// none where that is unclear.
pub(super) fn independent(rows: &DMatrix<f64>) -> Option<Vec<usize>> {
    let mut rest = rows.clone();
    let mut chosen = Vec::new();
    while chosen.len() < rows.nrows().min(rows.ncols()) {
        let lengths = DVector::from_iterator(rest.nrows(), rest.row_iter().map(|row| row.norm()));
        let (k, length) = lengths.argmax();
        if is_zero(length, 1.0)? {
            break;
        }
        let direction = rest.row(k) / length;
        let along = &rest * direction.transpose();
        rest -= along * direction;
        chosen.push(k);
    }
    Some(chosen)
}

fn is_zero(length: f64, of: f64) -> Option<bool> {
    match length / of {
        part if part > UNCLEAR.1 => Some(false),
        part if part < UNCLEAR.0 || of == 0.0 => Some(true),
        _ => None,
    }
}
