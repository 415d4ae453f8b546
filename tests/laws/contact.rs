//! What a time step with contact starts from, against M, the bias force and the contact Jacobian.

use fastrand::Rng;
use jourdain_codegen::derive::{Forms, Solver, symbols};
use jourdain_codegen::description::Description;
use jourdain_codegen::joint::Chart;
use nalgebra::{DMatrix, DVector};

use crate::constrained::with_feet;
use crate::law::{Case, with_cases};
use crate::{random, robots};

/// Random mechanisms.
const MECHANISMS: u64 = 200;

/// Largest error of an equation, relative to its largest number.
const TOLERANCE: f64 = 1e-11;

/// So many contacts lie side by side.
const LANES: usize = 4;

/// The numbers of the kernel, taken one after the other.
struct Numbers<'a>(&'a [f64]);

impl Numbers<'_> {
    fn take(&mut self, count: usize) -> DVector<f64> {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        DVector::from_column_slice(taken)
    }
}

/// ω × u of the linear velocity of floating joints.
fn turning(case: &Case<'_>) -> DVector<f64> {
    let (m, v) = (case.mechanism, case.v());
    let mut turning = DVector::zeros(m.nv());
    for (joint, &(_, k)) in m.description.joints.iter().zip(&m.coordinates) {
        if joint.family.chart() == Chart::Pose {
            let (linear, angular) = (v.fixed_rows::<3>(k), v.fixed_rows::<3>(k + 3));
            turning.fixed_rows_mut::<3>(k).copy_from(&angular.cross(&linear));
        }
    }
    turning
}

/// The largest error.
fn error(case: &Case<'_>, rng: &mut Rng) -> f64 {
    let m = case.mechanism;
    let (n, parents) = (m.nv(), m.coordinate_parents());
    let coordinates = m.contact_coordinates();
    let added: Vec<f64> = (0..n).map(|_| rng.f64()).collect();
    let case = &case.with(symbols::ASKED, added.clone());
    // Where normals turn, limbs are computed one by one.
    let turns = m.description.contacts.iter().any(|contact| contact.surface.turns());
    let form = if turns { m } else { case.form };
    let numbers = case.values(&form.contact_dynamics(&parents, &coordinates));
    let mut found = Numbers(&numbers);
    let (acceleration, inverse) = (found.take(n), found.take(n));
    let mut lower = DMatrix::identity(n, n);
    for k in 0..n {
        let mut ancestors: Vec<_> = std::iter::successors(parents[k], |&i| parents[i]).collect();
        ancestors.reverse();
        ancestors.into_iter().for_each(|i| lower[(k, i)] = found.take(1)[0]);
    }
    let mass = case.square(case.form.mass_matrix()) + DMatrix::from_diagonal(&added.into());
    let whole = lower.transpose() * DMatrix::from_diagonal(&inverse.map(|d| 1.0 / d)) * &lower;
    let force = case.a() - case.vector(&case.form.bias_force());
    let mut errors = vec![
        (whole - &mass).amax() / mass.amax(),
        (&mass * &acceleration - &force).amax()
            / (mass.amax() * acceleration.amax() + force.amax()),
    ];
    let (jacobian, gaps) = (case.square(m.contact_jacobian()), case.values(&m.gap()));
    let rate = acceleration + turning(case);
    for (four, of_four) in coordinates.chunks(LANES).enumerate() {
        let count = of_four.iter().map(Vec::len).max().unwrap_or(0);
        let found = found.take(LANES * (7 + 3 * count));
        let found = DMatrix::from_column_slice(LANES, 7 + 3 * count, found.as_slice());
        for (lane, of) in of_four.iter().enumerate() {
            let three = |k: usize| DVector::from_fn(3, |axis, _| found[(lane, k + axis)]);
            let mut answer = DMatrix::zeros(3, n);
            of.iter().enumerate().for_each(|(k, &i)| answer.set_column(i, &three(7 + 3 * k)));
            let contact = LANES * four + lane;
            let rows = jacobian.rows(3 * contact, 3).into_owned();
            let mut compare = |found: DMatrix<f64>, expected: DMatrix<f64>, scale: f64| {
                errors.push((found - expected).amax() / (1.0 + scale));
            };
            compare(answer * &lower, rows.clone(), rows.amax());
            for (k, x) in [(0, case.v()), (3, rate.clone())] {
                let expected = DMatrix::from_columns(&[&rows * &x]);
                compare(DMatrix::from_columns(&[three(k)]), expected, rows.amax() * x.amax());
            }
            errors.push((found[(lane, 6)] - gaps[contact]).abs());
            let beyond = found.view((lane, 7 + 3 * of.len()), (1, 3 * (count - of.len())));
            assert!(beyond.iter().all(|&x| x == 0.0), "a column that there is not");
        }
        let beyond = found.rows(of_four.len(), LANES - of_four.len());
        assert!(beyond.iter().all(|&x| x == 0.0), "a contact that there is not");
    }
    assert!(found.0.is_empty(), "more numbers than there should be");
    let mut random = |count: usize| (0..count).map(|_| 2.0 * rng.f64() - 1.0).collect::<Vec<_>>();
    let (other, impulses) = (random(n), random(3 * coordinates.len()));
    let place = |row: usize| LANES * (3 * (row / 3 / LANES) + row % 3) + row / 3 % LANES;
    let mut asked = vec![0.0; 3 * coordinates.len().next_multiple_of(LANES)];
    impulses.iter().enumerate().for_each(|(row, &impulse)| asked[place(row)] = impulse);
    let case = case.with(symbols::HOLDS, numbers).with(symbols::A, other.clone());
    let case = case.with(symbols::ASKED, asked.clone());
    let response = case.values(&m.contact_response(&parents, &coordinates));
    let mut found = Numbers(&response);
    let change = found.take(n);
    let impulse =
        jacobian.transpose() * DVector::from(impulses) + lower.transpose() * DVector::from(other);
    let scale = mass.amax() * change.amax() + impulse.amax();
    errors.push((&mass * &change - &impulse).amax() / scale);
    errors.push((found.take(n) - &impulse).amax() / impulse.amax());
    let velocities = &jacobian * &change;
    let scale = 1.0 + jacobian.amax() * change.amax();
    let side_by_side = found.take(asked.len());
    let found_velocities = DVector::from_fn(velocities.len(), |row, _| side_by_side[place(row)]);
    errors.push((found_velocities - velocities).amax() / scale);
    assert!(found.0.is_empty(), "more numbers than there should be");
    errors.into_iter().fold(
        0.0,
        |worst: f64, error| {
            if error.is_nan() { f64::INFINITY } else { worst.max(error) }
        },
    )
}

#[test]
fn contact_dynamics_is_made_of_mass_bias_and_jacobian() {
    let all: Vec<Forms> =
        Forms::each().filter(|forms| forms.solver == Some(Solver::Factorization)).collect();
    let (mut count, mut worst) = (0, 0.0_f64);
    let mut check = |seed: u64, description: &Description, forms: &[Forms]| {
        let rng = &mut Rng::with_seed(seed);
        with_cases(seed, description, forms, |name, case| {
            let m = case.mechanism;
            if m.coordinate_parents().is_empty() || m.description.contacts.is_empty() {
                return;
            }
            let error = error(case, rng);
            assert!(error <= TOLERANCE, "{} {seed} {name}: {error:e}", description.name);
            (count, worst) = (count + 1, worst.max(error));
        });
    };
    for robot in robots::descriptions() {
        check(0, &with_feet(robot, &mut Rng::with_seed(1)), &all);
    }
    for seed in 0..MECHANISMS {
        check(seed, &random::mechanism(seed), &[all[seed as usize % all.len()]]);
    }
    println!("{count} forms, largest error {worst:.1e}");
    assert!(count > 200, "{count}");
}
