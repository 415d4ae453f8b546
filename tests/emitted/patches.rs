//! Kernels that compute in rounds, against the gaps, rows and mass matrix of the same robots.

use jourdain::kernel::{Input, Kernel, evaluate};
use jourdain::prelude::*;
use jourdain::space::Storage;
use nalgebra::{DMatrix, DVector};

use crate::State;

include!(concat!(env!("OUT_DIR"), "/patches.rs"));

/// So many contacts lie side by side.
const LANES: usize = 4;

/// The place of a row of a contact among numbers that lie side by side, (3).
fn place(row: usize) -> usize {
    let (contact, axis) = (row / 3, row % 3);
    LANES * (3 * (contact / LANES) + axis) + contact % LANES
}

fn assert_close(what: &str, found: &[f64], expected: &DVector<f64>) {
    let error = (DVector::from_column_slice(found) - expected).amax();
    assert!(error <= 1e-11 * (1.0 + expected.amax()), "{what}: {error:e}");
}

fn check<M: Model>(model: &M) {
    let state = State::<M>::random(7);
    let (nv, contacts) = (M::NV, M::CONTACTS.len());
    let mut gaps = vec![0.0; contacts];
    model.gap_into(&state.q, &mut gaps);
    let mut jacobian = vec![0.0; 3 * contacts * nv];
    model.contact_jacobian_into(&state.q, &mut jacobian);
    let jacobian = DMatrix::from_column_slice(3 * contacts, nv, &jacobian);
    let mass = DMatrix::from_column_slice(nv, nv, model.mass_matrix(&state.q).as_slice());
    let vector = |x: &M::V| DVector::from_column_slice(x.as_slice());

    let depth = |k: usize| std::iter::successors(M::PARENTS[k], |&k| M::PARENTS[k]).count();
    let entries: usize = (0..nv).map(|k| 2 * depth(k) + 1).sum();
    let sizes = M::CONTACTS
        .chunks(LANES)
        .map(|four| LANES * (7 + 3 * four.iter().map(|c| c.coordinates.len()).max().unwrap_or(0)));
    let firsts: Vec<usize> = sizes
        .scan(3 * nv + entries, |next, size| {
            *next += size;
            Some(*next - size)
        })
        .collect();
    let nothing = vec![0.0; nv];
    let numbers = run::<M, M::ContactDynamics>(model, &state, (&[], &nothing), state.a.as_slice());
    let velocities = &jacobian * vector(&state.v);
    for k in 0..contacts {
        let number = |n: usize| numbers[firsts[k / LANES] + LANES * n + k % LANES];
        let found = [number(0), number(1), number(2)];
        assert_close("J v", &found, &velocities.rows(3 * k, 3).into_owned());
        assert_close("gap", &[number(6)], &DVector::from_element(1, gaps[k]));
    }

    let impulses = DVector::from_fn(3 * contacts, |row, _| (0.7 * row as f64).sin());
    let mut asked = vec![0.0; 3 * contacts.next_multiple_of(LANES)];
    (0..3 * contacts).for_each(|row| asked[place(row)] = impulses[row]);
    let response = run::<M, M::ContactResponse>(model, &state, (&numbers, &asked), &nothing);
    let (change, rest) = response.split_at(nv);
    let (impulse, beside) = rest.split_at(nv);
    let change = DVector::from_column_slice(change);
    let expected = jacobian.transpose() * &impulses;
    assert_close("p", impulse, &expected);
    assert_close("M Δv", (mass * &change).as_slice(), &expected);
    let found: Vec<f64> = (0..3 * contacts).map(|row| beside[place(row)]).collect();
    assert_close("J Δv", &found, &(jacobian * change));
}

/// The numbers of a kernel.
fn run<M: Model, K: Kernel>(
    model: &M,
    state: &State<M>,
    (holds, asked): (&[f64], &[f64]),
    a: &[f64],
) -> Vec<f64> {
    let mut numbers = vec![f64::NAN; 20_000];
    model.with_prepared(|fields| {
        let (q, v) = (state.q.as_slice(), state.v.as_slice());
        evaluate::<K>(&Input { fields, q, v, a, t: &[0.0], holds, asked }, &mut numbers);
    });
    numbers.truncate(numbers.iter().take_while(|x| !x.is_nan()).count());
    numbers
}

#[test]
fn kernels_compute_in_rounds_what_they_compute_one_by_one() {
    check(&Lift);
    check(&Cart);
    check(&Arm);
    check(&Crowd);
}
