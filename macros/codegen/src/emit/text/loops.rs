//! Rounds as a loop.

use std::fmt::Write;
use std::mem::{replace, take};
use std::ops::Range;

use super::{GIVEN, Writer};
use crate::derive::{LANES, Rounds, Source};
use crate::emit::calls::number;
use crate::emit::rounds::Round;

impl Writer<'_, '_> {
    /// Writes the loops that give sums, which other statements read, or those that give outputs.
    pub(super) fn all_rounds(&mut self, of_sums: bool, text: &mut String) {
        let rounds = self.program.rounds.iter().enumerate();
        let rounds = rounds.filter(|(_, of)| of.gives_sums() == of_sums);
        rounds.for_each(|(k, _)| self.rounds(k, text));
    }

    /// Writes a loop, and what it reads and gives.
    pub(super) fn rounds(&mut self, index: usize, text: &mut String) {
        let program = self.program;
        let of = &program.rounds[index];
        self.load(&program.read_by_rounds(of), text);
        for (place, (sum, _)) in of.rounds.sums.iter().enumerate() {
            let (splat, zero) = (self.calls.lanes("splat", LANES), self.calls.literal(0.0));
            let _ = writeln!(text, "let mut m{index}_{place} = {splat}({zero});");
            self.names.insert(sum.id(), format!("m{index}_{place}"));
        }
        self.round(of, text);
        for (place, (sum, _)) in of.rounds.sums.iter().enumerate() {
            let name = format!("m{index}_{place}");
            let _ = writeln!(text, "let {name} = {}({name});", self.calls.lanes("sum", LANES));
            self.keep(sum.id(), &name, text);
        }
    }

    /// A loop.
    fn round(&mut self, of: &Round<'_, '_>, text: &mut String) {
        let (calls, mut body) = (take(&mut self.calls), String::new());
        let mut head = Head::new(of.rounds);
        for (k, (column, source)) in of.rounds.columns.iter().enumerate() {
            let value = match source {
                Source::Table(numbers) => {
                    format!("{}({})", self.calls.lanes("literal", LANES), head.known(numbers))
                }
                Source::Given { set, of_one, place } => {
                    self.read[usize::from(*set)] = true;
                    let name = head.given(*set, of_one);
                    let lanes = (*place..place + LANES).map(|k| format!("{name}[{k}]"));
                    let list = lanes.collect::<Vec<_>>().join(", ");
                    format!("{}([{list}])", self.calls.lanes("pack", LANES))
                }
            };
            let _ = writeln!(body, "let c{k} = {value};");
            self.names.insert(column.id(), format!("c{k}"));
        }
        self.to = "on";
        self.blocks(&of.statements, &mut body);
        self.to = "o";
        let (program, outputs) = (self.program, of.outputs.iter().enumerate());
        for (k, output) in outputs.filter(|(_, output)| !program.is_repeated(output.id())) {
            let value = self.spread(output.id(), LANES);
            let put = self.calls.lanes("put", LANES);
            let _ = writeln!(body, "{put}({value}, on, {});", LANES * k);
        }
        for (sum, term) in &of.rounds.sums {
            let (name, term) = (self.operand(sum.id()), self.spread(term.id(), LANES));
            let _ = writeln!(body, "{name} = {name} + {term};");
        }
        let prologue = replace(&mut self.calls, calls).prologue();
        let _ = writeln!(text, "{{\n{prologue}{}{{\n{body}}}\n}}", head.text());
    }
}

/// What a loop goes through.
struct Head<'a> {
    rounds: &'a Rounds<'a>,
    /// Columns of numbers that are known.
    table: Vec<&'a [[f64; LANES]]>,
    /// Sets of symbols, and the numbers of the first round.
    given: Vec<(u8, &'a Range<usize>)>,
}

impl<'a> Head<'a> {
    fn new(rounds: &'a Rounds<'a>) -> Self {
        Self { rounds, table: Vec::new(), given: Vec::new() }
    }

    /// Numbers that are known, in one round.
    fn known(&mut self, numbers: &'a [[f64; LANES]]) -> String {
        self.table.push(numbers);
        format!("c[{}]", self.table.len() - 1)
    }

    /// The name of what a round is given of these numbers.
    fn given(&mut self, set: u8, of_one: &'a Range<usize>) -> String {
        let known = self.given.iter().position(|given| *given == (set, of_one));
        let place = known.unwrap_or_else(|| {
            self.given.push((set, of_one));
            self.given.len() - 1
        });
        format!("x{place}")
    }

    /// What stands before the statements.
    fn text(&self) -> String {
        let Rounds { count, outputs, .. } = self.rounds;
        let (mut before, mut pattern, mut items) =
            (String::new(), "_".to_owned(), format!("(0..{count})"));
        let mut zip = |name: &str, with: &str| {
            pattern = format!("({pattern}, {name})");
            let _ = write!(items, ".zip({with})");
        };
        if !self.table.is_empty() {
            let row = |round: usize| {
                let lanes = self.table.iter().map(|column| column[round].map(number).join(", "));
                format!("[[{}]]", lanes.collect::<Vec<_>>().join("], ["))
            };
            let rows = (0..*count).map(row).collect::<Vec<_>>().join(",\n");
            let columns = self.table.len();
            let _ = writeln!(
                before,
                "static TABLE: [[[f64; {LANES}]; {columns}]; {count}] = [{rows}];"
            );
            zip("c", "&TABLE");
        }
        for (place, &(set, of_one)) in self.given.iter().enumerate() {
            let (name, _) = GIVEN[usize::from(set)];
            let (start, length) = (of_one.start, of_one.len());
            let _ = writeln!(
                before,
                "let (x{place}, _) = {name}.get({start}..).unwrap_or_default().as_chunks::<{length}>();"
            );
            zip(&format!("x{place}"), &format!("x{place}"));
        }
        if !outputs.is_empty() {
            let (start, length) = (outputs.start, outputs.len());
            let _ = writeln!(
                before,
                "let (on, _) = o.get_mut({start}..).unwrap_or_default().as_chunks_mut::<{length}>();"
            );
            zip("on", "on");
        }
        format!("{before}for {pattern} in {items} ")
    }
}
