//! A chart of curves over powers of ten, as SVG.

use std::fmt::Write;

/// A named curve of points (x, y), both positive, in a colour.
pub struct Curve {
    /// What the legend says.
    pub name: String,
    /// As CSS has it.
    pub color: &'static str,
    /// In the order of x.
    pub points: Vec<(f64, f64)>,
}

/// What is written about a chart.
pub struct Words<'a> {
    /// Above it.
    pub title: &'a str,
    /// Below the horizontal axis.
    pub x: &'a str,
    /// Above the vertical axis.
    pub y: &'a str,
}

const LEFT: f64 = 70.0;
const RIGHT: f64 = 540.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 400.0;

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
    let across = |share: f64| LEFT + share * (RIGHT - LEFT);
    let up = |share: f64| BOTTOM - share * (BOTTOM - TOP);
    let mut out = String::new();
    writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 450" width="820" height="450" font-family="sans-serif" font-size="13" fill="#222">"##
    )?;
    writeln!(out, r##"<rect width="820" height="450" fill="#fff"/>"##)?;
    writeln!(out, r#"<text x="{LEFT}" y="24" font-size="16">{}</text>"#, words.title)?;
    writeln!(out, r#"<text x="{LEFT}" y="44" font-size="12">{}</text>"#, words.y)?;
    let middle = 0.5 * (LEFT + RIGHT);
    writeln!(out, r#"<text x="{middle}" y="438" text-anchor="middle">{}</text>"#, words.x)?;
    for (share, exponent) in x.ticks() {
        let at = across(share);
        writeln!(out, r##"<path d="M{at:.1} {TOP}V{BOTTOM}" stroke="#eee"/>"##)?;
        let label = power(exponent);
        writeln!(out, r#"<text x="{at:.1}" y="418" text-anchor="middle">{label}</text>"#)?;
    }
    for (share, exponent) in y.ticks() {
        let at = up(share);
        writeln!(out, r##"<path d="M{LEFT} {at:.1}H{RIGHT}" stroke="#ddd"/>"##)?;
        let (label, base) = (power(exponent), at + 4.0);
        writeln!(out, r#"<text x="62" y="{base:.1}" text-anchor="end">{label}</text>"#)?;
    }
    for (row, Curve { name, color, points }) in curves.iter().enumerate() {
        let place = |(a, b): &(f64, f64)| {
            format!("{:.1},{:.1}", across(x.share(*a)), up(y.share(*b).max(0.0)))
        };
        let line: Vec<String> = points.iter().filter(|p| p.1 > 0.0).map(place).collect();
        let line = line.join(" ");
        writeln!(
            out,
            r#"<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>"#
        )?;
        let (mark, base) = (72.0 + 22.0 * row as f64, 76.0 + 22.0 * row as f64);
        let (from, text) = (RIGHT + 14.0, RIGHT + 44.0);
        writeln!(out, r#"<path d="M{from} {mark}h22" stroke="{color}" stroke-width="3"/>"#)?;
        writeln!(out, r#"<text x="{text}" y="{base}">{name}</text>"#)?;
    }
    writeln!(out, "</svg>")?;
    Ok(out)
}

/// 10ⁿ.
fn power(exponent: i32) -> String {
    format!(r#"10<tspan dy="-5" font-size="10">{exponent}</tspan>"#)
}
