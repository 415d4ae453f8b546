//! The keys of one entry: known, given once, in the right form.

use syn::Expr;

use super::number;
use super::reader::{At, Reader};
use super::scope::{Scope, variable};
use super::state::State;
use super::suggest::{did_you_mean, list};
use super::syntax::{Body, Item, Value, Word};
use crate::description::Rotation;
use crate::diagnostic::{Location, Name};
use crate::scalar::Scalar;

/// How a key is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `key`.
    Flag,
    /// `key = value`.
    Value,
    /// `key(…)`.
    Call,
}

impl Form {
    fn example(self, key: &str) -> String {
        match self {
            Form::Flag => format!("`{key}` alone"),
            Form::Value => format!("`{key} = …`"),
            Form::Call => format!("`{key}(…)`"),
        }
    }
}

/// The keys that an entry knows.
pub(super) type Known = [(&'static str, Form)];

/// The items of an entry by their keys.
pub(super) struct Keys<'a> {
    items: Vec<&'a Item>,
    /// Whether an item was refused, so that none is known to be missing.
    refused: bool,
}

impl<'a> Keys<'a> {
    /// Takes those of `items` that `known` allows and reports the others; `of` is what they belong
    /// to, such as "a link".
    pub(super) fn read(
        reader: &mut Reader<'_>,
        of: &str,
        items: impl IntoIterator<Item = &'a Item>,
        known: &Known,
    ) -> Self {
        let mut keys = Self { items: Vec::new(), refused: false };
        for item in items {
            match keys.admit(of, item, known) {
                _ if item.cut => keys.refused = true,
                Ok(()) => keys.items.push(item),
                Err(message) => {
                    keys.refused = true;
                    reader.error(&item.key.at(), message);
                }
            }
        }
        keys
    }

    fn admit(&self, of: &str, item: &Item, known: &Known) -> Result<(), String> {
        let key = item.key.text.as_str();
        let names = || known.iter().map(|(name, _)| *name);
        let Some(&(_, form)) = known.iter().find(|(name, _)| *name == key) else {
            let (hint, known) = (did_you_mean(key, names()), list(names()));
            return Err(format!("`{key}` is no key of {of}{hint}\n{of} has {known}"));
        };
        let given = match &item.body {
            Body::Bare => Some(Form::Flag),
            Body::Value(_) => Some(Form::Value),
            Body::Call(_) => Some(Form::Call),
            Body::Arrow(_) => None,
        };
        if given != Some(form) {
            return Err(format!("expected {}", form.example(key)));
        }
        match self.find(key) {
            Some(_) => Err(format!("`{key}` is given twice")),
            None => Ok(()),
        }
    }

    fn find(&self, key: &str) -> Option<&'a Item> {
        self.items.iter().find(|item| item.key.text == key).copied()
    }

    /// Whether the key is missing.
    pub(super) fn lacks(&self, key: &str) -> bool {
        !self.refused && self.find(key).is_none()
    }

    /// Where the key stands.
    pub(super) fn at(&self, key: &str) -> Option<Location> {
        self.find(key).map(|item| item.key.at())
    }

    pub(super) fn value(&self, key: &str) -> Option<&'a Value> {
        match &self.find(key)?.body {
            Body::Value(value) => Some(value),
            _ => None,
        }
    }

    /// Where `key(…)` stands, and what is in it.
    pub(super) fn call(
        &self,
        reader: &mut Reader<'_>,
        key: &str,
    ) -> Option<(Location, &'a [Item])> {
        let item = self.find(key)?;
        match &item.body {
            Body::Call(content) => Some((item.key.at(), reader.items(content))),
            _ => None,
        }
    }

    /// `key = number`.
    pub(super) fn scalar(&self, reader: &mut Reader<'_>, key: &str) -> Option<At<Scalar>> {
        let value = self.value(key)?;
        let at = value.at();
        scalar(reader, value).map(|value| At { value, at })
    }

    /// `key = expression` of the robot's state.
    pub(super) fn expression(
        &self,
        reader: &mut Reader<'_>,
        key: &str,
        state: &State<'_>,
    ) -> Option<At<Scalar>> {
        let value = self.value(key)?;
        let scope = Scope { state: Some(state), ..reader.scope() };
        let read = match value {
            Value::Expr(expr) => number::scalar(expr, scope),
            Value::Word(word) => {
                variable(&word.text, scope).map_err(|message| syn::Error::new(word.span, message))
            }
            Value::Point(word, _) => Err(syn::Error::new(word.span, "expected an expression")),
        };
        match read {
            Ok(scalar) => Some(At { value: scalar, at: value.at() }),
            Err(error) => {
                reader.errors.push_syn(error);
                None
            }
        }
    }

    /// `key = [number, …]` with `N` of them.
    pub(super) fn array<const N: usize>(
        &self,
        reader: &mut Reader<'_>,
        key: &str,
    ) -> Option<At<[Scalar; N]>> {
        let value = self.value(key)?;
        array(reader, value).map(|numbers| At { value: numbers, at: value.at() })
    }

    /// `key = number` or `key = [number, …]`.
    pub(super) fn scalars(&self, reader: &mut Reader<'_>, key: &str) -> Option<At<Vec<Scalar>>> {
        let value = self.value(key)?;
        let numbers = match elements(value) {
            Some(expressions) => expressions.map(|expr| number(reader, expr)).collect(),
            None => scalar(reader, value).map(|number| vec![number]),
        };
        numbers.map(|numbers| At { value: numbers, at: value.at() })
    }

    /// `key = name`.
    pub(super) fn word(&self, reader: &mut Reader<'_>, key: &str) -> Option<&'a Word> {
        match self.value(key)? {
            Value::Word(word) => Some(word),
            other => {
                reader.error(&other.at(), "expected a name");
                None
            }
        }
    }

    /// `key = name`.
    pub(super) fn name(&self, reader: &mut Reader<'_>, key: &str) -> Option<Name> {
        self.word(reader, key).map(Word::name)
    }

    /// `rpy = […]` or `quaternion = […]`.
    pub(super) fn rotation(&self, reader: &mut Reader<'_>) -> Option<At<Rotation>> {
        if let (Some(_), Some(second)) = (self.at("rpy"), self.at("quaternion")) {
            reader.error(&second, "expected one of `rpy` and `quaternion`, found both");
        }
        if let Some(At { value, at }) = self.array(reader, "quaternion") {
            return Some(At { value: Rotation::Quaternion(value), at });
        }
        let At { value, at } = self.array(reader, "rpy")?;
        Some(At { value: Rotation::Rpy(value), at })
    }
}

/// The number that `value` is.
pub(super) fn scalar(reader: &mut Reader<'_>, value: &Value) -> Option<Scalar> {
    match value {
        Value::Expr(expr) => number(reader, expr),
        Value::Word(word) if !word.quoted => match variable(&word.text, reader.scope()) {
            Ok(scalar) => Some(scalar),
            Err(message) => {
                reader.error(&word.at(), message);
                None
            }
        },
        _ => {
            reader.error(&value.at(), "expected a number");
            None
        }
    }
}

/// The `N` numbers of the list that `value` is.
pub(super) fn array<const N: usize>(reader: &mut Reader<'_>, value: &Value) -> Option<[Scalar; N]> {
    match value {
        Value::Expr(expr) => numbers(reader, expr),
        _ => {
            reader.error(&value.at(), format!("expected a list of {N} numbers"));
            None
        }
    }
}

/// The `N` numbers of the list that `expr` is.
pub(super) fn numbers<const N: usize>(reader: &mut Reader<'_>, expr: &Expr) -> Option<[Scalar; N]> {
    let Expr::Array(list) = ungrouped(expr) else {
        reader.error(&Location::tokens(expr), format!("expected a list of {N} numbers"));
        return None;
    };
    let found = list.elems.len();
    if found != N {
        let message = format!("expected a list of {N} numbers, found {found}");
        reader.error(&Location::tokens(expr), message);
    }
    let read: Vec<_> = list.elems.iter().map(|element| number(reader, element)).collect();
    read.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()
}

/// The elements of the list that `value` is, if it is one.
pub(super) fn elements(value: &Value) -> Option<impl Iterator<Item = &Expr>> {
    match value {
        Value::Expr(expr) => match ungrouped(expr) {
            Expr::Array(list) => Some(list.elems.iter()),
            _ => None,
        },
        _ => None,
    }
}

/// `expr` without the invisible parentheses that `macro_rules` puts around what it inserts.
pub(super) fn ungrouped(mut expr: &Expr) -> &Expr {
    while let Expr::Group(group) = expr {
        expr = &group.expr;
    }
    expr
}

fn number(reader: &mut Reader<'_>, expr: &Expr) -> Option<Scalar> {
    match number::scalar(expr, reader.scope()) {
        Ok(scalar) => Some(scalar),
        Err(error) => {
            reader.errors.push_syn(error);
            None
        }
    }
}
