//! What is printed: a robot's coordinates and parameters, and its equations.

use jourdain_codegen::derive::Shape;

use super::formula::{Definition, Formula, Function, Name, Variable};
use super::kinds::{Argument, Kind};
use super::names::Given;

/// Everything that is printed of a robot.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The robot's name.
    pub(crate) robot: String,
    /// The equation of motion.
    pub(crate) motion: String,
    pub(crate) given: Given,
    /// q, v and u.
    pub(crate) coordinates: Vec<Meaning>,
    pub(crate) velocities: Vec<Meaning>,
    pub(crate) inputs: Vec<Meaning>,
    /// The fields of the struct.
    pub(crate) parameters: Vec<Meaning>,
    pub(crate) quantities: Vec<Quantity>,
    /// What a reader should know of the forms.
    pub(crate) notes: Vec<String>,
}

/// Something given, and what it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Meaning {
    /// What a description calls it: a field, or a joint.
    pub(crate) name: String,
    pub(crate) meaning: String,
    /// Empty where it cannot be told.
    pub(crate) unit: String,
}

impl Meaning {
    /// Meaning and unit in one line.
    pub(crate) fn described(&self) -> String {
        match (self.meaning.as_str(), self.unit.as_str()) {
            (meaning, "") => meaning.to_owned(),
            // Documentation that says the unit itself.
            (meaning, unit) if meaning.ends_with(&format!(", {unit}")) => meaning.to_owned(),
            ("", unit) => unit.to_owned(),
            (meaning, unit) => format!("{meaning}, {unit}"),
        }
    }
}

/// A quantity in formulas.
#[derive(Clone, Debug)]
pub(crate) struct Quantity {
    pub(crate) kind: &'static Kind,
    pub(crate) shape: Shape,
    pub(crate) definitions: Vec<Definition>,
    /// Row by row.
    pub(crate) entries: Vec<Formula>,
}

impl Quantity {
    /// What it is and what its numbers are measured in.
    pub(crate) fn described(&self) -> String {
        format!("{}: {} ({})", self.kind.symbol[0], self.kind.meaning, self.kind.unit)
    }

    /// The names of what is defined.
    pub(crate) fn names(&self) -> Vec<Name> {
        self.definitions.iter().map(|definition| definition.name.clone()).collect()
    }

    /// The number of sines and cosines, which are defined first.
    pub(crate) fn turns(&self) -> usize {
        let is_turn = |definition: &&Definition| {
            matches!(definition.value, Formula::Function(Function::Sin | Function::Cos, _))
        };
        self.definitions.iter().take_while(is_turn).count()
    }

    /// Whether formulas have no other defined variables than those.
    #[cfg(feature = "symbolica")]
    pub(crate) fn is_complete(&self) -> bool {
        self.variables().iter().all(|variable| match variable {
            Variable::Defined(k) => *k < self.definitions.len(),
            Variable::Given(..) => true,
        })
    }

    /// Every variable that its formulas have, once.
    pub(crate) fn variables(&self) -> Vec<Variable> {
        let mut found = Vec::new();
        let values = self.definitions.iter().map(|definition| &definition.value);
        values.chain(&self.entries).for_each(|formula| formula.variables(&mut found));
        found.sort_unstable();
        found.dedup();
        found
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.entries.iter().all(Formula::is_zero)
    }

    pub(crate) fn columns(&self) -> usize {
        match self.shape {
            Shape::Matrix(_, columns) => columns,
            Shape::Number | Shape::Vector(_) => 1,
        }
    }
}

impl Document {
    /// How many numbers an argument has.
    pub(crate) fn size(&self, argument: Argument) -> usize {
        match argument {
            Argument::Q => self.coordinates.len(),
            Argument::V | Argument::A | Argument::Force => self.velocities.len(),
            Argument::T => 1,
        }
    }

    /// The lines above a source file: the robot, its coordinates, and notes.
    pub(crate) fn heading(&self) -> Vec<String> {
        let mut lines = vec![format!("Equations of {}: {}", self.robot, self.motion)];
        let of = |lines: &mut Vec<String>, word: &str, list: &[Meaning]| {
            if !list.is_empty() {
                lines.push(String::new());
            }
            for (k, meaning) in list.iter().enumerate() {
                lines.push(format!("{word}{}: {}", k + 1, meaning.described()));
            }
        };
        of(&mut lines, "q", &self.coordinates);
        of(&mut lines, "v", &self.velocities);
        of(&mut lines, "u", &self.inputs);
        if !self.notes.is_empty() {
            lines.push(String::new());
            lines.extend(self.notes.iter().cloned());
        }
        lines
    }
}
