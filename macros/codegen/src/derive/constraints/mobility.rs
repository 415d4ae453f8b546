//! What constraints leave of the motion in general.
//!
//! Counting freedoms and rows (Grübler, Kutzbach) is wrong for many a mechanism, Bricard's among them.
//! Here configurations that satisfy the constraints are found by Levenberg's and Marquardt's method from
//! a few starts, from near the rest position to far away, and the rank of the rows is that of H there: the
//! largest that is found, since it can only be smaller at singular positions. Fields are given values in
//! general position, and the rank is known if it is the same for several of them.

use crate::description::Requirement;
use crate::expr::Expr;

use super::super::mechanism::Mechanism;
use super::ConstraintRows;
use super::numeric::{Purpose, State, dot, number};

/// Starts, and configurations at which the rank is taken.
const STARTS: (usize, usize) = (24, 3);

/// Steps from a start.
const STEPS: usize = 80;

/// Values of the fields for which the rank must be the same.
const AGREEING: usize = 3;

/// Multiplications in the steps from all starts, a fraction of a second in an unoptimised macro.
const EFFORT: usize = 30_000_000;

/// The largest error at a configuration that satisfies the constraints, m or rad.
const CLOSED: f64 = 1e-11;

/// A row of which less than so much is independent of the rows before it depends on them.
const DEPENDENT: f64 = 1e-6;

/// The rank of the constraints at a configuration in general position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mobility {
    /// Degrees of freedom that are left.
    pub freedoms: usize,
    /// The rows that depend on those before them.
    pub redundant: Vec<usize>,
}

/// The rows at a state.
struct Rows {
    errors: Vec<f64>,
    /// Row by row.
    jacobian: Vec<Vec<f64>>,
}

impl<'g> Mechanism<'g> {
    /// The mobility under the constraints, whose rows are given; `None` where it depends on the fields,
    /// or where no configuration, or for hardly any fields, is found that satisfies the constraints.
    pub fn mobility(
        &self,
        rows: &ConstraintRows<'g>,
        requirements: &[Requirement],
    ) -> Option<Mobility> {
        let jacobian = rows.jacobian().into_iter().flatten();
        let outputs: Vec<_> = rows.errors().into_iter().chain(jacobian).collect();
        let count = rows.errors().len();
        let fields = self.field_values(requirements);
        let all = EFFORT / (count * count * (count + self.nv())).max(1);
        let steps = all / fields.len().max(1);
        let known = fields.iter().filter_map(|fields| self.at_fields(&outputs, fields, steps));
        let found: Vec<Mobility> = known.take(AGREEING).collect();
        let (first, others) = found.split_first()?;
        let enough = self.description.fields.is_empty() || !others.is_empty();
        (enough && others.iter().all(|other| other == first)).then(|| first.clone())
    }

    /// The mobility for these values of the fields, found in at most so many steps.
    fn at_fields(
        &self,
        outputs: &[Expr<'g>],
        fields: &[f64],
        mut steps: usize,
    ) -> Option<Mobility> {
        let close = |start| self.close(outputs, fields, start, &mut steps);
        let closed = (0..STARTS.0).filter_map(close);
        let found =
            closed.take(STARTS.1).map(|rows| (rows.errors.len(), dependent(&rows.jacobian)));
        let (count, redundant) = found.min_by_key(|(_, redundant)| redundant.len())?;
        Some(Mobility { freedoms: self.nv() + redundant.len() - count, redundant })
    }

    /// The rows at a configuration that satisfies them.
    fn close(
        &self,
        outputs: &[Expr<'g>],
        fields: &[f64],
        start: usize,
        steps: &mut usize,
    ) -> Option<Rows> {
        let random = |purpose| (0..self.nv()).map(move |k| number(purpose, start, k));
        let distance = (0..start).fold(0.1, |distance: f64, _| (1.3 * distance).min(3.0));
        let v: Vec<f64> = random(Purpose::StartVelocity).collect();
        let away: Vec<f64> = random(Purpose::Start).map(|x| distance * x).collect();
        let mut q = self.moved(&self.rest(), &away);
        let at = |q: &[f64]| self.rows_at(outputs, &State { fields, q, v: &v, t: 0.0 });
        let mut rows = at(&q);
        let mut damping = 1e-3;
        for _ in 0..STEPS {
            let error = largest(&rows.errors);
            if error < CLOSED {
                return Some(rows);
            }
            *steps = steps.checked_sub(1)?;
            let step = step(&rows, damping);
            let moved = self.moved(&q, &step);
            let there = at(&moved);
            if largest(&there.errors) < error {
                (q, rows, damping) = (moved, there, f64::max(0.1 * damping, 1e-15));
            } else {
                damping *= 10.0;
            }
        }
        None
    }

    fn rows_at(&self, outputs: &[Expr<'g>], state: &State<'_>) -> Rows {
        let values = self.numbers(outputs, state);
        let count = values.len() / (self.nv() + 1);
        let (errors, jacobian) = values.split_at(count);
        let jacobian = jacobian.chunks_exact(self.nv().max(1)).map(<[f64]>::to_vec).collect();
        Rows { errors: errors.to_vec(), jacobian }
    }
}

/// −Hᵀ (H Hᵀ + μ 1)⁻¹ h, at most half a radian or metre long.
fn step(rows: &Rows, damping: f64) -> Vec<f64> {
    let Rows { errors, jacobian } = rows;
    let mut system: Vec<Vec<f64>> =
        jacobian.iter().map(|a| jacobian.iter().map(|b| dot(a, b)).collect::<Vec<f64>>()).collect();
    system.iter_mut().enumerate().for_each(|(k, row)| row[k] += damping * (1.0 + row[k]));
    let weights = solved(system, errors.clone());
    let mut step = vec![0.0; jacobian.first().map_or(0, Vec::len)];
    for (row, weight) in jacobian.iter().zip(weights) {
        step.iter_mut().zip(row).for_each(|(x, h)| *x -= weight * h);
    }
    let scale = (0.5 / largest(&step)).min(1.0);
    step.iter_mut().for_each(|x| *x *= scale);
    step
}

/// x of A x = b for a positive definite A, by elimination.
fn solved(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    for k in 0..b.len() {
        let (above, below) = a.split_at_mut(k + 1);
        let (pivot, fixed) = (&above[k], b[k]);
        for (i, row) in below.iter_mut().enumerate() {
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(pivot).skip(k).for_each(|(x, p)| *x -= factor * p);
            b[k + 1 + i] -= factor * fixed;
        }
    }
    for k in (0..b.len()).rev() {
        let known: f64 = a[k][k + 1..].iter().zip(&b[k + 1..]).map(|(a, x)| a * x).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    b
}

/// The rows that depend on those before them, by orthogonalisation (Gram, Schmidt, twice).
fn dependent(rows: &[Vec<f64>]) -> Vec<usize> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut dependent = Vec::new();
    for (k, row) in rows.iter().enumerate() {
        let mut rest = row.clone();
        for direction in basis.iter().chain(&basis) {
            let along = dot(&rest, direction);
            rest.iter_mut().zip(direction).for_each(|(x, d)| *x -= along * d);
        }
        let length = dot(&rest, &rest).sqrt();
        if length <= DEPENDENT * dot(row, row).sqrt().max(DEPENDENT) {
            dependent.push(k);
        } else {
            rest.iter_mut().for_each(|x| *x /= length);
            basis.push(rest);
        }
    }
    dependent
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| if x.is_nan() { f64::INFINITY } else { most.max(x.abs()) })
}
