//! What a kernel writes.
//!
//! Lanes that are outputs one after the other are written as one register. Of numbers that are written one by one, the compiler
//! makes registers itself, and of 512 bits where there are such: while these are on their way, fewer of 256 bits are computed,
//! and the contact dynamics of a quadruped take a quarter longer.

use std::fmt::Write;

use super::Writer;
use super::lanes::{QUAD, are_scattered, is_row, rows};
use crate::expr::NodeId;

impl Writer<'_, '_> {
    /// Writes a value to the outputs that it is.
    pub(in crate::emit) fn outputs(
        &mut self,
        id: NodeId,
        name: &str,
        places: &[(Option<usize>, usize)],
        text: &mut String,
    ) {
        let (width, to) = (self.program.graph.width(id), self.to);
        let (rows, others) = rows(places, width);
        for k in rows {
            let put = self.calls.lanes("put", width);
            let _ = writeln!(text, "{put}({name}, {to}, {k});");
        }
        if self.writes_scattered && width == QUAD {
            let others = others.into_iter().filter_map(|(lane, k)| Some((k, (id, lane?))));
            self.scattered.extend(others);
            return;
        }
        if others.iter().any(|(lane, _)| lane.is_some()) {
            let unpack = self.calls.lanes("unpack", width);
            let _ = writeln!(text, "let l = {unpack}({name});");
        }
        for (lane, k) in others {
            let _ = match lane {
                Some(lane) => writeln!(text, "o[{k}] = l[{lane}];"),
                None => writeln!(text, "o[{k}] = {name};"),
            };
        }
    }

    /// Whether lanes at these places are written after all statements, but for rows of them.
    pub(in crate::emit) fn writes_at_last(
        &self,
        places: &[(Option<usize>, usize)],
        width: usize,
    ) -> bool {
        self.writes_scattered && are_scattered(places, width)
    }

    /// The outputs that are no statements.
    pub(super) fn inline_outputs(&mut self, text: &mut String) {
        self.load(&self.program.read_by_outputs(), text);
        for &k in &self.program.single {
            let output = self.program.outputs[k];
            let (source, lane) = self.program.source(output.id());
            if !self.program.is_inline(source) || (self.sparse && output.is_zero()) {
                continue;
            }
            let width = self.program.graph.width(source);
            let row = lane.filter(|lane| *lane <= k).map(|lane| k - lane);
            let row = row.filter(|first| is_row(&self.program.places[&source], width, *first));
            let _ = match (row, lane) {
                (Some(first), Some(0)) => {
                    let (put, value) = (self.calls.lanes("put", width), self.operand(source));
                    writeln!(text, "{put}({value}, o, {first});")
                }
                (Some(_), _) => Ok(()),
                (None, _) => writeln!(text, "o[{k}] = {};", self.operand(output.id())),
            };
        }
    }

    /// The outputs that are lanes of values, but not one after the other: as many at once as follow on each other.
    pub(super) fn scattered_outputs(&mut self, text: &mut String) {
        let mut open: Vec<(usize, String)> = Vec::new();
        for (k, (id, lane)) in std::mem::take(&mut self.scattered) {
            let value =
                format!("{}({})[{lane}]", self.calls.lanes("unpack", QUAD), self.operand(id));
            if open.last().is_some_and(|(last, _)| last + 1 != k) {
                flush(&mut open, text);
            }
            open.push((k, value));
            if open.len() == QUAD {
                let (put, pack) = (self.calls.lanes("put", QUAD), self.calls.lanes("pack", QUAD));
                let first = open[0].0;
                let values: Vec<String> = open.drain(..).map(|(_, value)| value).collect();
                let _ = writeln!(text, "{put}({pack}([{}]), o, {first});", values.join(", "));
            }
        }
        flush(&mut open, text);
    }
}

/// Writes outputs one by one.
fn flush(open: &mut Vec<(usize, String)>, text: &mut String) {
    for (k, value) in open.drain(..) {
        let _ = writeln!(text, "o[{k}] = {value};");
    }
}

#[cfg(test)]
mod tests;
