//! What the reading of a description collects on its way.

use std::fmt;
use std::path::PathBuf;

use super::scope::Scope;
use super::syntax::{Content, Item};
use crate::description::{Bound, Requirement, Severity};
use crate::diagnostic::{Errors, Location};
use crate::scalar::Scalar;

/// A value and where it was written.
#[derive(Clone, Debug)]
pub(super) struct At<T> {
    pub(super) value: T,
    pub(super) at: Location,
}

/// The struct's fields on the one hand, errors and requirements on the other.
pub(super) struct Reader<'e> {
    pub(super) fields: Vec<String>,
    /// Where files are looked for first.
    pub(super) folders: Vec<PathBuf>,
    pub(super) errors: &'e mut Errors,
    pub(super) requirements: Vec<Requirement>,
    /// Whether every link and joint could be read, so that their tree can be judged.
    pub(super) complete: bool,
    /// Whether links and joints may be described that could not be read at all, so that no name of
    /// one is known to be wrong.
    pub(super) lost: bool,
    /// Joints that are described but could not be resolved, so that their users are not errors too.
    pub(super) unresolved: Vec<String>,
}

impl<'e> Reader<'e> {
    pub(super) fn new(fields: Vec<String>, errors: &'e mut Errors) -> Self {
        Self {
            fields,
            folders: Vec::new(),
            errors,
            requirements: Vec::new(),
            complete: true,
            lost: false,
            unresolved: Vec::new(),
        }
    }

    /// What a number may be made of.
    pub(super) fn scope(&self) -> Scope<'_> {
        Scope { fields: &self.fields, state: None, unresolved: &self.unresolved }
    }

    /// Whether each name of a joint in `items` is known to be right or wrong.
    pub(super) fn knows_joints_of(&self, items: &[Item]) -> bool {
        !self.lost && !items.iter().any(|item| item.mentions(&self.unresolved))
    }

    pub(super) fn error(&mut self, at: &Location, message: impl fmt::Display) {
        self.errors.push(at, message);
    }

    pub(super) fn warn(&mut self, at: &Location, message: impl fmt::Display) {
        self.errors.warn(at, message);
    }

    /// What is in the parentheses, and its errors reported.
    pub(super) fn items<'a>(&mut self, content: &'a Content) -> &'a [Item] {
        for error in &content.errors {
            self.errors.push_syn(error.clone());
        }
        &content.items
    }

    /// Reports an error after which the tree of links and joints cannot be judged.
    pub(super) fn gap(&mut self, at: &Location, message: impl fmt::Display) {
        self.complete = false;
        self.errors.push(at, message);
    }

    /// States that `values`, called `quantity`, must satisfy `bound`.
    pub(super) fn require(
        &mut self,
        quantity: impl fmt::Display,
        bound: Bound,
        values: &[Scalar],
        at: &Location,
    ) {
        self.bound(quantity, bound, values, at, Severity::Error);
    }

    /// States that `values`, called `quantity`, should satisfy `bound`, and are used if they do not.
    pub(super) fn advise(
        &mut self,
        quantity: impl fmt::Display,
        bound: Bound,
        values: &[Scalar],
        at: &Location,
    ) {
        self.bound(quantity, bound, values, at, Severity::Warning);
    }

    fn bound(
        &mut self,
        quantity: impl fmt::Display,
        bound: Bound,
        values: &[Scalar],
        at: &Location,
        severity: Severity,
    ) {
        let (quantity, values, at) = (quantity.to_string(), values.to_vec(), at.clone());
        self.requirements.push(Requirement { quantity, bound, values, at, severity });
    }

    /// States that each field in `function`, which depends on more than fields, must be finite.
    pub(super) fn require_finite_fields(
        &mut self,
        function: &Scalar,
        called: impl fmt::Display,
        at: &Location,
    ) {
        for k in 0..self.fields.len() {
            let field = Scalar::Field(k);
            if function.contains(&|part| *part == field) {
                let quantity = format!("field `{}` in {called}", self.fields[k]);
                self.require_finite(quantity, &[field], at);
            }
        }
    }

    /// States that each of `values` must be finite.
    pub(super) fn require_finite(
        &mut self,
        quantity: impl fmt::Display,
        values: &[Scalar],
        at: &Location,
    ) {
        for value in values {
            self.require(&quantity, Bound::Finite, std::slice::from_ref(value), at);
        }
    }
}
