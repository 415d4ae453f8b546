//! The statements of a kernel, or of a part of one, as text.
//!
//! Text that the compiler lexes is several times faster to make than quoted tokens. Statements
//! stand in blocks of at most [`BLOCK`], each of which hands on only what later blocks read: with
//! some thousand variables in one scope and debug information, rustc overflows its stack.

mod kept;
mod lanes;
mod loops;
mod outputs;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use crate::expr::NodeId;

use super::calls::Calls;
use super::captures::Captures;
use super::parts::{Part, Parts};
use super::program::Program;

/// Statements in one scope.
const BLOCK: usize = 200;

/// Angles whose sines and cosines one call finds: three registers of four, so that lanes stay side by side. Of more angles the
/// compiler makes a loop, with an array of them in memory that it writes as registers of 512 bits where there are such: the
/// steps of a humanoid, of 28 angles, took a fifteenth longer.
const ANGLES: usize = 12;

/// Outputs of which most are zero, and at least so many, are filled with zeros at first: one call in
/// the place of as many stores.
const SPARSE: usize = 256;

/// What a kernel is given, by the set of symbols: its name in the kernel, and the field of the input.
pub(super) const GIVEN: [(&str, &str); 7] = [
    ("p", "fields"),
    ("q", "q"),
    ("v", "v"),
    ("a", "a"),
    ("t", "t"),
    ("s", "holds"),
    ("g", "asked"),
];

/// Lengths of the slices that a kernel reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    /// Number of fields.
    pub(super) fields: usize,
    /// nq.
    pub(super) q: usize,
    /// nv.
    pub(super) v: usize,
    /// Of what says which rows hold.
    pub(super) holds: usize,
    /// Of what they are asked for.
    pub(super) asked: usize,
}

pub(super) struct Writer<'a, 'g> {
    pub(super) program: &'a Program<'a, 'g>,
    parts: &'a Parts<'a>,
    /// Names of values that have one.
    pub(super) names: HashMap<NodeId, String>,
    /// How far the value of each statement is read.
    pub(super) reach: Vec<Reach>,
    /// The lane program that is being written.
    pub(super) within: Option<Captures>,
    /// Which sets of symbols are read.
    pub(super) read: [bool; 7],
    /// Which sets of kept values are used.
    keeps: [bool; 3],
    /// The functions that are called.
    pub(super) calls: Calls,
    /// The array that outputs are written to.
    pub(super) to: &'static str,
    /// Whether most outputs are zero, and are not written one by one.
    sparse: bool,
    /// Whether outputs that are lanes of values, but not one after the other, are written at last.
    writes_scattered: bool,
    /// Those so far: by output, the value and the lane.
    scattered: BTreeMap<usize, (NodeId, usize)>,
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
    pub(super) fn new(program: &'a Program<'a, 'g>, parts: &'a Parts<'a>) -> Self {
        let scattered = if parts.are_many() { Vec::new() } else { lanes::scattered(program) };
        let zeros = program.outputs.iter().filter(|output| output.is_zero()).count();
        Self {
            program,
            parts,
            names: HashMap::new(),
            reach: reach(program, &scattered),
            within: None,
            read: [false; 7],
            keeps: [false; 3],
            calls: Calls::default(),
            to: "o",
            sparse: zeros >= SPARSE && 2 * zeros > program.outputs.len(),
            writes_scattered: !scattered.is_empty(),
            scattered: BTreeMap::new(),
            count: 0,
        }
    }

    /// A part: the arrays and functions that it uses, then its statements.
    pub(super) fn part(mut self, part: usize, lengths: Lengths) -> String {
        let parts = self.parts;
        let mut body = String::new();
        match parts.all[part] {
            Part::Whole => {
                self.turns(&mut body);
                self.all_rounds(true, &mut body);
                self.stretches(&mut body);
                self.all_rounds(false, &mut body);
            }
            Part::Statements { these, are_first } => {
                if are_first {
                    self.turns(&mut body);
                }
                these.iter().for_each(|&id| self.statement(id, &mut body));
            }
            Part::Rounds(k) => self.rounds(k, &mut body),
        }
        if part + 1 == parts.all.len() {
            self.inline_outputs(&mut body);
            self.scattered_outputs(&mut body);
        }
        let mut text = self.prologue(lengths);
        if self.sparse && part == 0 {
            text.push_str("o.fill(A::literal(0.0));\n");
        }
        text.push_str(&body);
        text
    }

    /// Sines and cosines, and what precedes them.
    fn turns(&mut self, text: &mut String) {
        for (level, (before, angles)) in self.program.turns.iter().enumerate() {
            for &id in before {
                self.statement(id, text);
            }
            self.turn(level, angles, text);
        }
    }

    /// The statements of a kernel that is whole.
    fn stretches(&mut self, text: &mut String) {
        for (k, stretch) in self.program.stretches.iter().enumerate() {
            match stretch.lanes {
                1 => self.blocks(&stretch.statements, text),
                _ => self.lane_program(k, stretch, text),
            }
        }
    }

    /// Opens the slices that the body reads as arrays, which removes all bounds checks from it, and
    /// names what it calls.
    fn prologue(&self, n: Lengths) -> String {
        let lengths = [n.fields, n.q, n.v, n.v, 1, n.holds, n.asked];
        let kept = [("w", "scalars"), ("w2", "pairs"), ("w4", "quads")];
        let mut patterns = String::new();
        let mut values = String::new();
        for (set, ((name, field), length)) in GIVEN.into_iter().zip(lengths).enumerate() {
            if self.read[set] {
                let _ = write!(patterns, "Some({name}), ");
                let _ = write!(values, "input.{field}.first_chunk::<{length}>(), ");
            }
        }
        for (set, (name, field)) in kept.into_iter().enumerate() {
            if self.keeps[set] {
                let room = self.parts.room[set];
                let _ = write!(patterns, "Some({name}), ");
                let _ = write!(values, "kept.{field}.first_chunk_mut::<{room}>(), ");
            }
        }
        let outputs = self.program.outputs.len();
        format!(
            "let ({patterns}Some(o),) = ({values}output.first_chunk_mut::<{outputs}>(),) else {{ return }};\n{}",
            self.calls.prologue()
        )
    }

    /// All sines and cosines of one level.
    fn turn(&mut self, level: usize, angles: &[NodeId], text: &mut String) {
        for (call, of_call) in angles.chunks(ANGLES).enumerate() {
            let list: Vec<String> = of_call.iter().map(|&id| self.operand(id)).collect();
            let (sines, cosines) = (format!("s{level}_{call}"), format!("c{level}_{call}"));
            let _ = writeln!(text, "let ({sines}, {cosines}) = A::sin_cos([{}]);", list.join(", "));
            for (place, &angle) in of_call.iter().enumerate() {
                let angle = self.program.graph.expr(angle);
                for (function, of) in [(angle.sin(), &sines), (angle.cos(), &cosines)] {
                    let name = format!("{of}[{place}]");
                    self.keep(function.id(), &name, text);
                    self.names.insert(function.id(), name);
                }
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
        if self.parts.are_many() {
            self.load(&self.program.reads(id), text);
        }
        let value = self.operation(id);
        let name = format!("t{}", self.count);
        self.count += 1;
        let _ = writeln!(text, "let {name} = {value};");
        match self.within {
            Some(_) => self.deliver(id, &name, text),
            None => {
                let places = self.program.places.get(&id).map_or(&[][..], Vec::as_slice);
                self.outputs(id, &name, places, text);
            }
        }
        self.keep(id, &name, text);
        self.names.insert(id, name);
    }
}

/// Where the values of all statements are read, of which outputs that are `scattered` read some at last.
fn reach(program: &Program<'_, '_>, scattered: &[NodeId]) -> Vec<Reach> {
    let mut reach = vec![Reach::default(); program.graph.len()];
    let place = |(stretch, statements): (usize, &Vec<NodeId>)| {
        let statements = statements.iter().enumerate();
        statements.map(move |(k, &id)| (id, (stretch, k / BLOCK))).collect::<Vec<_>>()
    };
    let stretches = program.stretches.iter().map(|stretch| &stretch.statements);
    let stretches = stretches.chain(program.rounds.iter().map(|of| &of.statements));
    let places: HashMap<NodeId, (usize, usize)> = stretches.enumerate().flat_map(place).collect();
    for (&id, &(stretch, block)) in &places {
        for read in program.reads(id) {
            let Some(&(from, its)) = places.get(&read) else { continue };
            reach[read.index()].block |= from == stretch && its != block;
            reach[read.index()].stretch |= from != stretch;
        }
    }
    let mut read_at_last = program.read_by_outputs();
    for of in &program.rounds {
        read_at_last.extend(program.read_by_rounds(of));
        read_at_last.extend(program.read_after(of));
    }
    read_at_last.iter().chain(scattered).for_each(|read| reach[read.index()].stretch = true);
    reach
}
