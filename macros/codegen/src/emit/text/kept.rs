//! What parts of a kernel hand on.

use std::fmt::Write;

use super::Writer;
use crate::emit::parts::set;
use crate::expr::NodeId;

impl Writer<'_, '_> {
    /// Names what earlier parts have kept of these values.
    pub(in crate::emit) fn load(&mut self, reads: &[NodeId], text: &mut String) {
        for &id in reads {
            if self.names.contains_key(&id) {
                continue;
            }
            let Some(kept) = self.kept(id) else { continue };
            let (name, value) = (format!("t{}", self.count), self.packed(id, kept));
            self.count += 1;
            let _ = writeln!(text, "let {name} = {value};");
            self.names.insert(id, name);
        }
    }

    /// Where a value is kept that parts hand on.
    fn kept(&mut self, id: NodeId) -> Option<String> {
        let place = self.parts.places.get(&id)?;
        let set = set(self.program, id);
        self.keeps[set] = true;
        Some(format!("{}[{place}]", ["w", "w2", "w4"][set]))
    }

    /// A value of what is kept of it.
    fn packed(&mut self, id: NodeId, kept: String) -> String {
        match self.program.graph.width(id) {
            1 => kept,
            width => format!("{}({kept})", self.calls.lanes("pack", width)),
        }
    }

    /// Keeps a value that later parts read.
    pub(in crate::emit) fn keep(&mut self, id: NodeId, name: &str, text: &mut String) {
        if let Some(kept) = self.kept(id) {
            let _ = match self.program.graph.width(id) {
                1 => writeln!(text, "{kept} = {name};"),
                width => {
                    writeln!(text, "{}({name}, &mut {kept});", self.calls.lanes("write", width))
                }
            };
        }
    }
}
