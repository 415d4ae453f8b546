//! What parts of a kernel hand on.

use std::fmt::Write;

use super::Writer;
use crate::emit::parts::set;
use crate::expr::NodeId;

impl Writer<'_, '_> {
    /// Names what earlier parts have kept of these values.
    pub(super) fn load(&mut self, reads: &[NodeId], text: &mut String) {
        for &id in reads {
            if self.names.contains_key(&id) {
                continue;
            }
            let Some(kept) = self.kept(id) else { continue };
            let (name, value) = (format!("t{}", self.count), self.in_lanes("pack", id, &kept));
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

    /// This function of the lanes of a value, if it has more than one.
    fn in_lanes(&mut self, function: &str, id: NodeId, value: &str) -> String {
        match self.program.graph.width(id) {
            1 => value.to_owned(),
            width => format!("{}({value})", self.calls.lanes(function, width)),
        }
    }

    /// Keeps a value that later parts read.
    pub(super) fn keep(&mut self, id: NodeId, name: &str, text: &mut String) {
        if let Some(kept) = self.kept(id) {
            let _ = writeln!(text, "{kept} = {};", self.in_lanes("unpack", id, name));
        }
    }
}
