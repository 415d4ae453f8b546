//! Both ways of going through the lanes.

use super::*;
use crate::arithmetic::Plain;

/// Every operation, with the last result a sum and all others copies of a varying number.
enum Everything {}

impl<A: Arithmetic, const R: usize> LaneProgram<A, 4, 1, 2, R, 13> for Everything {
    fn run<V: Varying<A, 4>>(
        lane: V::Lane,
        uniform: &[A::Scalar; 1],
        varying: &[V::All; 2],
        results: &mut [V::All; R],
        output: &mut [A::Scalar; 13],
    ) {
        let [a, b] = varying.each_ref().map(|all| V::load(lane, all));
        let sum = V::mul_add(a, V::splat(uniform[0]), V::literal(lane, &[1.0, 2.0, 3.0, 4.0]));
        V::write(lane, V::sqrt(a) / b, output, &[7, 5, 3, 1]);
        V::put(lane, a - b, output, 9);
        results.iter_mut().for_each(|result| V::keep(lane, b, result));
        V::keep(lane, sum, &mut results[R - 1]);
    }
}

fn compare<const R: usize>() {
    let varying = [Array([1.0, 4.0, 9.0, 16.0]), Array([2.0, 1.0, -1.0, 0.5])];
    let outputs = &mut [[0.0; 13]; 2];
    let [first, second] = outputs;
    let once: [Array<Plain, 4>; R] =
        at_once::<Plain, _, Everything, 4, 1, 2, R, 13>(&[10.0], &varying, first);
    let lanes: [Array<Plain, 4>; R] =
        lane_by_lane::<Plain, Everything, 4, 1, 2, R, 13>(&[10.0], &varying, second);
    assert_eq!(once.map(|all| all.0), lanes.map(|all| all.0));
    assert_eq!(once[R - 1].0, [11.0, 42.0, 93.0, 164.0]);
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0][..9], [0.0, 8.0, 0.0, -3.0, 0.0, 2.0, 0.0, 0.5, 0.0]);
    assert_eq!(outputs[0][9..], [-1.0, 3.0, 10.0, 15.5]);
}

#[test]
fn lanes_one_after_the_other_give_what_all_at_once_do() {
    compare::<2>();
    compare::<{ MOST_RESULTS + 1 }>();
}
