//! A chart of curves over powers of ten, as SVG.

use crate::drawing::Sheet;
pub use crate::drawing::Words;

/// A named curve of points (x, y), both positive, in a colour.
pub struct Curve {
    /// What the legend says.
    pub name: String,
    /// As CSS has it.
    pub color: &'static str,
    /// In the order of x.
    pub points: Vec<(f64, f64)>,
}

const SHEET: Sheet = Sheet { size: [820.0, 450.0], across: [70.0, 540.0], down: [56.0, 400.0] };

/// Exponents of ten from and to which an axis goes.
struct Axis {
    from: i32,
    to: i32,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let exponents = values.filter(|x| *x > 0.0).map(f64::log10);
        let lowest = exponents.clone().fold(f64::INFINITY, f64::min);
        let highest = exponents.fold(f64::NEG_INFINITY, f64::max);
        Self { from: lowest.floor() as i32, to: highest.ceil() as i32 }
    }

    /// Where a value is, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        (value.log10() - f64::from(self.from)) / f64::from((self.to - self.from).max(1))
    }

    fn ticks(&self) -> impl Iterator<Item = (f64, i32)> {
        (self.from..=self.to).map(|exponent| (self.share(10_f64.powi(exponent)), exponent))
    }
}

/// The chart as the text of an SVG file.
///
/// # Errors
///
/// None in practice: writing to a string does not fail.
pub fn svg(words: &Words<'_>, curves: &[Curve]) -> Result<String, std::fmt::Error> {
    let points = curves.iter().flat_map(|curve| &curve.points);
    let (x, y) = (Axis::of(points.clone().map(|p| p.0)), Axis::of(points.map(|p| p.1)));
    let mut out = String::new();
    SHEET.begin(&mut out, words)?;
    for (share, exponent) in x.ticks() {
        SHEET.tick_x(&mut out, share, &power(exponent))?;
    }
    for (share, exponent) in y.ticks() {
        SHEET.tick_y(&mut out, share, &power(exponent))?;
    }
    for (row, Curve { name, color, points }) in curves.iter().enumerate() {
        let shares = points.iter().filter(|p| p.1 > 0.0);
        let shares = shares.map(|(a, b)| (x.share(*a), y.share(*b).max(0.0)));
        SHEET.curve(&mut out, shares, &format!(r#"stroke="{color}" stroke-width="2""#))?;
        SHEET.legend(&mut out, row, name, color)?;
    }
    out += "</svg>\n";
    Ok(out)
}

/// 10ⁿ.
fn power(exponent: i32) -> String {
    format!(r#"10<tspan dy="-5" font-size="10">{exponent}</tspan>"#)
}
