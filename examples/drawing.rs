//! What charts and phase portraits have in common: a sheet of SVG with axes, curves and a legend.

use std::fmt::{Result, Write};

/// A sheet and the field on it, in pixels.
pub(crate) struct Sheet {
    /// Its width and height.
    pub size: [f64; 2],
    /// From where to where the field goes across.
    pub across: [f64; 2],
    /// From where to where it goes down.
    pub down: [f64; 2],
}

/// What is written about a drawing.
pub struct Words<'a> {
    /// Above it.
    pub title: &'a str,
    /// Below the horizontal axis.
    pub x: &'a str,
    /// Above the vertical axis.
    pub y: &'a str,
}

impl Sheet {
    /// Begins the text of a file, with words around the field.
    pub(crate) fn begin(&self, out: &mut String, words: &Words<'_>) -> Result {
        let [width, height] = self.size;
        writeln!(
            out,
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="sans-serif" font-size="13" fill="#222">"##
        )?;
        writeln!(out, r##"<rect width="{width}" height="{height}" fill="#fff"/>"##)?;
        let [left, right] = self.across;
        let (above, below, middle) =
            (self.down[0] - 12.0, self.down[1] + 38.0, 0.5 * (left + right));
        writeln!(out, r#"<text x="{left}" y="24" font-size="16">{}</text>"#, words.title)?;
        writeln!(out, r#"<text x="{left}" y="{above}" font-size="12">{}</text>"#, words.y)?;
        writeln!(out, r#"<text x="{middle}" y="{below}" text-anchor="middle">{}</text>"#, words.x)
    }

    /// Where a share of the field's width is.
    pub(crate) fn x(&self, share: f64) -> f64 {
        let [left, right] = self.across;
        left + share * (right - left)
    }

    /// Where a share of its height is, from below.
    pub(crate) fn y(&self, share: f64) -> f64 {
        let [top, bottom] = self.down;
        bottom - share * (bottom - top)
    }

    /// A line across the field at a share of its width, with a label below it.
    pub(crate) fn tick_x(&self, out: &mut String, share: f64, label: &str) -> Result {
        let (at, [top, bottom]) = (self.x(share), self.down);
        let base = bottom + 18.0;
        writeln!(out, r##"<path d="M{at:.1} {top}V{bottom}" stroke="#eee"/>"##)?;
        writeln!(out, r#"<text x="{at:.1}" y="{base}" text-anchor="middle">{label}</text>"#)
    }

    /// The same at a share of its height.
    pub(crate) fn tick_y(&self, out: &mut String, share: f64, label: &str) -> Result {
        let (at, [left, right]) = (self.y(share), self.across);
        let base = at + 4.0;
        writeln!(out, r##"<path d="M{left} {at:.1}H{right}" stroke="#ddd"/>"##)?;
        writeln!(out, r#"<text x="62" y="{base:.1}" text-anchor="end">{label}</text>"#)
    }

    /// A curve through points, given as shares of width and height.
    pub(crate) fn curve(
        &self,
        out: &mut String,
        points: impl Iterator<Item = (f64, f64)>,
        style: &str,
    ) -> Result {
        let place = |(x, y)| format!("{:.1},{:.1}", self.x(x), self.y(y));
        let line: Vec<String> = points.map(place).collect();
        let line = line.join(" ");
        writeln!(out, r#"<polyline points="{line}" fill="none" {style}/>"#)
    }

    /// A line of the legend beside the field.
    pub(crate) fn legend(&self, out: &mut String, row: usize, name: &str, color: &str) -> Result {
        let (mark, base) = (72.0 + 22.0 * row as f64, 76.0 + 22.0 * row as f64);
        let (from, text) = (self.across[1] + 14.0, self.across[1] + 44.0);
        writeln!(out, r#"<path d="M{from} {mark}h22" stroke="{color}" stroke-width="3"/>"#)?;
        writeln!(out, r#"<text x="{text}" y="{base}">{name}</text>"#)
    }
}
