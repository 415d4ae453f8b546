//! Documentation of generated items.

use std::fmt::Write;

use crate::derive::{Mobility, Quantity, Shape};
use crate::description::Description;
use crate::expr::Operations;

/// The table of coordinates.
pub(super) fn robot(description: &Description, (nq, nv, nu): (usize, usize, usize)) -> String {
    let mut text = format!(
        "Equations of motion: {nq} configuration coordinates, {nv} velocity coordinates, {nu} \
         inputs.\n\n| joint | family | q | v |\n|---|---|---|---|\n"
    );
    let (mut q, mut v) = (0, 0);
    for joint in &description.joints {
        let (nq, nv) = (joint.family.nq(), joint.family.nv());
        if nv == 0 {
            continue;
        }
        let (name, family) = (&joint.name.text, joint.family.keyword());
        if let Some(mimic) = &joint.mimic {
            let leader = &description.joints[mimic.joint].name.text;
            let _ = writeln!(text, "| `{name}` | {family} | follows `{leader}` | |");
            continue;
        }
        let _ = writeln!(text, "| `{name}` | {family} | {} | {} |", range(q, nq), range(v, nv));
        (q, v) = (q + nq, v + nv);
    }
    text.push_str(
        "\nA floating joint has q = [x y z | qx qy qz qw] and v = [linear | angular] in the frame of \
         its child; units are SI and radians.",
    );
    text
}

/// How many rows the constraints have, and what they leave of the motion.
pub(super) fn mobility(description: &Description, mobility: Option<&Mobility>) -> String {
    let rows: Vec<_> = description
        .constraints
        .iter()
        .flat_map(|c| (0..c.law.levels().len()).map(|row| format!("{row} of `{}`", c.name.text)))
        .collect();
    let count = rows.len();
    if count == 0 {
        return String::new();
    }
    let Some(mobility) = mobility else {
        let fields =
            if description.fields.is_empty() { "" } else { " at several values of the fields" };
        return format!(
            "\n\nConstraints have {count} rows. The search for a configuration that satisfies them, and \
             for what they leave of the motion, was not conclusive{fields}."
        );
    };
    let redundant: Vec<_> = mobility.redundant.iter().map(|&k| rows[k].as_str()).collect();
    let remark = match redundant[..] {
        [] => "independent of one another".to_owned(),
        _ => format!("of which depend on those before them: row {}", redundant.join(", row ")),
    };
    let freedoms = mobility.freedoms;
    format!(
        "\n\nConstraints have {count} rows, in general {remark}. They leave {freedoms} degrees of freedom."
    )
}

fn range(first: usize, count: usize) -> String {
    match count {
        1 => first.to_string(),
        _ => format!("{first}–{}", first + count - 1),
    }
}

/// What a quantity is, its shape and what it costs.
pub(super) fn quantity(summary: &str, quantity: Option<&Quantity<'_>>) -> String {
    let Some(quantity) = quantity else {
        return summary.to_owned();
    };
    let shape = match quantity.shape {
        Shape::Number => "One number".to_owned(),
        Shape::Vector(n) => format!("({n})"),
        Shape::Matrix(rows, columns) => format!("({rows}, {columns})"),
    };
    let form = match &quantity.form[..] {
        "" => String::new(),
        form => format!("; {form}"),
    };
    format!("{summary}\n\n{shape}; {}{form}.", operations(&quantity.operations))
}

fn operations(count: &Operations) -> String {
    let parts = [
        (count.additions, "additions"),
        (count.multiplications, "multiplications"),
        (count.divisions, "divisions"),
        (count.roots, "square roots"),
        (count.trigonometric, "sines and cosines"),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    let list = parts.collect::<Vec<_>>().join(", ");
    if list.is_empty() { "no operation".to_owned() } else { list }
}
