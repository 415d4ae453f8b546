//! Recordings as comma-separated values (RFC 4180), one line a sample.
//!
//! Columns: `time`; `q.<joint>`, `v.<joint>` and `u.<input>`; for each contact `gap.<name>`,
//! `force.<name>.x`, `.y`, `.z` and `point.<name>.x`, `.y`, `.z` in world axes; `multiplier.<name>` of
//! each constraint; `kinetic_energy`, `potential_energy` and `residual`. A joint with several coordinates
//! adds their names, such as `q.base.qx`, a constraint with several rows their numbers. All is in SI units and radians, and reading a number back gives the same bits.

use std::io::{self, Write};

use crate::description::{Chart, Joint};
use crate::model::Model;
use crate::record::{Recording, Sample};
use crate::space::Storage;

const AXES: [&str; 3] = ["x", "y", "z"];

/// Writes the header and the samples of `recording` to `out`, unbuffered.
///
/// # Errors
///
/// Those of `out`.
pub fn write<M: Model>(recording: &Recording<M>, out: &mut impl Write) -> io::Result<()> {
    line(out, header::<M>().iter().map(|name| quoted(name)))?;
    for sample in recording.samples() {
        line(out, numbers(sample).map(|x| x.to_string()))?;
    }
    Ok(())
}

fn header<M: Model>() -> Vec<String> {
    let mut names = vec!["time".to_owned()];
    for joint in M::JOINTS {
        names.extend(coordinates("q", joint, joint.nq));
    }
    for joint in M::JOINTS {
        names.extend(coordinates("v", joint, joint.nv));
    }
    names.extend(M::INPUTS.iter().map(|input| format!("u.{input}")));
    for contact in M::CONTACTS.iter().map(|contact| contact.name) {
        names.push(format!("gap.{contact}"));
        names.extend(AXES.map(|axis| format!("force.{contact}.{axis}")));
        names.extend(AXES.map(|axis| format!("point.{contact}.{axis}")));
    }
    for constraint in M::CONSTRAINTS {
        names.extend(match constraint.levels.len() {
            1 => vec![format!("multiplier.{}", constraint.name)],
            rows => (0..rows).map(|k| format!("multiplier.{}.{k}", constraint.name)).collect(),
        });
    }
    names.extend(["kinetic_energy", "potential_energy", "residual"].map(str::to_owned));
    names
}

/// Names of a joint's `count` configuration (`q`) or velocity (`v`) coordinates.
fn coordinates(kind: &str, joint: &Joint, count: usize) -> Vec<String> {
    let names: &[&str] = match (joint.chart, kind) {
        (Chart::Pose, "q") => &["x", "y", "z", "qx", "qy", "qz", "qw"],
        (Chart::Pose, _) => &["vx", "vy", "vz", "wx", "wy", "wz"],
        (Chart::Quaternion, "q") => &["qx", "qy", "qz", "qw"],
        (Chart::Quaternion, _) => &["wx", "wy", "wz"],
        (Chart::Vector, _) if count == 1 => return vec![format!("{kind}.{}", joint.name)],
        (Chart::Vector, _) => &[],
    };
    let name = |k: usize| match names.get(k) {
        Some(name) => format!("{kind}.{}.{name}", joint.name),
        None => format!("{kind}.{}.{k}", joint.name),
    };
    (0..count).map(name).collect()
}

fn numbers<M: Model>(sample: &Sample<M>) -> impl Iterator<Item = f64> {
    let state = &sample.state;
    let contacts = sample.gaps.iter().zip(sample.forces.iter().zip(&sample.points));
    [state.time]
        .into_iter()
        .chain(state.q.as_slice().iter().copied())
        .chain(state.v.as_slice().iter().copied())
        .chain(sample.u.as_slice().iter().copied())
        .chain(contacts.flat_map(|(gap, (f, p))| [*gap, f.x, f.y, f.z, p.x, p.y, p.z]))
        .chain(sample.multipliers.iter().copied())
        .chain([sample.kinetic_energy, sample.potential_energy, sample.residual.max()])
}

fn line(out: &mut impl Write, fields: impl Iterator<Item = String>) -> io::Result<()> {
    for (k, field) in fields.enumerate() {
        if k > 0 {
            out.write_all(b",")?;
        }
        out.write_all(field.as_bytes())?;
    }
    out.write_all(b"\r\n")
}

/// A field in quotes where a comma, a quote or a line break in it needs them.
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names_with_separators_are_quoted() {
        assert_eq!(quoted("base_link-base"), "base_link-base");
        assert_eq!(quoted("a,b\"c"), "\"a,b\"\"c\"");
    }
}
