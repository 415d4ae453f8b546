//! Folding and snapping of constants, up to the ends of f64.

use std::f64::consts::{FRAC_PI_2, PI};

use super::{value, variables};
use crate::expr::Graph;

const ULP: f64 = f64::EPSILON;

fn sum(a: f64, b: f64) -> Option<f64> {
    let graph = Graph::new();
    let forward = (graph.constant(a) + graph.constant(b)).value();
    let opposite = (graph.constant(a) - graph.constant(-b)).value();
    assert_eq!(forward.map(f64::to_bits), opposite.map(f64::to_bits));
    forward
}

fn sine(x: f64) -> Option<f64> {
    Graph::new().constant(x).sin().value()
}

fn cosine(x: f64) -> Option<f64> {
    Graph::new().constant(x).cos().value()
}

#[test]
fn constants_fold() {
    let graph = Graph::new();
    let number = |x: f64| graph.constant(x);
    assert_eq!(number(2.0) + number(3.0), number(5.0));
    assert_eq!(number(2.0) - number(3.0), number(-1.0));
    assert_eq!(number(2.0) * number(3.0), number(6.0));
    assert_eq!(number(3.0) / number(2.0), number(1.5));
    assert_eq!(-number(2.0), number(-2.0));
    assert_eq!(number(2.0).sqrt(), number(2f64.sqrt()));
    assert_eq!(number(0.3).sin(), number(0.3f64.sin()));
    assert_eq!(number(0.3).cos(), number(0.3f64.cos()));
}

#[test]
fn residue_of_a_cancellation_is_zero() {
    assert_eq!(sum(0.1 + 0.2, -0.3), Some(0.0));
    assert_eq!(sum(1.0 + ULP, -1.0), Some(0.0));
    assert_eq!(sum(1.0 + 3.0 * ULP, -1.0), Some(0.0));
    assert_eq!(sum(1.0 + 4.0 * ULP, -1.0), Some(4.0 * ULP));
    assert_eq!(sum(1.0 + 1e-15, -1.0), Some(1.0 + 1e-15 - 1.0));
    assert_eq!(sum(1e300 * (1.0 + ULP), -1e300), Some(0.0));
    assert_eq!(sum(1e-300 * (1.0 + 9.0 * ULP), -1e-300).map(|x| x > 0.0), Some(true));
}

#[test]
fn sums_that_do_not_cancel_are_kept() {
    assert_eq!(sum(1.0, 1e-30), Some(1.0));
    assert_eq!(sum(1e-30, 1e-30), Some(2e-30));
    assert_eq!(sum(f64::MAX, 1.0), Some(f64::MAX));
    assert_eq!(sum(f64::MAX, -1e300), Some(f64::MAX - 1e300));
    assert_eq!(sum(f64::MAX, f64::MAX), Some(f64::INFINITY));
    assert_eq!(sum(5e-324, 5e-324), Some(1e-323));
}

#[test]
#[expect(clippy::approx_constant, reason = "these are the digits that files give π/2 and π")]
fn quarter_turns_as_files_write_them() {
    assert_eq!((sine(1.57079632679), cosine(1.57079632679)), (Some(1.0), Some(0.0)));
    assert_eq!((sine(-1.57079632679), cosine(-1.57079632679)), (Some(-1.0), Some(0.0)));
    assert_eq!((sine(3.14159265359), cosine(3.14159265359)), (Some(0.0), Some(-1.0)));
    assert_eq!((sine(4.71238898038), cosine(4.71238898038)), (Some(-1.0), Some(0.0)));
    assert_eq!((sine(0.0), cosine(0.0)), (Some(0.0), Some(1.0)));
    assert_eq!((sine(PI), cosine(PI)), (Some(0.0), Some(-1.0)));
}

#[test]
#[expect(clippy::approx_constant, reason = "these digits are not close enough to be read as π/2")]
fn other_angles_are_read_literally() {
    for x in [1.5708, 1.570796, FRAC_PI_2 + 1.01e-10, FRAC_PI_2 - 1.01e-10, 1.01e-10, 0.7853981634]
    {
        assert_eq!((sine(x), cosine(x)), (Some(x.sin()), Some(x.cos())), "{x}");
    }
    for x in [FRAC_PI_2 + 0.99e-10, FRAC_PI_2 - 0.99e-10] {
        assert_eq!((sine(x), cosine(x)), (Some(1.0), Some(0.0)), "{x}");
    }
    assert_eq!((sine(0.99e-10), cosine(0.99e-10)), (Some(0.0), Some(1.0)));
}

/// Where neighbouring numbers are farther apart than the snapping distance, next to none of them is
/// a multiple of π/2.
#[test]
fn large_angles_keep_their_sine() {
    for x in [1e6 + 0.3, 1e8, 1e12, 1e17, 1e300] {
        assert_eq!((sine(x), cosine(x)), (Some(x.sin()), Some(x.cos())), "{x}");
    }
}

#[test]
fn no_other_number_is_snapped() {
    let graph = Graph::new();
    let x = graph.symbol(0, 0);
    for tiny in [1e-13, 1e-300, f64::MIN_POSITIVE, 5e-324] {
        assert_eq!(graph.constant(tiny).value(), Some(tiny));
        assert_ne!(tiny * x, graph.zero());
        assert_ne!(x + graph.constant(tiny), x);
    }
    assert_ne!((1.0 + ULP) * x, x);
}

#[test]
fn division_by_zero_is_what_ieee_says() {
    let graph = Graph::new();
    let (x, zero) = (graph.symbol(0, 0), graph.zero());
    assert_eq!((graph.one() / zero).value(), Some(f64::INFINITY));
    assert_eq!((-graph.one() / zero).value(), Some(f64::NEG_INFINITY));
    assert!((zero / zero).value().is_some_and(f64::is_nan));
    assert_eq!(value(x / zero, &[2.0]), f64::INFINITY);
    assert_eq!(value(-x / zero, &[2.0]), f64::NEG_INFINITY);
}

#[test]
fn a_divisor_without_a_reciprocal_stays() {
    let graph = Graph::new();
    let x = graph.symbol(0, 0);
    assert_eq!(value(x / graph.constant(1e-310), &[1e-310]), 1.0);
    assert_eq!(value(x / graph.constant(f64::MAX), &[f64::MAX]), 1.0);
    assert_eq!(value(x / graph.constant(f64::INFINITY), &[2.0]), 0.0);
    assert!(value(x / graph.constant(f64::INFINITY), &[f64::INFINITY]).is_nan());
}

#[test]
fn coefficients_do_not_overflow_on_the_way() {
    let graph = Graph::new();
    let x = graph.symbol(0, 0);
    assert_eq!(value(1e200 * (1e200 * x), &[1e-300]), 1e200 * (1e200 * 1e-300));
    assert_eq!(value(1e-200 * (1e-200 * x), &[1e300]), 1e-200 * (1e-200 * 1e300));
}

#[test]
fn roots_of_negative_constants_are_left_to_run_time() {
    let graph = Graph::new();
    let root = graph.constant(-2.0).sqrt();
    assert_eq!(root.value(), None);
    assert!(value(root, &[]).is_nan());
    assert!(value(graph.constant(f64::NAN).sqrt(), &[]).is_nan());
    assert_eq!(graph.constant(-0.0).sqrt(), graph.zero());
}

#[test]
fn constants_that_are_no_numbers_propagate() {
    let graph = Graph::new();
    let [x, y, _] = variables(&graph);
    let (nan, infinite) = (graph.constant(f64::NAN), graph.constant(f64::INFINITY));
    for bad in [nan.sin(), nan.cos(), infinite.sin(), infinite.cos(), infinite - infinite] {
        assert!(value(bad, &[]).is_nan(), "{bad:?}");
    }
    for bad in [nan + x, x - nan, nan * x, x / nan, nan / x, nan * x + nan * y, nan * x - nan * x] {
        assert!(value(bad, &[1.0, 2.0]).is_nan(), "{bad:?}");
    }
    assert_eq!(value(infinite * x, &[2.0]), f64::INFINITY);
    assert_eq!(value(infinite - x, &[2.0]), f64::INFINITY);
}
