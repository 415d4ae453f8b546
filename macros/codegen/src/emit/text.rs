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
use super::lane_program::LaneProgram;
use super::program::Program;
use super::stretch::Stretch;

/// Statements in one scope.
const BLOCK: usize = 200;

/// Outputs of which most are zero, and at least so many, are filled with zeros at first: one call in
/// the place of as many stores.
const SPARSE: usize = 256;

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
    if writer.sparse {
        text.push_str("o.fill(A::literal(0.0));\n");
    }
}

/// Outputs, and in which lane of a value each is.
pub(super) type Places = Vec<(Option<usize>, usize)>;

pub(super) struct Writer<'a, 'g> {
    pub(super) program: &'a Program<'a, 'g>,
    /// Names of values that have one.
    pub(super) names: HashMap<NodeId, String>,
    /// The outputs that each node is, in which of its lanes.
    pub(super) places: HashMap<NodeId, Places>,
    /// How far the value of each statement is read.
    pub(super) reach: Vec<Reach>,
    /// The lane program that is being written.
    pub(super) within: Option<LaneProgram>,
    /// Which sets of symbols are read.
    pub(super) read: [bool; 4],
    /// The functions that are called.
    pub(super) calls: Calls,
    /// Whether most outputs are zero, and are not written one by one.
    sparse: bool,
    count: usize,
}

/// Where the value of a statement is read, beyond its own block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    /// In another block of its stretch.
    block: bool,
    /// In another stretch, or by an output that is written after the last one, such as a negated
    /// value.
    pub(super) stretch: bool,
}

impl<'a, 'g> Writer<'a, 'g> {
    fn new(program: &'a Program<'a, 'g>) -> Self {
        let mut places: HashMap<NodeId, Places> = HashMap::new();
        for (k, output) in program.outputs.iter().enumerate() {
            let (source, lane) = program.source(output.id());
            places.entry(source).or_default().push((lane, k));
        }
        let zeros = program.outputs.iter().filter(|output| output.is_zero()).count();
        Self {
            program,
            names: HashMap::new(),
            places,
            reach: reach(program),
            within: None,
            read: [false; 4],
            calls: Calls::default(),
            sparse: zeros >= SPARSE && 2 * zeros > program.outputs.len(),
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
        for (k, stretch) in program.stretches.iter().enumerate() {
            match stretch.lanes {
                1 => self.blocks(&stretch.statements, &mut text),
                _ => self.lane_program(k, stretch, &mut text),
            }
        }
        for (k, output) in program.outputs.iter().enumerate() {
            let source = program.source(output.id()).0;
            if program.is_inline(source) && !(self.sparse && output.is_zero()) {
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
    pub(super) fn blocks(&mut self, statements: &[NodeId], text: &mut String) {
        if statements.len() <= BLOCK {
            statements.iter().for_each(|&id| self.statement(id, text));
            return;
        }
        let leaves = |reach: Reach, within: bool| reach.block || (reach.stretch && !within);
        let within = self.within.is_some();
        for chunk in statements.chunks(BLOCK) {
            let mut inner = String::new();
            chunk.iter().for_each(|&id| self.statement(id, &mut inner));
            let lists = [1, 2, 4].map(|width| {
                let graph = self.program.graph;
                let kept = chunk.iter().filter(|id| leaves(self.reach[id.index()], within));
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

    fn statement(&mut self, id: NodeId, text: &mut String) {
        let value = self.operation(id);
        let name = format!("t{}", self.count);
        self.count += 1;
        let _ = writeln!(text, "let {name} = {value};");
        match self.within {
            Some(_) => self.deliver(id, &name, text),
            None => {
                let places = self.places.get(&id).cloned().unwrap_or_default();
                self.outputs(id, &name, &places, text);
            }
        }
        self.names.insert(id, name);
    }

    /// Writes a value to the outputs that it is.
    pub(super) fn outputs(
        &mut self,
        id: NodeId,
        name: &str,
        places: &[(Option<usize>, usize)],
        text: &mut String,
    ) {
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
    }
}

/// Where the values of all statements are read.
fn reach(program: &Program<'_, '_>) -> Vec<Reach> {
    let mut reach = vec![Reach::default(); program.graph.len()];
    let place = |(stretch, within): (usize, &Stretch)| {
        let statements = within.statements.iter().enumerate();
        statements.map(move |(k, &id)| (id, (stretch, k / BLOCK))).collect::<Vec<_>>()
    };
    let places: HashMap<NodeId, (usize, usize)> =
        program.stretches.iter().enumerate().flat_map(place).collect();
    for (&id, &(stretch, block)) in &places {
        for read in program.reads(id) {
            let Some(&(from, its)) = places.get(&read) else { continue };
            reach[read.index()].block |= from == stretch && its != block;
            reach[read.index()].stretch |= from != stretch;
        }
    }
    let outputs = program.outputs.iter().map(|output| program.source(output.id()).0);
    for id in outputs.filter(|&id| program.is_inline(id)) {
        program.reads(id).iter().for_each(|read| reach[read.index()].stretch = true);
    }
    reach
}
