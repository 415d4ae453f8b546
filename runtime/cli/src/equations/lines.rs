//! The graph's own form: straight lines, in which everything that is used twice has a name.

use std::collections::HashMap;

use jourdain_codegen::derive::symbols;
use jourdain_codegen::expr::{Expr, Graph, Node, NodeId};

use super::angle::Angle;
use super::formula::{Definition, Formula, Function, Name, Variable};

/// Longer formulas are cut where something in them is as long as that.
const LONG: usize = 24;

/// What is called by nothing but a number.
const LETTER: &str = "x";

/// Definitions, and formulas in terms of them, of `outputs`; there are so many coordinates.
pub(crate) fn lines(
    graph: &Graph,
    outputs: &[Expr<'_>],
    coordinates: usize,
) -> (Vec<Definition>, Vec<Formula>) {
    let mut lines =
        Lines { graph, coordinates, definitions: Vec::new(), values: HashMap::new(), letters: 0 };
    let order = graph.reachable(outputs);
    let uses = uses(graph, &order, outputs);
    for &id in &order {
        let value = lines.operation(id);
        let value = lines.named(id, value, uses[&id]);
        lines.values.insert(id, value);
    }
    let formulas =
        outputs.iter().map(|output| lines.values[&output.id()].clone().positive_first()).collect();
    needed(lines.definitions, formulas)
}

/// Without what is defined and cancels; names that are numbers follow each other.
fn needed(
    definitions: Vec<Definition>,
    mut formulas: Vec<Formula>,
) -> (Vec<Definition>, Vec<Formula>) {
    let mut is_needed = vec![false; definitions.len()];
    let mark = |formula: &Formula, is_needed: &mut Vec<bool>| {
        let mut variables = Vec::new();
        formula.variables(&mut variables);
        for variable in variables {
            if let Variable::Defined(k) = variable {
                is_needed[k] = true;
            }
        }
    };
    formulas.iter().for_each(|formula| mark(formula, &mut is_needed));
    for (k, definition) in definitions.iter().enumerate().rev() {
        if is_needed[k] {
            mark(&definition.value, &mut is_needed);
        }
    }
    let mut places = vec![0; definitions.len()];
    let mut kept: Vec<Definition> = Vec::new();
    let mut letters = 0;
    for (k, mut definition) in definitions.into_iter().enumerate().filter(|(k, _)| is_needed[*k]) {
        places[k] = kept.len();
        if definition.name.letter == LETTER {
            letters += 1;
            definition.name.index = letters.to_string();
        }
        definition.value.for_each_variable(&|variable| redirect(variable, &places));
        kept.push(definition);
    }
    formulas
        .iter_mut()
        .for_each(|formula| formula.for_each_variable(&|variable| redirect(variable, &places)));
    (kept, formulas)
}

fn redirect(variable: &mut Variable, places: &[usize]) {
    if let Variable::Defined(k) = variable {
        *k = places[*k];
    }
}

/// How often each node is written, changes of sign aside.
fn uses(graph: &Graph, order: &[NodeId], outputs: &[Expr<'_>]) -> HashMap<NodeId, usize> {
    let mut uses: HashMap<NodeId, usize> = order.iter().map(|&id| (id, 0)).collect();
    let mut count = |id: NodeId, by: usize| {
        if let Some(uses) = uses.get_mut(&id) {
            *uses += by;
        }
    };
    outputs.iter().for_each(|output| count(output.id(), 1));
    order.iter().flat_map(|&id| graph.node(id).operands()).for_each(|id| count(id, 1));
    for &id in order.iter().rev() {
        if let Node::Neg(a) = graph.node(id) {
            let more = uses.get(&id).copied().unwrap_or(1) - 1;
            if let Some(uses) = uses.get_mut(&a) {
                *uses += more;
            }
        }
    }
    uses
}

struct Lines<'g> {
    graph: &'g Graph,
    coordinates: usize,
    definitions: Vec<Definition>,
    /// What is written for each node.
    values: HashMap<NodeId, Formula>,
    /// How many names were given that say nothing.
    letters: usize,
}

impl Lines<'_> {
    fn operation(&self, id: NodeId) -> Formula {
        let of = |id: NodeId| self.values[&id].clone();
        let function = |function, a| Formula::Function(function, Box::new(of(a)));
        match self.graph.node(id) {
            Node::Constant(bits) => Formula::number(f64::from_bits(bits)),
            Node::Symbol(symbol) => Formula::Variable(symbol.into()),
            Node::Add(a, b) => of(a).plus(of(b)),
            Node::Sub(a, b) => of(a).plus(of(b).negated_terms()),
            Node::Mul(a, b) => match (of(a), of(b)) {
                (Formula::Negative(a), b) => a.times(b).negated(),
                (a, Formula::Negative(b)) => a.times(*b).negated(),
                // Factors as they are usually written, numbers first.
                (a, b @ Formula::Number(_)) => b.times(a),
                (a, b) => a.times(b),
            },
            Node::Div(a, b) => Formula::Quotient(Box::new(of(a)), Box::new(of(b))),
            Node::Neg(a) => of(a).negated(),
            Node::Sin(a) => function(Function::Sin, a),
            Node::Cos(a) => function(Function::Cos, a),
            Node::Sqrt(a) => function(Function::Sqrt, a),
            // Forms without lanes are asked for.
            Node::Pair(_) | Node::Quad(_) | Node::Lane(..) | Node::Sum(_) => {
                Formula::Number(f64::NAN)
            }
        }
    }

    /// The formula of a node, or a name for it where it is used again, or long.
    fn named(&mut self, id: NodeId, value: Formula, uses: usize) -> Formula {
        let name = match (self.graph.node(id), &value) {
            (_, Formula::Number(_) | Formula::Variable(_) | Formula::Negative(_)) => return value,
            (Node::Sin(a), _) => self.angle(a).and_then(|angle| angle.name("s", self.coordinates)),
            (Node::Cos(a), _) => self.angle(a).and_then(|angle| angle.name("c", self.coordinates)),
            _ if uses < 2 && value.length() < LONG => return value,
            _ => None,
        };
        if let Some(name) = &name
            && let Some(place) = self.definitions.iter().position(|known| known.name == *name)
        {
            return Formula::Variable(Variable::Defined(place));
        }
        let name = name.unwrap_or_else(|| {
            self.letters += 1;
            Name { letter: LETTER.to_owned(), index: self.letters.to_string() }
        });
        self.definitions.push(Definition { name, value: value.positive_first() });
        Formula::Variable(Variable::Defined(self.definitions.len() - 1))
    }

    /// The node as an angle in terms of coordinates.
    fn angle(&self, id: NodeId) -> Option<Angle> {
        angle(self.graph, id, 1.0).filter(|angle| !angle.terms.is_empty())
    }
}

/// `factor` times a node as Σ k q + c.
pub(crate) fn angle(graph: &Graph, id: NodeId, factor: f64) -> Option<Angle> {
    let value = |id: NodeId| graph.expr(id).value();
    let (mut first, second) = match graph.node(id) {
        Node::Constant(bits) => {
            let offset = factor * f64::from_bits(bits);
            return Some(Angle { terms: Vec::new(), offset });
        }
        Node::Symbol(symbol) if symbol.set == symbols::Q => {
            let whole = factor.round();
            let is_whole = whole == factor && whole.abs() < 1e6;
            let terms = vec![(symbol.index as usize, whole as i32)];
            return is_whole.then_some(Angle { terms, offset: 0.0 });
        }
        Node::Neg(a) => return angle(graph, a, -factor),
        Node::Mul(a, b) => {
            return match (value(a), value(b)) {
                (Some(k), _) => angle(graph, b, k * factor),
                (_, Some(k)) => angle(graph, a, k * factor),
                _ => None,
            };
        }
        Node::Add(a, b) => (angle(graph, a, factor)?, angle(graph, b, factor)?),
        Node::Sub(a, b) => (angle(graph, a, factor)?, angle(graph, b, -factor)?),
        _ => return None,
    };
    for (q, k) in second.terms {
        match first.terms.iter_mut().find(|term| term.0 == q) {
            Some(term) => term.1 += k,
            None => first.terms.push((q, k)),
        }
    }
    first.terms.retain(|term| term.1 != 0);
    first.terms.sort_unstable();
    first.offset += second.offset;
    Some(first)
}
