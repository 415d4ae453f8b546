//! A phase portrait with a strip of the modes below it, as SVG.

use std::fmt::Write;

use crate::drawing::Sheet;
pub use crate::drawing::Words;

/// Points of a motion from one event to the next.
pub type Piece = Vec<(f64, f64)>;

/// A motion in the plane of an angle and its rate, say.
pub struct Orbit {
    /// What the legend says.
    pub name: String,
    /// As CSS has it.
    pub color: &'static str,
    /// Pieces between events; what is between two of them is a jump.
    pub pieces: Vec<Piece>,
}

/// A mode from one time to another.
pub struct Span {
    /// In seconds.
    pub from: f64,
    /// In seconds.
    pub to: f64,
    /// The mode.
    pub name: String,
}

impl Orbit {
    /// A motion of that name, in that colour.
    pub fn new(name: &str, color: &'static str, pieces: Vec<Piece>) -> Self {
        Self { name: name.into(), color, pieces }
    }
}

impl Span {
    /// Notes that a mode goes on to the second time, or begins at the first one.
    pub fn note(modes: &mut Vec<Self>, name: &str, [from, to]: [f64; 2]) {
        match modes.last_mut() {
            Some(last) if last.name == name => last.to = to,
            _ => modes.push(Self { from, to, name: name.into() }),
        }
    }
}

/// What is drawn.
pub struct Portrait<'a> {
    /// Around all.
    pub words: Words<'a>,
    /// The motions.
    pub orbits: &'a [Orbit],
    /// The modes of one of them in their sequence.
    pub strip: &'a [Span],
}

const SHEET: Sheet = Sheet { size: [860.0, 610.0], across: [LEFT, 600.0], down: [60.0, 440.0] };
const LEFT: f64 = 70.0;
const STRIP: f64 = 520.0;
const WIDE: f64 = 800.0;
/// What of its values an axis goes beyond them.
const MARGIN: f64 = 0.05;
/// The width in pixels from which a mode has a border.
const BORDERED: f64 = 4.0;
const COLORS: [&str; 4] = ["#0b6e99", "#e0a63a", "#c1502e", "#7a8b3a"];

/// Values from and to which an axis goes, and the places of its ticks.
struct Axis {
    from: f64,
    to: f64,
    tick: f64,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let lowest = values.clone().fold(f64::INFINITY, f64::min);
        let highest = values.fold(f64::NEG_INFINITY, f64::max);
        let size = (highest - lowest).max(1e-12);
        let rough = size / 6.0;
        let power = 10_f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].into_iter();
        let tick = power * steps.fold(1.0, |best, s| if best * power < rough { s } else { best });
        Self { from: lowest - MARGIN * size, to: highest + MARGIN * size, tick }
    }

    fn share(&self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let [first, last] = [(self.from / self.tick).ceil(), (self.to / self.tick).floor()];
        (first as i32..=last as i32).map(|k| f64::from(k) * self.tick)
    }

    /// A value with as many digits as ticks differ by.
    fn label(&self, value: f64) -> String {
        let digits = (-self.tick.log10().floor()).max(0.0) as usize;
        format!("{:.digits$}", value + 0.0)
    }
}

impl Portrait<'_> {
    /// Writes `target/<name>.svg` in the workspace and says so.
    ///
    /// # Errors
    ///
    /// Those of writing the file.
    pub fn save(&self, name: &str) -> std::io::Result<()> {
        let text = self.svg().map_err(std::io::Error::other)?;
        std::fs::write(crate::folder()?.join(name).with_extension("svg"), text)?;
        println!("drawing      target/{name}.svg");
        Ok(())
    }

    /// The text of an SVG file.
    fn svg(&self) -> Result<String, std::fmt::Error> {
        let mut out = String::new();
        SHEET.begin(&mut out, &self.words)?;
        self.draw_orbits(&mut out)?;
        self.draw_strip(&mut out)?;
        out += "</svg>\n";
        Ok(out)
    }

    fn draw_orbits(&self, out: &mut String) -> std::fmt::Result {
        let points = self.orbits.iter().flat_map(|orbit| orbit.pieces.iter().flatten());
        let (x, y) = (Axis::of(points.clone().map(|p| p.0)), Axis::of(points.map(|p| p.1)));
        for value in x.ticks() {
            SHEET.tick_x(out, x.share(value), &x.label(value))?;
        }
        for value in y.ticks() {
            SHEET.tick_y(out, y.share(value), &y.label(value))?;
        }
        for (row, Orbit { name, color, pieces }) in self.orbits.iter().enumerate() {
            let share = |(a, b): &(f64, f64)| (x.share(*a), y.share(*b));
            let solid = format!(r#"stroke="{color}" stroke-width="1.8""#);
            for piece in pieces {
                SHEET.curve(out, piece.iter().map(share), &solid)?;
            }
            let dashed = format!(r#"stroke="{color}" stroke-dasharray="3 4""#);
            for pair in pieces.windows(2) {
                let (Some(end), Some(start)) = (pair[0].last(), pair[1].first()) else { continue };
                SHEET.curve(out, [end, start].into_iter().map(share), &dashed)?;
            }
            SHEET.legend(out, row, name, color)?;
        }
        Ok(())
    }

    fn draw_strip(&self, out: &mut String) -> std::fmt::Result {
        let times = self.strip.iter().flat_map(|span| [span.from, span.to]);
        let axis = Axis::of(times.clone());
        let end = times.clone().fold(f64::NEG_INFINITY, f64::max);
        let start = times.clone().fold(f64::INFINITY, f64::min);
        let across = |time: f64| LEFT + (time - start) / (end - start) * (WIDE - LEFT);
        let mut names: Vec<&str> = Vec::new();
        for Span { from, to, name } in self.strip {
            let row = names.iter().position(|known| known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            let (at, wide) = (across(*from), across(*to) - across(*from));
            let color = COLORS[row % COLORS.len()];
            let border =
                if wide < BORDERED { "" } else { r##" stroke="#fff" stroke-width="0.6""## };
            writeln!(
                out,
                r#"<rect x="{at:.2}" y="{STRIP}" width="{wide:.2}" height="26" fill="{color}"{border}/>"#
            )?;
        }
        for (row, name) in names.iter().enumerate() {
            let (at, text) = (LEFT + 150.0 * row as f64, LEFT + 20.0 + 150.0 * row as f64);
            let color = COLORS[row % COLORS.len()];
            writeln!(out, r#"<rect x="{at}" y="498" width="14" height="14" fill="{color}"/>"#)?;
            writeln!(out, r#"<text x="{text}" y="510">{name}</text>"#)?;
        }
        for time in axis.ticks().filter(|time| (start..=end).contains(time)) {
            let (at, label) = (across(time), axis.label(time));
            writeln!(out, r#"<text x="{at:.1}" y="564" text-anchor="middle">{label}</text>"#)?;
        }
        let middle = 0.5 * (LEFT + WIDE);
        writeln!(out, r#"<text x="{middle}" y="586" text-anchor="middle">time, s</text>"#)
    }
}
