//! The impulses of least norm among those that do the same.
//!
//! Where more touches than motion tells apart, as under a table with four legs or in a grasp, many Λ lead to the same v⁺, and
//! a solver's choice depends on where it came from. Of all that obey their laws with this v⁺, the least
//!
//! > min ½ Σ ‖Λ_c‖² + ½ Σ (a_j/ā) Λ_j²  subject to  Gᵀ Λ = Gᵀ Λ_found,  Λ ∈ F
//!
//! is one alone, and depends on the step only. The first sum is over contacts and pairs, in N s along normal and tangents.
//! The second is over all other rows: moments of contacts, limits, dry friction, motors and constraints. a_j is what an impulse of one along
//! the row makes faster, and ā the mean of that over the contacts' rows: a moment counts as the force of a contact that costs
//! as much energy. F is the face of the cones and bounds that v⁺ leaves: what sticks may use its whole cone, what slides has
//! the direction of its slip, and what is open has nothing. Rows that give way are told by v⁺, and stay as they are.
//!
//! # Method
//!
//! The method of multipliers, with A = G M⁻¹ Gᵀ, S the metric and E = Λ − Λ_found:
//!
//! > Λ ← min over F of ½ Eᵀ A E + ½ ε Λᵀ S Λ + bᵀ Λ,  b ← b + A E
//!
//! Each minimum is a problem of the convex law, whose matrix is regular by ε, and ε falls as A E does.
//!
//! # Source
//!
//! Derived here. Rockafellar: Augmented Lagrangians and Applications of the Proximal Point Algorithm in Convex Programming
//! (1976), for the method.

mod faces;
mod freedom;
mod place;

use alloc::vec;
use alloc::vec::Vec;

use self::freedom::Freedom;
use super::residual::{Given, Motion, Transition, turned_back};
use super::{Error, Impulse};
use crate::cone::{self, Block, Law, Matrix, Problem, Settings, Workspace};
use crate::model::{Model, Robot, with_data};
use crate::slices::{self, cholesky, columns, dot, larger, largest, worse};

/// ε at first, by how much it falls each time, and the least.
const REGULARIZATION: f64 = 1e-2;
const FALL: f64 = 0.25;
const LEAST: f64 = 1e-9;
/// The largest change of a velocity, by that of all impulses together, that is none.
const ROUNDING: f64 = 1e-11;
/// What is accepted if iterations do not gain that; and the largest residual of the laws, if a step's tolerance is not more.
const ACCEPTED: f64 = 1e-8;
/// The largest residual of the laws by the tolerance of the step.
const BY_TOLERANCE: f64 = 10.0;
/// Multipliers are found in 2 to 5 iterations, and in 20 where masses are apart by 1e6.
const ITERATIONS: usize = 40;

/// Λ of least norm that does what the impulses of a step do, as the module `least_norm` of the source defines it: where forces
/// are not determined by motion, those that do not depend on how the step was solved, nor on the steps before. Forces are these
/// divided by h. Of a [compression](Impulse::compression) there is none.
///
/// What is found is judged: it changes velocities as the step's impulses do, to 10⁻⁸ of what all of them change together, and as
/// a rule to 10⁻¹¹; and the laws of all rows hold to a [residual](super::residual) of 10⁻⁸, or of ten times the tolerance of a
/// simulation if that is more. Beside a [compression](Impulse::compression), whose laws are others, the former alone is judged.
/// How exact forces are depends on what they hold, since velocities that are right to r m/s leave r m/h of what holds a mass m:
/// a box of 45 g between pads of 0.2 kg has them to 2·10⁻¹⁰ N in steps of 1 ms, between pads of 20 kg to 2·10⁻⁸ N, and of 2 t to
/// 10⁻⁶ N.
///
/// # Errors
///
/// [`Error::Impulse`] if the impulses are those of another model or step, [`Error::Shape`], [`Error::Pair`] and [`Error::Pose`] of shapes,
/// [`Error::MassMatrix`] if M is not positive definite, and [`Error::Cone`] if the impulses of the step do not obey their
/// laws, or no others were found.
pub fn least_norm<M: Model>(model: &M, step: &Transition<'_, M>) -> Result<Impulse, Error> {
    with_data(model, |robot| of_motion(robot, &step.motion()))
}

fn of_motion(robot: Robot<'_>, step: &Motion<'_>) -> Result<Impulse, Error> {
    if !step.impulse.fits(&robot) {
        return Err(Error::Impulse);
    }
    let mut given = Given::new(robot, step)?;
    match turned_back(robot, step, &given.springs) {
        Some(back) => {
            given.offset = back.offset;
            given.find_further(robot, step, &back.velocity)?;
            least(robot, step, &given, (&back.velocity, ACCEPTED))
        }
        None => Err(Error::Impulse),
    }
}

/// As [`least_norm`], with v⁺ of the step in the axes of its beginning, and what the mean velocity of chains has beside it, for a
/// step of this tolerance.
pub(crate) fn least_norm_by(
    robot: Robot<'_>,
    step: &Motion<'_>,
    ((end, offset), tolerance): ((&[f64], Option<&[f64]>), f64),
) -> Result<Impulse, Error> {
    let accepted = larger(ACCEPTED, BY_TOLERANCE * tolerance);
    let mut given = Given::new(robot, step)?;
    if let Some(offset) = offset {
        given.offset.copy_from_slice(offset);
    }
    given.find_further(robot, step, end)?;
    least(robot, step, &given, (end, accepted))
}

fn least(
    robot: Robot<'_>,
    step: &Motion<'_>,
    given: &Given,
    (end, accepted): (&[f64], f64),
) -> Result<Impulse, Error> {
    let freedom = Freedom::new(robot, step, given, end);
    let mut impulse = step.impulse.clone();
    freedom.release(&mut impulse);
    let found = step.impulse.less(&impulse);
    impulse.compression = None;
    let factor = factor(robot, step)?;
    // Rows and the impulse by the factor of M: A = Yᵀ Y and A Λ_found = Yᵀ y.
    let mut y = vec![0.0; robot.nv];
    (0..robot.nv).for_each(|i| given.forces(&found, i, |term| y[i] += term));
    forward(&factor, &mut y);
    let mut rows = freedom.rows();
    rows.chunks_exact_mut(robot.nv.max(1)).for_each(|row| forward(&factor, row));
    let metric = freedom.metric(|row| {
        let mut row = row.to_vec();
        forward(&factor, &mut row);
        dot(&row, &row)
    });
    let least = minimum(&freedom.blocks, (&rows, &metric), &y)?;
    freedom.add(&least, &mut impulse);
    // Of two phases, the law is each one's.
    if step.impulse.compression.is_none() {
        let residual = given.laws(robot, &Motion { impulse: &impulse, v_next: end, ..*step });
        if worse(residual, accepted) != accepted {
            return Err(Error::Cone(cone::Error::Unsolved { z: least, residual }));
        }
    }
    Ok(impulse)
}

/// M of the step as L Lᵀ, (nv, nv) column by column.
fn factor(robot: Robot<'_>, step: &Motion<'_>) -> Result<Vec<f64>, Error> {
    let mut mass = vec![f64::NAN; robot.nv * robot.nv];
    robot.mass_matrix_into(step.q, &mut mass);
    for (i, coordinate) in robot.coordinate_parameters().iter().enumerate() {
        mass[(robot.nv + 1) * i] += step.step_size * coordinate.damping;
    }
    cholesky(&mut mass, robot.nv).map_err(|_| Error::MassMatrix)?;
    Ok(mass)
}

/// x becomes L⁻¹ x.
fn forward(factor: &[f64], x: &mut [f64]) {
    let n = x.len();
    for (k, column) in columns(factor, n).enumerate() {
        x[k] /= column[k];
        let (done, rest) = x.split_at_mut(k + 1);
        slices::subtract(rest, done[k], &column[k + 1..]);
    }
}

/// The least Λ of these rows with Y Λ = y.
fn minimum(
    blocks: &[Block],
    (rows, metric): (&[f64], &[f64]),
    y: &[f64],
) -> Result<Vec<f64>, Error> {
    let (n, nv) = (blocks.iter().map(Block::rows).sum(), y.len());
    let mut least = vec![0.0; n];
    let row = |i: usize| &rows[nv * i..nv * (i + 1)];
    let product: Vec<f64> = (0..n * n).map(|entry| dot(row(entry % n), row(entry / n))).collect();
    let mut b: Vec<f64> = (0..n).map(|i| -dot(row(i), y)).collect();
    let size = largest(&b);
    if size == 0.0 {
        return Ok(least);
    }
    let (mut matrix, mut workspace) = (product.clone(), Workspace::with_capacity(n));
    let settings = Settings { tolerance: 1e-13, ..Settings::default() };
    let (mut regularization, mut error) = (REGULARIZATION, f64::INFINITY);
    for _ in 0..ITERATIONS {
        matrix.iter_mut().zip(product.iter().zip(metric)).for_each(|(to, (product, metric))| {
            *to = product + regularization * metric;
        });
        let problem =
            Problem { matrix: Matrix::Delassus(&matrix), b: &b, blocks, law: Law::Convex };
        workspace.start(&least);
        let solved = cone::attempt(&problem, &settings, &mut workspace)?;
        let Some(solution) = solved else { break };
        least.copy_from_slice(solution.z);
        let mut apart = y.iter().map(|y| -y).collect::<Vec<_>>();
        least.iter().enumerate().for_each(|(i, &impulse)| slices::add(&mut apart, impulse, row(i)));
        let change: Vec<f64> = (0..n).map(|i| dot(row(i), &apart)).collect();
        error = largest(&change) / size;
        if error <= ROUNDING {
            return Ok(least);
        }
        // What of b is multipliers is in proportion to ε.
        let next = (FALL * regularization).max(LEAST);
        let kept = next / regularization;
        for ((i, b), change) in b.iter_mut().enumerate().zip(change) {
            let first = -dot(row(i), y);
            *b = first + kept * (*b + change - first);
        }
        regularization = next;
    }
    if error <= ACCEPTED {
        return Ok(least);
    }
    Err(Error::Cone(cone::Error::Unsolved { z: least, residual: error * size }))
}
