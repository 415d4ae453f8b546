//! A stretch that is alike in all lanes, as a lane program of its own.
//!
//! It is a function of uniform and varying numbers that are computed before, and it is generic over the
//! way in which the arithmetic goes through the lanes. What it reads is found while it is written.

use std::collections::HashMap;
use std::fmt::Write;
use std::mem::{replace, take};

use crate::expr::{Node, NodeId};

use super::calls::{Calls, number};
use super::captures::Captures;
use super::program::{Places, is_literal};
use super::stretch::Stretch;
use super::text::Writer;

impl Writer<'_, '_> {
    /// Writes a stretch as a lane program, and its call.
    pub(super) fn lane_program(&mut self, index: usize, stretch: &Stretch, text: &mut String) {
        let names = take(&mut self.names);
        let calls = replace(&mut self.calls, Calls::varying());
        self.within = Some(Captures { lanes: stretch.lanes, ..Captures::default() });
        let mut body = String::new();
        self.blocks(&stretch.statements, &mut body);
        self.names = names;
        let program = self.within.take().unwrap_or_default();
        let values = self.values(&program);
        let prologue = replace(&mut self.calls, calls).prologue();
        let (lanes, outputs) = (program.lanes, self.program.outputs.len());
        let [reads, own, results] =
            [program.uniform.len(), program.varying.len(), program.results.len()];
        let _ = writeln!(
            text,
            "enum L{index} {{}}
impl<A: Arithmetic> LaneProgram<A, {lanes}, {reads}, {own}, {results}, {outputs}> for L{index} {{
#[inline(always)]
fn run<V: Varying<A, {lanes}>>(lane: V::Lane, u: &[A::Scalar; {reads}], w: &[V::All; {own}], \
r: &mut [V::All; {results}], o: &mut [A::Scalar; {outputs}]) {{
{prologue}{values}{body}}}
}}"
        );
        self.call(index, &program, text);
    }

    /// Statements that name all that the program reads, each once: a call in every place where it is
    /// read would take the compiler longer.
    fn values(&mut self, program: &Captures) -> String {
        let lanes = program.lanes;
        let mut text = String::new();
        for k in 0..program.uniform.len() {
            let _ = writeln!(text, "let u{k} = {}(u[{k}]);", self.calls.lanes("splat", lanes));
        }
        for k in 0..program.varying.len() {
            let _ =
                writeln!(text, "let w{k} = {}(lane, &w[{k}]);", self.calls.lanes("load", lanes));
        }
        for (k, &id) in program.constants.iter().enumerate() {
            let value = self.constant(id, lanes);
            let _ = writeln!(text, "let k{k} = {value};");
        }
        text
    }

    /// A constant in all lanes.
    fn constant(&mut self, id: NodeId, lanes: usize) -> String {
        let graph = self.program.graph;
        match graph.node(id).packed() {
            None => {
                let x = graph.expr(id).value().unwrap_or(f64::NAN);
                format!("{}({})", self.calls.lanes("splat", lanes), self.calls.literal(x))
            }
            Some(of_lane) => {
                let numbers = of_lane.iter().filter_map(|&id| graph.expr(id).value().map(number));
                let list = numbers.collect::<Vec<_>>().join(", ");
                format!("{}(lane, &[{list}])", self.calls.lanes("literal", lanes))
            }
        }
    }

    fn call(&mut self, index: usize, program: &Captures, text: &mut String) {
        let mut list =
            |ids: &[NodeId]| ids.iter().map(|&id| self.operand(id)).collect::<Vec<_>>().join(", ");
        let (uniform, varying) = (list(&program.uniform), list(&program.varying));
        let function = if program.lanes == 2 { "pairs" } else { "quads" };
        let _ = writeln!(
            text,
            "let r{index} = A::{function}::<L{index}, _, _, _, _>(&[{uniform}], &[{varying}], o);"
        );
        for (k, &id) in program.results.iter().enumerate() {
            let name = format!("r{index}[{k}]");
            let places =
                self.program.places.get(&id).map(|places| self.in_groups(places, program.lanes).1);
            self.outputs(id, &name, &places.unwrap_or_default(), text);
            self.names.insert(id, name);
        }
    }

    /// Hands on the value of a statement of a lane program.
    pub(super) fn deliver(&mut self, id: NodeId, name: &str, text: &mut String) {
        let lanes = self.program.graph.width(id);
        let places = self.program.places.get(&id).map(|places| self.in_groups(places, lanes));
        let (groups, others) = places.unwrap_or_default();
        for group in groups {
            let is_row = group.windows(2).all(|pair| pair[1] == pair[0] + 1);
            let _ = if is_row {
                let put = self.calls.lanes("put", lanes);
                writeln!(text, "{put}(lane, {name}, o, {});", group[0])
            } else {
                let write = self.calls.lanes("write", lanes);
                writeln!(text, "{write}(lane, {name}, o, &{group:?});")
            };
        }
        if self.reach[id.index()].stretch || !others.is_empty() {
            let keep = self.calls.lanes("keep", lanes);
            let Some(within) = &mut self.within else { return };
            let _ = writeln!(text, "{keep}(lane, {name}, &mut r[{}]);", within.results.len());
            within.results.push(id);
        }
    }

    /// The outputs that are in all lanes, by the place of each, and the others, which are not written by the program.
    fn in_groups(
        &self,
        places: &[(Option<usize>, usize)],
        lanes: usize,
    ) -> (Vec<Vec<usize>>, Places) {
        if self.writes_at_last(places, lanes) {
            return (Vec::new(), places.to_vec());
        }
        let mut of_lane: HashMap<usize, Vec<usize>> = HashMap::new();
        for &(lane, k) in places {
            of_lane.entry(lane.unwrap_or_default()).or_default().push(k);
        }
        let count = (0..lanes).map(|lane| of_lane.get(&lane).map_or(0, Vec::len)).min();
        let count = count.unwrap_or(0);
        let group = |n: usize| (0..lanes).map(|lane| of_lane[&lane][n]).collect();
        let rest = |lane: usize| of_lane.get(&lane).map_or(&[][..], |of| &of[count..]);
        let others = (0..lanes).flat_map(|lane| rest(lane).iter().map(move |&k| (Some(lane), k)));
        ((0..count).map(group).collect(), others.collect())
    }

    /// The name, in the lane program that is being written, of what it does not compute; `None` for
    /// what it does, and outside.
    pub(super) fn captured(&mut self, id: NodeId) -> Option<String> {
        let within = self.within.as_mut()?;
        let graph = self.program.graph;
        let (list, name) = match graph.node(id) {
            Node::Constant(_) => (&mut within.constants, 'k'),
            _ if graph.width(id) == 1 => (&mut within.uniform, 'u'),
            node if is_literal(graph, node) => (&mut within.constants, 'k'),
            node if node.packed().is_none() && self.program.is_inline(id) => return None,
            _ => (&mut within.varying, 'w'),
        };
        Some(format!("{name}{}", place(list, id)))
    }
}

/// The place of a node in a list, at the end of which it is put if it is not there.
fn place(list: &mut Vec<NodeId>, id: NodeId) -> usize {
    list.iter().position(|&other| other == id).unwrap_or_else(|| {
        list.push(id);
        list.len() - 1
    })
}
