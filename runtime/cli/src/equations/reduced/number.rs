//! Exact numbers for decimals, and back.

use symbolica::domains::rational::Rational;

use crate::equations::formula::Formula;

/// Denominators of numbers that are taken for fractions.
const SIMPLE: i64 = 1000;

/// The fraction with a small denominator that is `x` as f64, or else the decimal that `x` is written as.
pub(super) fn rational(x: f64) -> Rational {
    simple(x).unwrap_or_else(|| decimal(x))
}

/// By continued fractions.
fn simple(x: f64) -> Option<Rational> {
    if !x.is_finite() || x.abs() > 1e12 {
        return None;
    }
    let (mut rest, mut last, mut now) = (x.abs(), (0_i64, 1_i64), (1_i64, 0_i64));
    for _ in 0..40 {
        let whole = rest.floor();
        if whole > 1e12 {
            return None;
        }
        let next = |last: i64, now: i64| (whole as i64).checked_mul(now)?.checked_add(last);
        let next = (next(last.0, now.0)?, next(last.1, now.1)?);
        if next.1 > SIMPLE {
            return None;
        }
        (last, now) = (now, next);
        if now.0 as f64 / now.1 as f64 == x.abs() {
            let sign = if x < 0.0 { -1 } else { 1 };
            return Some(Rational::new(sign * now.0, now.1));
        }
        rest = 1.0 / (rest - whole);
    }
    None
}

/// By the digits of the shortest decimal that is `x`.
fn decimal(x: f64) -> Rational {
    let text = format!("{x:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i64 = exponent.parse().unwrap_or(0);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let digits: i64 = format!("{whole}{part}").parse().unwrap_or(0);
    let exponent = exponent - part.len() as i64;
    let ten = Rational::new(10, 1).pow(exponent.unsigned_abs());
    let number = Rational::new(digits, 1);
    if exponent < 0 { &number / &ten } else { &number * &ten }
}

/// A positive number, as a fraction where that is how it would be written.
pub(super) fn formula(x: &Rational) -> Formula {
    let parts = x.numerator_ref().to_i64().zip(x.denominator_ref().to_i64());
    match parts {
        Some((a, b)) if a < 100 && matches!(b, 2 | 3 | 4 | 6 | 8 | 9 | 12 | 15 | 24) => {
            let number = |n: i64| Box::new(Formula::Number(n as f64));
            Formula::Quotient(number(a), number(b))
        }
        _ => Formula::Number(x.to_f64()),
    }
}
