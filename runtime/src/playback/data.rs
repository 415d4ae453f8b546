//! The scene as a JavaScript literal: JSON whose long arrays are base64 strings of little-endian
//! numbers.
//!
//! Base64 of f32 or f64 holds NaN and infinities, for which JSON has no notation.

use nalgebra::{Rotation3, UnitQuaternion, Vector3};

use super::{Body, Geometry, Plane, Plot, Scene, Shape, Snapshot};
use crate::Pose;
use crate::description::ShapeKind;
use crate::geometry::{Grid, Solid};

/// The whole scene; safe inside a `<script>` element.
pub(super) fn literal(scene: &Scene) -> String {
    let kept = in_order(&scene.frames);
    let frames = || kept.iter().map(|&k| &scene.frames[k]);
    let poses = frames().flat_map(|frame| poses(frame, scene.bodies.len()));
    let counts = frames().map(|frame| frame.forces.len() as f32);
    let forces = frames().flat_map(|frame| &frame.forces).flat_map(|arrow| {
        let [point, force] = [arrow.point, arrow.force].map(|x| [x.x, x.y, x.z]);
        point.into_iter().chain(force)
    });
    object(&[
        ("bodies", array(scene.bodies.iter().map(body))),
        ("planes", array(scene.ground.iter().map(plane))),
        ("grids", array(scene.heights.iter().map(grid))),
        ("times", doubles(frames().map(|frame| frame.time))),
        ("poses", singles(poses.map(|x| x as f32))),
        ("forceCounts", singles(counts)),
        ("forces", singles(forces.map(|x| x as f32))),
        ("plots", array(scene.plots.iter().map(|plot| curves(plot, &kept)))),
    ])
}

/// Indices of the snapshots whose times are finite and do not decrease.
fn in_order(frames: &[Snapshot]) -> Vec<usize> {
    let mut latest = f64::NEG_INFINITY;
    let mut kept = Vec::with_capacity(frames.len());
    for (k, frame) in frames.iter().enumerate() {
        if frame.time.is_finite() && frame.time >= latest {
            latest = frame.time;
            kept.push(k);
        }
    }
    kept
}

/// Seven numbers for each body, NaN where there is no pose.
fn poses(frame: &Snapshot, bodies: usize) -> impl Iterator<Item = f64> + '_ {
    (0..bodies).flat_map(|k| frame.poses.get(k).map_or([f64::NAN; 7], seven))
}

/// Quaternion `[x y z w]` and position.
fn seven(pose: &Pose) -> [f64; 7] {
    let rotation = Rotation3::from_matrix_unchecked(pose.rotation);
    let [x, y, z, w] = UnitQuaternion::from_rotation_matrix(&rotation).coords.into();
    let p = pose.position;
    [x, y, z, w, p.x, p.y, p.z]
}

fn body(body: &Body) -> String {
    object(&[("name", string(&body.name)), ("shapes", array(body.shapes.iter().map(shape)))])
}

fn shape(shape: &Shape) -> String {
    let (kind, size) = match &shape.geometry {
        &Geometry::Sphere { radius } => ("sphere", numbers(&[radius])),
        Geometry::Box { half_extents } => ("box", numbers(half_extents.as_slice())),
        &Geometry::Cylinder { radius, length } => ("cylinder", numbers(&[radius, length])),
        &Geometry::Capsule { radius, length } => ("capsule", numbers(&[radius, length])),
        Geometry::Hull { .. } => ("hull", "[]".into()),
    };
    let faces = match &shape.geometry {
        Geometry::Hull { points } => faces(points),
        _ => Vec::new(),
    };
    let corners = |face: &Vec<Vector3<f64>>| array(face.iter().map(|x| numbers(x.as_slice())));
    let color = [shape.color.0, shape.color.1, shape.color.2];
    object(&[
        ("kind", string(kind)),
        ("size", size),
        ("faces", array(faces.iter().map(corners))),
        ("pose", numbers(&seven(&shape.pose))),
        ("color", array(color.iter().map(u8::to_string))),
    ])
}

/// The corners of each face of a convex hull, counterclockwise as seen from outside.
fn faces(points: &[Vector3<f64>]) -> Vec<Vec<Vector3<f64>>> {
    let numbers: Vec<f64> = points.iter().flat_map(|x| [x.x, x.y, x.z]).collect();
    let solid = Solid::new(ShapeKind::Hull { points: points.len() }, &numbers);
    solid.map(|solid| solid.faces()).unwrap_or_default()
}

/// Heights row by row, and where the first is.
fn grid(grid: &Grid) -> String {
    let [columns, rows] = [0, 1].map(|k| grid.points(k));
    let heights = (0..rows).flat_map(|j| (0..columns).map(move |i| grid.point([i, j]).z as f32));
    let [first, next] = [grid.point([0, 0]), grid.point([1, 1])];
    object(&[
        ("columns", columns.to_string()),
        ("origin", numbers(&[first.x, first.y])),
        ("spacing", numbers(&[next.x - first.x, next.y - first.y])),
        ("heights", singles(heights)),
    ])
}

fn plane(plane: &Plane) -> String {
    let n = plane.normal;
    numbers(&[n.x, n.y, n.z, plane.offset])
}

fn curves(plot: &Plot, kept: &[usize]) -> String {
    let series = plot.series.iter().map(|series| {
        let values = kept.iter().map(|&k| series.values.get(k).copied().unwrap_or(f64::NAN));
        object(&[("name", string(&series.name)), ("values", doubles(values))])
    });
    object(&[
        ("title", string(&plot.title)),
        ("unit", string(&plot.unit)),
        ("series", array(series)),
    ])
}

fn object(members: &[(&str, String)]) -> String {
    let members: Vec<String> =
        members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}

fn numbers(values: &[f64]) -> String {
    array(values.iter().map(|&x| number(x)))
}

fn number(x: f64) -> String {
    if x.is_finite() { format!("{x:e}") } else { "null".into() }
}

/// A quoted string without the characters that end a script or a line.
fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        let plain =
            !c.is_control() && !matches!(c, '"' | '\\' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}');
        if plain {
            quoted.push(c);
        } else {
            // Every character that is escaped lies in the first plane.
            quoted.push_str(&format!("\\u{:04x}", u32::from(c)));
        }
    }
    quoted.push('"');
    quoted
}

fn singles(values: impl Iterator<Item = f32>) -> String {
    base64(&values.flat_map(f32::to_le_bytes).collect::<Vec<u8>>())
}

fn doubles(values: impl Iterator<Item = f64>) -> String {
    base64(&values.flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
}

/// A quoted base64 string, padded (RFC 4648, section 4).
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len() / 3 * 4 + 6);
    text.push('"');
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, k| bits << 8 | usize::from(*chunk.get(k).unwrap_or(&0)));
        for k in 0..4 {
            let digit = char::from(ALPHABET[bits >> (18 - 6 * k) & 63]);
            text.push(if k <= chunk.len() { digit } else { '=' });
        }
    }
    text.push('"');
    text
}
