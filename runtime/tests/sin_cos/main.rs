//! Sine and cosine of kernels: their error in units in the last place against numbers of 100 bits.

mod reference;

use jourdain::arithmetic::{Arithmetic, Fused, Plain};
use jourdain::batch::{F32x16, F64x8};
use jourdain::kernel::{Input, Kernel, Number, evaluate};

use reference::QUARTER_TURN;

/// Below this size no library is asked.
const LIMIT: f64 = 1048576.0;

/// Debug builds look at fewer arguments.
const SHARE: usize = if cfg!(debug_assertions) { 50 } else { 1 };

/// As many sines and cosines as one call takes; eleven leave a register partly filled.
const N: usize = 11;

type Function = fn([f64; N]) -> ([f64; N], [f64; N]);

/// Sines and cosines at the level that the processor has.
enum Sines {}

impl Kernel for Sines {
    #[inline(always)]
    fn run<A: Arithmetic>(input: &Input<'_, A::Scalar>, output: &mut [A::Scalar]) {
        let Some(&q) = input.q.first_chunk::<N>() else { return };
        let (sines, cosines) = A::sin_cos(q);
        for (output, value) in output.iter_mut().zip(sines.into_iter().chain(cosines)) {
            *output = value;
        }
    }
}

fn best(x: [f64; N]) -> ([f64; N], [f64; N]) {
    let mut output = [f64::NAN; 2 * N];
    evaluate::<Sines>(&Input { q: &x, ..Input::default() }, &mut output);
    (std::array::from_fn(|k| output[k]), std::array::from_fn(|k| output[N + k]))
}

/// In one of eight lanes.
fn batch(x: [f64; N]) -> ([f64; N], [f64; N]) {
    const LANE: usize = 5;
    let q = x.map(|x| {
        let mut lanes = F64x8::splat(0.1);
        lanes[LANE] = x;
        lanes
    });
    let mut output = [F64x8::default(); 2 * N];
    F64x8::evaluate::<Sines>(&Input { q: &q, ..Input::default() }, &mut output);
    (std::array::from_fn(|k| output[k][LANE]), std::array::from_fn(|k| output[N + k][LANE]))
}

/// The ways of computing that a kernel can meet.
const FUNCTIONS: [(&str, Function); 4] = [
    ("plain", Plain::sin_cos::<N>),
    ("fused", Fused::sin_cos::<N>),
    ("best", best),
    ("batch", batch),
];

fn check(what: &str, bound: f64, arguments: &[f64]) {
    let mut largest = [(0.0, 0.0); FUNCTIONS.len()];
    for chunk in arguments.chunks(N) {
        let mut x = [0.0; N];
        x[..chunk.len()].copy_from_slice(chunk);
        let exact = x.map(reference::sin_cos);
        for ((_, function), largest) in FUNCTIONS.iter().zip(&mut largest) {
            let (sines, cosines) = function(x);
            for k in 0..N {
                let (sine, cosine) = exact[k];
                let error = sine.error(sines[k]).max(cosine.error(cosines[k]));
                if error > largest.0 || sines[k].is_nan() || cosines[k].is_nan() {
                    *largest = (error, x[k]);
                }
            }
        }
    }
    for ((name, _), (error, at)) in FUNCTIONS.iter().zip(largest) {
        println!("{name:>5}, {what}: {error:.4} ulp at {at:e} of {}", arguments.len());
        assert!(error <= bound, "{name}: {error} ulp at {at:e}");
    }
}

/// A sequence that fills (0, 1) evenly.
fn even(count: usize) -> impl Iterator<Item = f64> {
    (1..=count / SHARE).map(|k| (k as f64 * 0.6180339887498949).fract())
}

#[test]
fn angles_of_joints() {
    let arguments: Vec<f64> = even(2_000_000).map(|x| 14.0 * (x - 0.5)).collect();
    check("within 7 rad", 0.82, &arguments);
}

#[test]
fn all_sizes() {
    let arguments: Vec<f64> = even(2_000_000).map(|x| 2.0 * LIMIT * (x - 0.5)).collect();
    check("evenly below 2^20", 0.82, &arguments);
    let range = LIMIT.to_bits() as f64;
    let arguments: Vec<f64> = even(1_000_000).map(|x| f64::from_bits((x * range) as u64)).collect();
    check("of all exponents", 0.82, &arguments);
}

/// Where one of the two is next to zero, and all digits of π/2 are needed.
#[test]
fn multiples_of_a_quarter_turn() {
    let last = (LIMIT / std::f64::consts::FRAC_PI_2) as u32;
    let mut arguments = Vec::new();
    for k in (0..last).step_by(SHARE) {
        let nearest = f64::from(k) * QUARTER_TURN[0] + f64::from(k) * QUARTER_TURN[1];
        let (below, above) = (nearest.next_down(), nearest.next_up());
        arguments.extend([nearest, -below, above, below.next_down(), -above.next_up()]);
    }
    check("multiples of a quarter turn", 0.82, &arguments);
}

#[test]
fn tiny_numbers_are_their_own_sine() {
    for (name, function) in FUNCTIONS {
        for x in [0.0, f64::MIN_POSITIVE, 5e-324, 1e-310, 1e-300, 1e-9] {
            let (sines, cosines) = function([x; N]);
            assert_eq!((sines, cosines), ([x; N], [1.0; N]), "{name}");
            let (sines, _) = function([-x; N]);
            assert_eq!(sines.map(f64::to_bits), [(-x).to_bits(); N], "{name}");
        }
    }
}

/// The largest error of sixteen lanes in single precision, against the library's double.
fn largest_error_of_singles(arguments: &[f32]) -> (f64, f32) {
    let mut largest = (0.0, 0.0);
    for chunk in arguments.chunks(16) {
        let mut x = F32x16::default();
        x.0[..chunk.len()].copy_from_slice(chunk);
        let mut output = [F32x16::default(); 2 * N];
        F32x16::evaluate::<Sines>(&Input { q: &[x; N], ..Input::default() }, &mut output);
        for lane in 0..16 {
            let (sine, cosine) = f64::from(x[lane]).sin_cos();
            for (found, exact) in [(output[N - 1][lane], sine), (output[N][lane], cosine)] {
                let rounded = (exact as f32).abs();
                let error =
                    (f64::from(found) - exact).abs() / f64::from(rounded.next_up() - rounded);
                if error > largest.0 || error.is_nan() {
                    largest = (error, x[lane]);
                }
            }
        }
    }
    largest
}

#[test]
fn single_precision() {
    let near = even(1_000_000).map(|x| 14.0 * (x as f32 - 0.5));
    let below = even(1_000_000).map(|x| 2.0 * LIMIT as f32 * (x as f32 - 0.5));
    let range = (LIMIT as f32).to_bits() as f64;
    let of_all_exponents = even(1_000_000).map(|x| f32::from_bits((x * range) as u32));
    let last = (LIMIT / std::f64::consts::FRAC_PI_2) as u32;
    let multiples = (0..last).step_by(SHARE).flat_map(|k| {
        let x = (f64::from(k) * std::f64::consts::FRAC_PI_2) as f32;
        [x, -x.next_up(), x.next_down()]
    });
    let all: [(&str, Vec<f32>); 4] = [
        ("within 7 rad", near.collect()),
        ("evenly below 2^20", below.collect()),
        ("of all exponents", of_all_exponents.collect()),
        ("multiples of a quarter turn", multiples.collect()),
    ];
    for (what, arguments) in all {
        let (error, at) = largest_error_of_singles(&arguments);
        println!("single, {what}: {error:.4} ulp at {at:e} of {}", arguments.len());
        assert!(error <= 0.95, "{error} ulp at {at:e}");
    }
    for x in [0.0f32, 1e-45, 1e-30, -1e-12] {
        let mut output = [F32x16::default(); 2 * N];
        let q = [F32x16::splat(-x); N];
        F32x16::evaluate::<Sines>(&Input { q: &q, ..Input::default() }, &mut output);
        assert_eq!(output[0][3].to_bits(), (-x).to_bits());
    }
}

/// A large lane takes a library's value and leaves its neighbours as they are.
#[test]
fn large_numbers_are_as_exact() {
    let large = [LIMIT, -LIMIT.next_up(), 1e9, -6381956970095103.0 * 2f64.powi(797), f64::MAX];
    for (name, function) in FUNCTIONS {
        let small = function([0.3; N]);
        for x in large {
            let (sines, cosines) = function(std::array::from_fn(|k| if k == 2 { x } else { 0.3 }));
            // The library of the standard library may be another one than that of the fallback.
            let near = |found: f64, expected: f64| (found - expected).abs() < 2e-16;
            assert!(near(sines[2], x.sin()) && near(cosines[2], x.cos()), "{name} at {x:e}");
            assert_eq!((sines[1], cosines[10]), (small.0[1], small.1[10]), "{name}");
        }
        for x in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let (sines, cosines) = function(std::array::from_fn(|k| if k == 9 { x } else { 0.3 }));
            assert!(sines[9].is_nan() && cosines[9].is_nan(), "{name} at {x}");
            assert_eq!((sines[8], cosines[10]), (small.0[1], small.1[10]), "{name}");
        }
    }
}
