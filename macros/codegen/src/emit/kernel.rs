//! A kernel's body: its statements, or a call of each part that it is cut into.

use std::fmt::Write;

use crate::derive::Quantity;
use crate::expr::Graph;

use super::parts::Parts;
use super::program::Program;
use super::source::Source;
use super::text::{Lengths, Writer};

/// What stands before the statements of a part.
const PART: &str = "#[inline(always)]
fn run<A: Arithmetic>(
    input: &kernel::Input<'_, A::Scalar>,
    kept: &mut kernel::Workspace<'_, A::Scalar>,
    output: &mut [A::Scalar],
) {";

/// Whether a kernel computes in lanes.
pub(super) fn is_in_lanes(graph: &Graph, quantity: &Quantity<'_>) -> bool {
    let order = graph.reachable(&quantity.outputs);
    !quantity.rounds.is_empty() || order.iter().any(|&id| graph.width(id) > 1)
}

/// The body of `Kernel::run` for a quantity, in braces, and how many numbers its parts hand on.
pub(super) fn kernel_source(
    source: &Source<'_, '_>,
    graph: &Graph,
    quantity: &Quantity<'_>,
    lengths: Lengths,
) -> (String, usize) {
    if quantity.outputs.is_empty() {
        return ("{}".to_owned(), 0);
    }
    let program = Program::new(graph, &quantity.outputs, &quantity.rounds);
    let parts = Parts::new(&program, source.cut);
    let part = |k| Writer::new(&program, &parts).part(k, lengths);
    let count = parts.all.len();
    let runtime = source.runtime;
    if count == 1 {
        let traits = match is_in_lanes(graph, quantity) {
            true => {
                format!("use {runtime}::arithmetic::{{Arithmetic, LaneProgram, Lanes, Varying}};\n")
            }
            false => String::new(),
        };
        return (format!("{{\n{traits}{}}}\n", part(0)), 0);
    }
    let mut text = format!("{{\nuse {runtime}::{{arithmetic::{{Arithmetic, Lanes}}, kernel}};\n");
    for k in 0..count {
        let statements = part(k);
        let _ = writeln!(
            text,
            "enum P{k} {{}}\nimpl kernel::Part for P{k} {{\n{PART}\n{statements}}}\n}}"
        );
    }
    let [_, pairs, quads] = parts.room;
    let (outputs, room) = (quantity.outputs.len(), numbers(parts.room));
    let _ = writeln!(
        text,
        "kernel::run_parts::<A, {outputs}, {room}>(output, [{quads}, {pairs}], |kept, output| {{"
    );
    for k in 0..count {
        let _ = writeln!(text, "kernel::run_part::<P{k}, A>(input, kept, output);");
    }
    text.push_str("});\n}\n");
    (text, room)
}

/// How many numbers the parts hand on to each other.
fn numbers([scalars, pairs, quads]: [usize; 3]) -> usize {
    scalars + 2 * pairs + 4 * quads
}
