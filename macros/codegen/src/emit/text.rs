//! A kernel's body as text.
//!
//! Text that the compiler lexes is several times faster to make than quoted tokens. Statements
//! stand in blocks of at most [`BLOCK`], each of which hands on only what later blocks read: with
//! some thousand variables in one scope and debug information, rustc overflows its stack.

use std::collections::HashMap;
use std::fmt::Write;

use crate::derive::Quantity;
use crate::expr::{Graph, NodeId};

use super::calls::Calls;
use super::program::Program;

/// Statements in one scope.
const BLOCK: usize = 200;

/// Lengths of the slices that a kernel reads.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    /// Number of fields.
    pub fields: usize,
    /// nq.
    pub q: usize,
    /// nv.
    pub v: usize,
}

/// The body of `Kernel::run` for a quantity, in braces.
pub fn kernel_source(graph: &Graph, quantity: &Quantity<'_>, lengths: Lengths) -> String {
    if quantity.outputs.is_empty() {
        return "{}".to_owned();
    }
    let program = Program::new(graph, &quantity.outputs);
    let mut writer = Writer::new(&program);
    let body = writer.body();
    let mut text = String::with_capacity(body.len() + 256);
    text.push_str("{\n");
    prologue(&mut text, &writer, lengths, quantity.outputs.len());
    text.push_str(&body);
    text.push_str("}\n");
    text
}

/// Opens the slices that the body reads as arrays, which removes all bounds checks from it, and
/// names what it calls.
fn prologue(text: &mut String, writer: &Writer<'_, '_>, n: Lengths, outputs: usize) {
    let inputs = [("p", "fields", n.fields), ("q", "q", n.q), ("v", "v", n.v), ("a", "a", n.v)];
    let mut patterns = String::new();
    let mut values = String::new();
    for (set, (name, field, length)) in inputs.into_iter().enumerate() {
        if writer.read[set] {
            let _ = write!(patterns, "Some({name}), ");
            let _ = write!(values, "input.{field}.first_chunk::<{length}>(), ");
        }
    }
    let _ = writeln!(
        text,
        "let ({patterns}Some(o),) = ({values}output.first_chunk_mut::<{outputs}>(),) else {{ return }};"
    );
    text.push_str(&writer.calls.prologue());
}

pub(super) struct Writer<'a, 'g> {
    pub(super) program: &'a Program<'a, 'g>,
    /// Names of values that have one.
    pub(super) names: HashMap<NodeId, String>,
    /// The outputs that each node is, in which of its lanes.
    places: HashMap<NodeId, Vec<(Option<usize>, usize)>>,
    /// Which sets of symbols are read.
    pub(super) read: [bool; 4],
    /// The functions that are called.
    pub(super) calls: Calls,
    count: usize,
}

impl<'a, 'g> Writer<'a, 'g> {
    fn new(program: &'a Program<'a, 'g>) -> Self {
        let mut places: HashMap<NodeId, Vec<(Option<usize>, usize)>> = HashMap::new();
        for (k, output) in program.outputs.iter().enumerate() {
            let (source, lane) = program.source(output.id());
            places.entry(source).or_default().push((lane, k));
        }
        Self {
            program,
            names: HashMap::new(),
            places,
            read: [false; 4],
            calls: Calls::default(),
            count: 0,
        }
    }

    fn body(&mut self) -> String {
        let program = self.program;
        let mut text = String::new();
        for (level, (before, angles)) in program.turns.iter().enumerate() {
            for &id in before {
                self.statement(id, &mut text);
            }
            self.turn(level, angles, &mut text);
        }
        self.blocks(&program.rest, &mut text);
        for (k, output) in program.outputs.iter().enumerate() {
            if program.is_inline(program.source(output.id()).0) {
                let value = self.operand(output.id());
                let _ = writeln!(text, "o[{k}] = {value};");
            }
        }
        text
    }

    /// All sines and cosines of one level in one call.
    fn turn(&mut self, level: usize, angles: &[NodeId], text: &mut String) {
        let list: Vec<String> = angles.iter().map(|&id| self.operand(id)).collect();
        let _ = writeln!(text, "let (s{level}, c{level}) = A::sin_cos([{}]);", list.join(", "));
        let graph = self.program.graph;
        for (place, &angle) in angles.iter().enumerate() {
            let angle = graph.expr(angle);
            for (function, name) in [(angle.sin(), 's'), (angle.cos(), 'c')] {
                self.names.insert(function.id(), format!("{name}{level}[{place}]"));
            }
        }
    }

    /// Statements in blocks; each block returns the values that later ones read.
    fn blocks(&mut self, statements: &[NodeId], text: &mut String) {
        if statements.len() <= BLOCK {
            statements.iter().for_each(|&id| self.statement(id, text));
            return;
        }
        let exported = self.exported(statements);
        for chunk in statements.chunks(BLOCK) {
            let mut inner = String::new();
            chunk.iter().for_each(|&id| self.statement(id, &mut inner));
            let lists = [1, 2, 4].map(|width| {
                let graph = self.program.graph;
                let kept = chunk.iter().filter(|id| exported[id.index()]);
                let kept = kept.filter(|&&id| graph.width(id) == width);
                kept.filter_map(|id| self.names.get(id).map(String::as_str)).collect::<Vec<_>>()
            });
            let lists = lists.into_iter().filter(|list| !list.is_empty());
            let lists: Vec<_> = lists.map(|list| format!("[{}]", list.join(", "))).collect();
            let kept = lists.join(", ");
            let _ = match lists.len() {
                0 => writeln!(text, "{{\n{inner}}}"),
                1 => writeln!(text, "let {kept} = {{\n{inner}{kept}\n}};"),
                _ => writeln!(text, "let ({kept}) = {{\n{inner}({kept})\n}};"),
            };
        }
    }

    /// Which values are read outside the block that makes them: by a later block, or by an output
    /// that is written after the last one, such as a negated value.
    fn exported(&self, statements: &[NodeId]) -> Vec<bool> {
        let block: HashMap<NodeId, usize> =
            statements.iter().enumerate().map(|(k, &id)| (id, k / BLOCK)).collect();
        let mut exported = vec![false; statements.last().map_or(0, |id| id.index() + 1)];
        for &id in statements {
            for read in self.program.reads(id) {
                exported[read.index()] |= block.get(&read).is_some_and(|k| *k != block[&id]);
            }
        }
        let outputs = self.program.outputs.iter().map(|output| output.id());
        let outputs = outputs.map(|id| self.program.source(id).0);
        for id in outputs.filter(|&id| self.program.is_inline(id)) {
            for read in self.program.reads(id) {
                exported[read.index()] = true;
            }
        }
        exported
    }

    fn statement(&mut self, id: NodeId, text: &mut String) {
        let value = self.operation(id);
        let name = format!("t{}", self.count);
        self.count += 1;
        let _ = writeln!(text, "let {name} = {value};");
        let places = self.places.get(&id).map(Vec::as_slice).unwrap_or_default();
        if places.iter().any(|(lane, _)| lane.is_some()) {
            let unpack = self.calls.lanes("unpack", self.program.graph.width(id));
            let _ = writeln!(text, "let l = {unpack}({name});");
        }
        for (lane, k) in places {
            let _ = match lane {
                Some(lane) => writeln!(text, "o[{k}] = l[{lane}];"),
                None => writeln!(text, "o[{k}] = {name};"),
            };
        }
        self.names.insert(id, name);
    }
}
