//! What happened: events, the sequence of modes, and the automaton that was seen.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use super::{Accumulation, Automaton};
use crate::integrate::{CrossingKind, Phase};

/// A guard that fired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fired {
    /// Which.
    pub guard: usize,
    /// Whether it fell through zero with a slope.
    pub kind: CrossingKind,
}

/// Why a mode ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// A run began: what touched there approached, or other forces acted than before.
    Start,
    /// Guards fell through zero together, in ascending order.
    Guards(Vec<Fired>),
    /// Guards fired infinitely often, or faster than can be resolved, and the automaton completed the sequence.
    Accumulation(Accumulation),
}

/// A transition.
#[derive(Clone, Debug, PartialEq)]
pub struct Event<M> {
    /// Why.
    pub cause: Cause,
    /// The mode that ended.
    pub mode_before: M,
    /// The phase at its end; that of an accumulation is where its transitions are no longer resolved.
    pub phase_before: Phase,
    /// The mode that began.
    pub mode_after: M,
    /// The phase at its beginning.
    pub phase_after: Phase,
}

impl<M> Event<M> {
    /// When, in seconds.
    pub fn time(&self) -> f64 {
        self.phase_after.time
    }

    /// The guards that fired, or that fire infinitely often.
    pub fn guards(&self) -> Vec<usize> {
        match &self.cause {
            Cause::Start => Vec::new(),
            Cause::Guards(fired) => fired.iter().map(|fired| fired.guard).collect(),
            Cause::Accumulation(accumulation) => accumulation.guards.clone(),
        }
    }

    pub(super) fn ends_accumulation(&self) -> bool {
        matches!(self.cause, Cause::Accumulation(_))
    }

    /// Whether this guard fell through zero.
    pub fn has_fired(&self, guard: usize) -> bool {
        matches!(&self.cause, Cause::Guards(fired) if fired.iter().any(|of| of.guard == guard))
    }
}

/// The events of a run, in the order of time.
#[derive(Clone, Debug, PartialEq)]
pub struct History<M> {
    start: (f64, M),
    events: Vec<Event<M>>,
}

impl<M: Clone + PartialEq> History<M> {
    pub(super) fn new(time: f64, mode: M) -> Self {
        Self { start: (time, mode), events: Vec::new() }
    }

    pub(super) fn push(&mut self, event: Event<M>) {
        self.events.push(event);
    }

    /// When the last event was, or the start if there was none.
    pub(super) fn last_time(&self) -> f64 {
        self.events.last().map_or(self.start.0, Event::time)
    }

    /// The events.
    pub fn events(&self) -> &[Event<M>] {
        &self.events
    }

    /// The modes in their sequence, each with the time in seconds at which it began. One that follows itself is named
    /// again.
    pub fn modes(&self) -> impl Iterator<Item = (f64, &M)> {
        let later = self.events.iter().map(|event| (event.time(), &event.mode_after));
        core::iter::once((self.start.0, &self.start.1)).chain(later)
    }

    /// The automaton that was seen, as text for Graphviz's `dot`: a node for each mode, the first of them in bold, and an
    /// edge for each set of guards that led from one to another, with how often. An accumulation is a dashed edge; what a
    /// run began with has no guards.
    pub fn graphviz<A: Automaton<Mode = M>>(&self, automaton: &A) -> String {
        self.dot(&|mode| automaton.mode_name(mode), &|guard| automaton.guard_name(guard))
    }

    /// The same by the names of modes and guards.
    pub(super) fn dot(
        &self,
        mode_name: &dyn Fn(&M) -> String,
        guard_name: &dyn Fn(usize) -> String,
    ) -> String {
        let mut modes: Vec<&M> = Vec::new();
        for (_, mode) in self.modes() {
            number(&mut modes, mode);
        }
        let mut edges: Vec<(Edge, usize)> = Vec::new();
        for event in &self.events {
            let (from, to) =
                (number(&mut modes, &event.mode_before), number(&mut modes, &event.mode_after));
            let is_infinite = event.ends_accumulation();
            let edge = Edge { from, to, guards: event.guards(), is_infinite };
            match edges.iter_mut().find(|(known, _)| *known == edge) {
                Some((_, count)) => *count += 1,
                None => edges.push((edge, 1)),
            }
        }
        let names = modes.iter().map(|mode| quoted(&mode_name(mode)));
        let mut text = String::from("digraph automaton {\n    node [shape = box];\n");
        for (node, name) in names.enumerate() {
            let style = if node == 0 { ", style = bold" } else { "" };
            text += &format!("    m{node} [label = {name}{style}];\n");
        }
        for (edge, count) in edges {
            edge.write(guard_name, count, &mut text);
        }
        text + "}\n"
    }
}

#[derive(PartialEq)]
struct Edge {
    from: usize,
    to: usize,
    guards: Vec<usize>,
    is_infinite: bool,
}

impl Edge {
    fn write(&self, guard_name: &dyn Fn(usize) -> String, count: usize, text: &mut String) {
        let names: Vec<String> = self.guards.iter().map(|guard| guard_name(*guard)).collect();
        let cause = if names.is_empty() { "start".into() } else { names.join(", ") };
        let label = quoted(&format!("{cause} ×{count}"));
        let style = if self.is_infinite { ", style = dashed" } else { "" };
        // Writing to a string does not fail.
        let _ = writeln!(text, "    m{} -> m{} [label = {label}{style}];", self.from, self.to);
    }
}

/// The number of a mode, which it gets if it has none.
fn number<'a, M: PartialEq>(modes: &mut Vec<&'a M>, mode: &'a M) -> usize {
    modes.iter().position(|known| *known == mode).unwrap_or_else(|| {
        modes.push(mode);
        modes.len() - 1
    })
}

/// A string of the language of `dot`.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
