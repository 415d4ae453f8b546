//! Numbers in messages, with no more digits than tell something.

use alloc::format;
use alloc::string::{String, ToString};

/// A time in seconds to the nanosecond, without the rounding of the steps that were summed up to it.
pub(crate) fn moment(time: f64) -> String {
    let rounded = libm::round(time * 1e9) / 1e9;
    if rounded.is_finite() { given(rounded) } else { given(time) }
}

/// A number with all its digits, and without the zeros of one that is huge or tiny.
pub(crate) fn given(value: f64) -> String {
    let is_plain = value == 0.0 || (1e-5..1e16).contains(&value.abs()) || !value.is_finite();
    if is_plain { value.to_string() } else { format!("{value:e}") }
}

/// A size to three digits.
pub(crate) fn figure(size: f64) -> String {
    let scientific = format!("{size:.2e}");
    match scientific.parse::<f64>() {
        Ok(rounded) if rounded == 0.0 || (1e-4..1e4).contains(&rounded.abs()) => {
            rounded.to_string()
        }
        Ok(rounded) => format!("{rounded:e}"),
        Err(_) => scientific,
    }
}

/// What a number has to be above, once it is above zero.
pub(crate) fn least(value: f64) -> &'static str {
    if value > 0.0 && value.is_subnormal() { "2.2e-308" } else { "0" }
}

#[cfg(test)]
mod tests {
    use super::{figure, given, moment};

    #[test]
    fn rounding_is_not_shown() {
        let cases =
            [(0.455_000_000_000_000_35, "0.455"), (0.0, "0"), (1e15 / 3.0, "333333333333333.3")];
        cases.into_iter().for_each(|(time, text)| assert_eq!(moment(time), text));
        assert_eq!(moment(f64::MAX), "1.7976931348623157e308");
    }

    #[test]
    fn zeros_are_no_digits() {
        let cases = [(1e300, "1e300"), (-1.5e-300, "-1.5e-300"), (0.0, "0"), (-1.25, "-1.25")];
        let others =
            [(f64::INFINITY, "inf"), (f64::NAN, "NaN"), (5e-324, "5e-324"), (1e5, "100000")];
        cases.into_iter().chain(others).for_each(|(value, text)| assert_eq!(given(value), text));
    }

    #[test]
    fn sizes_have_three_digits() {
        let cases = [
            (1.596_396_771_769_195e-1, "0.16"),
            (0.03, "0.03"),
            (0.0005, "0.0005"),
            (-12.345, "-12.3"),
            (1.234_5e-7, "1.23e-7"),
            (1e200, "1e200"),
            (f64::NAN, "NaN"),
            (0.0, "0"),
        ];
        cases.into_iter().for_each(|(size, text)| assert_eq!(figure(size), text));
    }
}
