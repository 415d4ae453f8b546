//! What a time step with contact starts from, against M, the bias force and the contact Jacobian.

use fastrand::Rng;
use jourdain_codegen::derive::{Arrangement, Forms, Hub, Mechanism, Solver, symbols, unrolled};
use jourdain_codegen::description::{Contact as Described, Description, Surface};
use jourdain_codegen::diagnostic::Name;
use jourdain_codegen::joint::Chart;
use jourdain_codegen::scalar::Scalar;
use nalgebra::{DMatrix, DVector};

use crate::constrained::{outermost, with_feet};
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

/// Rows of the coordinates, each up to its diagonal, which is one if it is not among the numbers.
fn rows(found: &mut Numbers<'_>, arrangement: &Arrangement, with_diagonal: bool) -> DMatrix<f64> {
    let n = arrangement.parents.len();
    let mut rows = DMatrix::identity(n, n);
    for alike in &arrangement.alike {
        let ancestors: Vec<_> = alike.iter().map(|&k| arrangement.ancestors(k)).collect();
        for column in 0..ancestors[0].len() {
            let entries = found.take(alike.len());
            let at = alike.iter().zip(&ancestors).zip(entries.iter());
            at.for_each(|((&k, ancestors), &entry)| rows[(k, ancestors[column])] = entry);
        }
        if with_diagonal {
            let entries = found.take(alike.len());
            alike.iter().zip(entries.iter()).for_each(|(&k, &entry)| rows[(k, k)] = entry);
        }
    }
    rows
}

/// J v, J (α + c) and φ of a contact, and the columns of its Y.
struct Contact {
    numbers: DVector<f64>,
    columns: DMatrix<f64>,
}

/// The next numbers, so many of each contact, for four contacts side by side.
fn side_by_side(found: &mut Numbers<'_>, contacts: usize, count: usize) -> Vec<DVector<f64>> {
    let of_four = found.take(LANES * count);
    let of_four = DMatrix::from_column_slice(LANES, count, of_four.as_slice());
    let beyond = of_four.rows(contacts, LANES - contacts);
    assert!(beyond.iter().all(|&x| x == 0.0), "a contact that there is not");
    (0..contacts).map(|lane| of_four.row(lane).transpose()).collect()
}

/// Contacts by their own columns.
fn contacts(found: &mut Numbers<'_>, coordinates: &[Vec<usize>]) -> Vec<Contact> {
    let of_four = |four: &[Vec<usize>]| {
        let count = four.iter().map(Vec::len).max().unwrap_or(0);
        let all = side_by_side(found, four.len(), 7 + 3 * count).into_iter().zip(four);
        let contact = |(all, of): (DVector<f64>, &Vec<usize>)| {
            let (own, beyond) = all.as_slice()[7..].split_at(3 * of.len());
            assert!(beyond.iter().all(|&x| x == 0.0), "a column that there is not");
            let columns = DMatrix::from_column_slice(3, of.len(), own);
            Contact { numbers: all.rows(0, 7).into_owned(), columns }
        };
        all.map(contact).collect::<Vec<_>>()
    };
    coordinates.chunks(LANES).flat_map(of_four).collect()
}

/// Contacts by the columns of the bodies that carry them.
fn carried(found: &mut Numbers<'_>, coordinates: &[Vec<usize>], hubs: &[Hub]) -> Vec<Contact> {
    let sizes: Vec<_> = coordinates.chunks(LANES).map(<[_]>::len).collect();
    let numbers: Vec<_> = sizes.iter().flat_map(|&size| side_by_side(found, size, 7)).collect();
    let of_hub = |hub: &Hub| {
        let count = coordinates[hub.contacts[0]].len();
        DMatrix::from_column_slice(6, count, found.take(6 * count).as_slice())
    };
    let columns: Vec<_> = hubs.iter().map(of_hub).collect();
    let arms = sizes.iter().flat_map(|&size| side_by_side(found, size, 18));
    let contact = |(k, (arm, numbers)): (usize, (DVector<f64>, DVector<f64>))| {
        let hub = hubs.iter().position(|hub| hub.contacts.contains(&k)).unwrap();
        let arm = DMatrix::from_column_slice(3, 6, arm.as_slice());
        Contact { numbers, columns: arm * &columns[hub] }
    };
    arms.zip(numbers).enumerate().map(contact).collect()
}

/// Where normals turn, limbs are computed one by one.
fn form<'g>(case: &Case<'g>) -> &'g Mechanism<'g> {
    let turns = case.mechanism.description.contacts.iter().any(|contact| contact.surface.turns());
    if turns { case.mechanism } else { case.form }
}

/// The largest error.
fn error(case: &Case<'_>, arrangement: &Arrangement, rng: &mut Rng) -> f64 {
    let m = case.mechanism;
    let n = m.nv();
    let Arrangement { coordinates, hubs, .. } = arrangement;
    let added: Vec<f64> = (0..n).map(|_| rng.f64()).collect();
    let case = &case.with(symbols::ASKED, added.clone());
    let (written, rounds) = form(case).contact_dynamics(arrangement);
    let numbers = case.values(&unrolled(m.graph, &written, &rounds));
    let mut found = Numbers(&numbers);
    let (acceleration, inverse, bias) = (found.take(n), found.take(n), found.take(n));
    let lower = rows(&mut found, arrangement, false);
    let triangle = rows(&mut found, arrangement, true);
    let mass = case.square(case.form.mass_matrix()) + DMatrix::from_diagonal(&added.into());
    let whole = lower.transpose() * DMatrix::from_diagonal(&inverse.map(|d| 1.0 / d)) * &lower;
    let expected = case.vector(&case.form.bias_force());
    let force = case.a() - &expected;
    let mut errors = vec![
        (bias - &expected).amax() / (1.0 + expected.amax()),
        (triangle - mass.lower_triangle()).amax() / mass.amax(),
        (whole - &mass).amax() / mass.amax(),
        (&mass * &acceleration - &force).amax()
            / (mass.amax() * acceleration.amax() + force.amax()),
    ];
    let (jacobian, gaps) = (case.square(m.contact_jacobian()), case.values(&m.gap()));
    let rate = acceleration + turning(case);
    let contacts = match &hubs[..] {
        [] => contacts(&mut found, coordinates),
        _ => carried(&mut found, coordinates, hubs),
    };
    for (contact, Contact { numbers, columns }) in contacts.iter().enumerate() {
        let mut answer = DMatrix::zeros(3, n);
        let at = coordinates[contact].iter().zip(columns.column_iter());
        at.for_each(|(&i, column)| answer.set_column(i, &column));
        let rows = jacobian.rows(3 * contact, 3).into_owned();
        let mut compare = |found: DMatrix<f64>, expected: DMatrix<f64>, scale: f64| {
            errors.push((found - expected).amax() / (1.0 + scale));
        };
        compare(answer * &lower, rows.clone(), rows.amax());
        for (k, x) in [(0, case.v()), (3, rate.clone())] {
            let (found, expected) = (numbers.rows(k, 3).into_owned(), &rows * &x);
            let columns = [DMatrix::from_columns(&[found]), DMatrix::from_columns(&[expected])];
            let [found, expected] = columns;
            compare(found, expected, rows.amax() * x.amax());
        }
        errors.push((numbers[6] - gaps[contact]).abs());
    }
    assert!(found.0.is_empty(), "more numbers than there should be");
    let mut random = |count: usize| (0..count).map(|_| 2.0 * rng.f64() - 1.0).collect::<Vec<_>>();
    let (other, impulses) = (random(n), random(3 * coordinates.len()));
    let place = |row: usize| LANES * (3 * (row / 3 / LANES) + row % 3) + row / 3 % LANES;
    let mut asked = vec![0.0; 3 * coordinates.len().next_multiple_of(LANES)];
    impulses.iter().enumerate().for_each(|(row, &impulse)| asked[place(row)] = impulse);
    let case = case.with(symbols::HOLDS, numbers).with(symbols::A, other.clone());
    let case = case.with(symbols::ASKED, asked.clone());
    let (response, rounds) = m.contact_response(arrangement, &written, &rounds);
    let response = case.values(&unrolled(m.graph, &response, &rounds));
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
    let velocity = case.a();
    let momentum = case.values(&m.contact_momentum(arrangement, &written));
    let expected = mass * &velocity;
    errors.push((DVector::from(momentum) - &expected).amax() / (1.0 + expected.amax()));
    errors.into_iter().fold(
        0.0,
        |worst: f64, error| {
            if error.is_nan() { f64::INFINITY } else { worst.max(error) }
        },
    )
}

/// The same with soles: a few of its ends on five or four points each, of a ground that is not level.
fn with_soles(mut description: Description, rng: &mut Rng) -> Description {
    let ends: Vec<usize> = outermost(&description).take(4).collect();
    description.contacts.clear();
    for (end, &link) in ends.iter().enumerate() {
        // The last may lie beside nothing.
        for k in 0..if end + 1 == ends.len() { 5 } else { 4 } {
            let mut number = || Scalar::Number(rng.f64() - 0.5);
            let position = [number(), number(), number()];
            let normal = [number(), number(), Scalar::ONE];
            let surface = Surface::Plane { normal, offset: number() };
            let contact = random::contact(&mut Rng::with_seed(k), end, 1);
            let name = Name { text: format!("point {k} of {end}"), ..contact.name };
            let contact = Described { name, link, position, surface, ..contact };
            description.contacts.push(contact);
        }
    }
    description
}

#[test]
fn contact_dynamics_is_made_of_mass_bias_and_jacobian() {
    let all: Vec<Forms> =
        Forms::each().filter(|forms| forms.solver == Some(Solver::Factorization)).collect();
    let (mut count, mut on_hubs, mut in_lanes, mut in_rounds, mut worst) = (0, 0, 0, 0, 0.0_f64);
    let mut check = |seed: u64, description: &Description, forms: &[Forms]| {
        let rng = &mut Rng::with_seed(seed);
        with_cases(seed, description, forms, |name, case| {
            let m = case.mechanism;
            let Some(arrangement) = m.arrangement() else { return };
            let error = error(case, &arrangement, rng);
            assert!(error <= TOLERANCE, "{} {seed} {name}: {error:e}", description.name);
            (count, worst) = (count + 1, worst.max(error));
            on_hubs += usize::from(!arrangement.hubs.is_empty());
            in_rounds += usize::from(!form(case).contact_dynamics(&arrangement).1.is_empty());
            in_lanes += usize::from(arrangement.alike.iter().any(|of| of.len() > 1));
        });
    };
    for robot in robots::descriptions() {
        check(0, &with_soles(robot.clone(), &mut Rng::with_seed(1)), &all);
        check(0, &with_feet(robot, &mut Rng::with_seed(1)), &all);
    }
    for seed in 0..MECHANISMS {
        check(seed, &random::or_on_patches(seed), &[all[seed as usize % all.len()]]);
    }
    println!(
        "{count} forms, {on_hubs} by bodies, {in_lanes} side by side, {in_rounds} in rounds, largest error {worst:.1e}"
    );
    let sizes = (count, on_hubs, in_lanes, in_rounds);
    assert!(count > 200 && on_hubs > 20 && in_lanes > 50 && in_rounds > 25, "{sizes:?}");
}
