//! A kernel's body as text.
//!
//! Text that the compiler lexes is several times faster to make than quoted tokens. Statements
//! stand in blocks of at most [`BLOCK`], each of which hands on only what later blocks read: with
//! some thousand variables in one scope and debug information, rustc overflows its stack.

use std::collections::HashMap;
use std::fmt::Write;

use crate::derive::{Quantity, symbols};
use crate::expr::{Graph, Node, NodeId};

use super::program::{Form, Program};

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
    if writer.fuses {
        text.push_str("let f = A::mul_add;\n");
    }
    if writer.has_literals || writer.sparse {
        text.push_str("let k = A::literal;\n");
    }
    if writer.sparse {
        text.push_str("o.fill(k(0.0));\n");
    }
}

struct Writer<'a, 'g> {
    program: &'a Program<'a, 'g>,
    /// Names of values that have one.
    names: HashMap<NodeId, String>,
    /// The outputs that each node is.
    places: HashMap<NodeId, Vec<usize>>,
    /// Which sets of symbols are read.
    read: [bool; 4],
    /// Whether some operation is a multiply-add.
    fuses: bool,
    /// Whether some operand is a constant.
    has_literals: bool,
    /// Whether most outputs are zero, and are not written one by one.
    sparse: bool,
    count: usize,
}

impl<'a, 'g> Writer<'a, 'g> {
    fn new(program: &'a Program<'a, 'g>) -> Self {
        let mut places: HashMap<NodeId, Vec<usize>> = HashMap::new();
        for (k, output) in program.outputs.iter().enumerate() {
            places.entry(output.id()).or_default().push(k);
        }
        let zeros = program.outputs.iter().filter(|output| output.is_zero()).count();
        Self {
            program,
            names: HashMap::new(),
            places,
            read: [false; 4],
            fuses: false,
            has_literals: false,
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
        self.blocks(&program.rest, &mut text);
        for (k, output) in program.outputs.iter().enumerate() {
            if program.is_inline(output.id()) && !(self.sparse && output.is_zero()) {
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
            let kept: Vec<&str> = chunk
                .iter()
                .filter(|id| exported[id.index()])
                .filter_map(|id| self.names.get(id).map(String::as_str))
                .collect();
            let list = kept.join(", ");
            if kept.is_empty() {
                let _ = writeln!(text, "{{\n{inner}}}");
            } else {
                let _ = writeln!(text, "let [{list}] = {{\n{inner}[{list}]\n}};");
            }
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
        for k in self.places.get(&id).into_iter().flatten() {
            let _ = writeln!(text, "o[{k}] = {name};");
        }
        self.names.insert(id, name);
    }

    fn operation(&mut self, id: NodeId) -> String {
        let form = self.program.form(id);
        match self.program.graph.node(id) {
            Node::Add(a, b) => match form {
                Form::FusedFirst => self.fused(a, "", b, ""),
                Form::FusedSecond => self.fused(b, "", a, ""),
                _ => format!("{} + {}", self.operand(a), self.operand(b)),
            },
            Node::Sub(a, b) => match form {
                Form::FusedFirst => self.fused(a, "", b, "-"),
                Form::FusedSecond => self.fused(b, "-", a, ""),
                _ => format!("{} - {}", self.operand(a), self.operand(b)),
            },
            Node::Mul(a, b) => format!("{} * {}", self.operand(a), self.operand(b)),
            Node::Div(a, b) => format!("{} / {}", self.operand(a), self.operand(b)),
            Node::Sqrt(a) => format!("A::sqrt({})", self.operand(a)),
            Node::Constant(_) | Node::Symbol(_) | Node::Neg(_) | Node::Sin(_) | Node::Cos(_) => {
                self.operand(id)
            }
        }
    }

    /// ±product ± term as one multiply-add.
    fn fused(&mut self, product: NodeId, sign: &str, term: NodeId, term_sign: &str) -> String {
        let Node::Mul(x, y) = self.program.graph.node(product) else {
            return self.operand(product);
        };
        self.fuses = true;
        let (x, y, term) = (self.operand(x), self.operand(y), self.operand(term));
        format!("f({sign}{x}, {y}, {term_sign}{term})")
    }

    fn operand(&mut self, id: NodeId) -> String {
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        match self.program.graph.node(id) {
            Node::Constant(bits) => {
                self.has_literals = true;
                literal(f64::from_bits(bits))
            }
            Node::Symbol(symbol) => {
                self.read[usize::from(symbol.set)] = true;
                let name = match symbol.set {
                    symbols::FIELD => "p",
                    symbols::Q => "q",
                    symbols::V => "v",
                    _ => "a",
                };
                format!("{name}[{}]", symbol.index)
            }
            Node::Neg(a) => format!("(-{})", self.operand(a)),
            Node::Sqrt(_) => self.operation(id),
            _ if matches!(self.program.form(id), Form::FusedFirst | Form::FusedSecond) => {
                self.operation(id)
            }
            _ => format!("({})", self.operation(id)),
        }
    }
}

fn literal(x: f64) -> String {
    if x.is_infinite() {
        return format!("k({}f64::INFINITY)", if x < 0.0 { "-" } else { "" });
    }
    if x.is_nan() {
        return "k(f64::NAN)".to_owned();
    }
    format!("k({x:?})")
}
