//! Recordings as comma-separated values (RFC 4180), one line a sample.
//!
//! | columns | of |
//! |---|---|
//! | `time` | |
//! | `q.<joint>`, `v.<joint>`, `u.<input>` | the state and the actuators |
//! | `gap.<name>`, `force.<name>.x`, `.y`, `.z`, `point.<name>.x`, `.y`, `.z`; `torsion.<name>`; `rolling.<name>.x`, … | each contact, in world axes; its moment about the normal, and that of rolling |
//! | `force.<name>.x`, …, `point.<name>.x`, …; `torsion.<name>`; `rolling.<name>.x`, … | each pair, and each shape on ground laid at run time, whose name is `<shape>_ground`: the sum over its points, and the centre of their normal forces, NaN while nothing presses |
//! | `multiplier.<name>` | each constraint |
//! | `motor.<joint>`, `limit.<joint>`, `dry_friction.<joint>`, `limit.<name>` | forces on coordinates, and of declared limits |
//! | `kinetic_energy`, `potential_energy`, `residual` | |
//!
//! A joint with several coordinates adds their names, such as `q.base.qx`, a constraint with several rows their
//! numbers. What may act but was zero in all samples has no columns: torsion and rolling, pairs and shapes, motors, limits and dry
//! friction. All is in SI units and radians, and reading a number back gives the same bits.

use std::io::{self, Write};

use crate::contact::Touching;
use crate::description::{Chart, Joint};
use crate::model::Model;
use crate::pressing;
use crate::record::{PairForce, Recording, Sample};

use nalgebra::Vector3;

const AXES: [&str; 3] = ["x", "y", "z"];

/// A column's name and what it holds of a sample.
type Column<'a, M> = (String, Box<dyn Fn(&Sample<M>) -> f64 + 'a>);

/// Writes the header and the samples of `recording` to `out`, unbuffered.
///
/// # Errors
///
/// Those of `out`.
pub fn write<M: Model>(recording: &Recording<M>, out: &mut impl Write) -> io::Result<()> {
    let columns = columns(recording.samples());
    line(out, columns.iter().map(|(name, _)| quoted(name)))?;
    for sample in recording.samples() {
        line(out, columns.iter().map(|(_, number)| number(sample).to_string()))?;
    }
    Ok(())
}

fn columns<'a, M: Model + 'a>(samples: &[Sample<M>]) -> Vec<Column<'a, M>> {
    let mut columns = vec![column("time".to_owned(), |sample: &Sample<M>| sample.state.time)];
    let names = M::JOINTS.iter().flat_map(|joint| coordinates("q", joint, joint.nq));
    columns.extend(each(names, |sample: &Sample<M>, k| sample.state.q[k]));
    columns.extend(each(velocities::<M>("v"), |sample: &Sample<M>, k| sample.state.v[k]));
    columns.extend(each(M::INPUTS.iter().map(|of| format!("u.{of}")), |sample: &Sample<M>, k| {
        sample.u[k]
    }));
    columns.extend((0..M::CONTACTS.len()).flat_map(|k| of_contact(samples, k)));
    columns.extend(pressing::all(samples).into_iter().flat_map(|of| of_points(samples, of)));
    columns.extend(each(multipliers::<M>(), |sample: &Sample<M>, k| sample.multipliers[k]));
    let mut forces = Vec::new();
    forces.extend(each(velocities::<M>("motor"), |sample: &Sample<M>, k| sample.motors[k]));
    forces.extend(each(velocities::<M>("limit"), |sample: &Sample<M>, k| sample.limits[k]));
    forces.extend(each(velocities::<M>("dry_friction"), |sample: &Sample<M>, k| {
        sample.dry_friction[k]
    }));
    let limits = M::LIMITS.iter().map(|limit| format!("limit.{}", limit.name));
    forces.extend(each(limits, |sample: &Sample<M>, k| sample.declared_limits[k]));
    columns.extend(forces.into_iter().filter(|(_, number)| acts(samples, number)));
    columns.extend([
        column("kinetic_energy".to_owned(), |sample| sample.kinetic_energy),
        column("potential_energy".to_owned(), |sample| sample.potential_energy),
        column("residual".to_owned(), |sample| sample.residual.max()),
    ]);
    columns
}

fn column<'a, M: Model>(name: String, number: impl Fn(&Sample<M>) -> f64 + 'a) -> Column<'a, M> {
    (name, Box::new(number))
}

/// A column for each name, with its place among them.
fn each<'a, M: Model + 'a>(
    names: impl Iterator<Item = String>,
    number: fn(&Sample<M>, usize) -> f64,
) -> impl Iterator<Item = Column<'a, M>> {
    names.enumerate().map(move |(k, name)| column(name, move |sample| number(sample, k)))
}

/// Whether it is more than zero somewhere.
fn acts<M: Model>(samples: &[Sample<M>], number: &dyn Fn(&Sample<M>) -> f64) -> bool {
    samples.iter().any(|sample| number(sample) != 0.0)
}

/// These columns, or none of them if all their numbers are zero.
fn acting<'a, M: Model + 'a>(
    samples: &[Sample<M>],
    of: impl Iterator<Item = Column<'a, M>>,
) -> Vec<Column<'a, M>> {
    let all: Vec<_> = of.collect();
    if all.iter().any(|(_, number)| acts(samples, number)) { all } else { Vec::new() }
}

fn of_contact<'a, M: Model + 'a>(samples: &[Sample<M>], k: usize) -> Vec<Column<'a, M>> {
    let name = M::CONTACTS[k].name;
    let mut columns = vec![column(format!("gap.{name}"), move |sample: &Sample<M>| sample.gaps[k])];
    columns.extend(vector(format!("force.{name}"), move |sample: &Sample<M>| sample.forces[k]));
    columns.extend(vector(format!("point.{name}"), move |sample: &Sample<M>| sample.points[k]));
    let torsion = column(format!("torsion.{name}"), move |sample| sample.torsions[k]);
    columns.extend(acting(samples, [torsion].into_iter()));
    let rolling = vector(format!("rolling.{name}"), move |sample: &Sample<M>| sample.rollings[k]);
    columns.extend(acting(samples, rolling));
    columns
}

/// Along x, y and z.
fn vector<'a, M: Model + 'a>(
    name: String,
    value: impl Fn(&Sample<M>) -> Vector3<f64> + Copy + 'a,
) -> impl Iterator<Item = Column<'a, M>> {
    let axes = AXES.iter().enumerate();
    axes.map(move |(k, axis)| column(format!("{name}.{axis}"), move |sample| value(sample)[k]))
}

fn of_points<'a, M: Model + 'a>(samples: &[Sample<M>], of: Touching) -> Vec<Column<'a, M>> {
    let name = pressing::name::<M>(of);
    let force =
        move |sample: &Sample<M>| pressing::points(sample, of).map(|point| point.force).sum();
    let center = move |sample: &Sample<M>| {
        let weighted = |point: &PairForce| point.point * point.normal_force();
        let whole: f64 = pressing::points(sample, of).map(PairForce::normal_force).sum();
        pressing::points(sample, of).map(weighted).sum::<Vector3<f64>>() / whole
    };
    let mut columns: Vec<_> = vector(format!("force.{name}"), force).collect();
    columns.extend(vector(format!("point.{name}"), center));
    let torsion = column(format!("torsion.{name}"), move |sample| {
        pressing::points(sample, of).map(|point| point.torsion).sum()
    });
    columns.extend(acting(samples, [torsion].into_iter()));
    let rolling =
        move |sample: &Sample<M>| pressing::points(sample, of).map(|point| point.rolling).sum();
    columns.extend(acting(samples, vector(format!("rolling.{name}"), rolling)));
    columns
}

fn multipliers<M: Model>() -> impl Iterator<Item = String> {
    M::CONSTRAINTS.iter().flat_map(|constraint| match constraint.levels.len() {
        1 => vec![format!("multiplier.{}", constraint.name)],
        rows => (0..rows).map(|k| format!("multiplier.{}.{k}", constraint.name)).collect(),
    })
}

/// Names of what is one number for each velocity coordinate.
fn velocities<M: Model>(kind: &str) -> impl Iterator<Item = String> {
    M::JOINTS.iter().flat_map(move |joint| coordinates(kind, joint, joint.nv))
}

/// Names of a joint's `count` configuration (`q`) or velocity coordinates.
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
