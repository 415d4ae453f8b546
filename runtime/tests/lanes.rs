//! Lanes of one-state kernels: what they compute, lane by lane, at the level of the processor.

use jourdain::arithmetic::{Arithmetic, Lanes, Plain, Scalar};
use jourdain::kernel::{Input, Kernel, Level, evaluate, evaluate_with, fix_level};

/// Four lanes, then two, on the numbers in `q` and `v`.
enum Program {}

/// Every operation of lanes, on the vectors x and y; seven vectors are written to `output`.
#[inline(always)]
fn all_operations<const K: usize, L: Lanes<K>>(x: L, y: L) -> [L; 7] {
    [x + y, x - y, x * y, x / y, -x, x.mul_add(-y, x), (x * x).sqrt()]
}

#[inline(always)]
fn store<S: Scalar, const K: usize, L: Lanes<K, Scalar = S>>(results: [L; 7], output: &mut [S]) {
    for (result, output) in results.into_iter().zip(output.chunks_exact_mut(K)) {
        output.copy_from_slice(&result.unpack());
    }
}

impl Kernel for Program {
    #[inline(always)]
    fn run<A: Arithmetic>(input: &Input<'_, A::Scalar>, output: &mut [A::Scalar]) {
        let (Some(&q), Some(&v)) = (input.q.first_chunk::<4>(), input.v.first_chunk::<4>()) else {
            return;
        };
        let (x, y) = (A::Quad::pack(q), A::Quad::pack(v));
        store(all_operations(x, y), &mut output[..28]);
        output[28..32].copy_from_slice(&A::Quad::literal([1.0, -2.0, 0.1, 1e300]).unpack());
        output[32..36].copy_from_slice(&A::Quad::splat(q[1]).unpack());
        output[36] = x.sum();
        output[37] = x.lane::<3>() - x.lane::<0>();
        let (x, y) = (A::Pair::pack([q[0], q[1]]), A::Pair::pack([v[0], v[1]]));
        store(all_operations(x, y), &mut output[38..52]);
        output[52..54].copy_from_slice(&A::Pair::literal([0.1, -0.0]).unpack());
        output[54..56].copy_from_slice(&A::Pair::splat(v[1]).unpack());
        output[56] = x.sum();
        output[57] = x.lane::<1>() - x.lane::<0>();
    }
}

/// The numbers that [`all_operations`] has to give.
fn expected(x: &[f64], y: &[f64]) -> Vec<f64> {
    let mut values = Vec::new();
    let mut each = |f: fn(f64, f64) -> f64| {
        values.extend(x.iter().zip(y).map(|(&x, &y)| f(x, y)));
    };
    each(|x, y| x + y);
    each(|x, y| x - y);
    each(|x, y| x * y);
    each(|x, y| x / y);
    each(|x, _| -x);
    each(|x, y| x - x * y);
    each(|x, _| x.abs());
    values
}

#[test]
fn lanes_compute_what_scalars_do() {
    let (q, v) = ([1.5, -0.25, 3.0, 0.0], [0.5, 2.0, -8.0, 4.0]);
    let mut output = [f64::NAN; 58];
    evaluate::<Program>(&Input { q: &q, v: &v, ..Input::default() }, &mut output);
    assert_eq!(output[..28], expected(&q, &v));
    assert_eq!(output[28..38], [1.0, -2.0, 0.1, 1e300, -0.25, -0.25, -0.25, -0.25, 4.25, -1.5]);
    assert_eq!(output[38..52], expected(&q[..2], &v[..2]));
    assert_eq!(output[52..], [0.1, -0.0, 2.0, 2.0, 1.25, -1.75]);
    assert!(output[19].is_sign_negative(), "−0 is the negative of 0");
}

#[test]
fn the_plain_level_gives_the_same_bits_on_every_machine() {
    let (q, v) = ([1.1, -0.3, 3.7, 1e-17], [0.7, 2.3, -8.9, 1e17]);
    let input = Input { q: &q, v: &v, ..Input::default() };
    let (mut found, mut expected) = ([f64::NAN; 58], [f64::NAN; 58]);
    assert_eq!(fix_level(Level::Plain), Level::Plain);
    evaluate::<Program>(&input, &mut found);
    evaluate_with::<Program, Plain>(&input, &mut expected);
    assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
}
