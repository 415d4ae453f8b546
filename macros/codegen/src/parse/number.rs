//! Numbers of the attribute: Rust expressions of literals, fields and a few functions, and where a
//! constraint is stated, of the robot's state.
//!
//! They mean what they mean in Rust, so what Rust would quietly make of `1 / 2` or `x ^ 2` is an
//! error here.

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{
    BinOp, Expr, ExprBinary, ExprCall, ExprIndex, ExprLit, ExprPath, Ident, Lit, Member, UnOp,
};

use super::scope::{CONSTANTS, Scope, variable};
use super::state::State;
use super::suggest::{did_you_mean, list};
use crate::scalar::Scalar;

/// Functions that an expression may use.
const FUNCTIONS: [&str; 3] = ["sin", "cos", "sqrt"];

/// A value, and what an integer expression is in Rust, where it rounds.
struct Typed {
    scalar: Scalar,
    integer: Option<i128>,
}

impl From<Scalar> for Typed {
    fn from(scalar: Scalar) -> Self {
        Self { scalar, integer: None }
    }
}

impl From<i128> for Typed {
    fn from(x: i128) -> Self {
        Self { scalar: Scalar::Number(x as f64), integer: Some(x) }
    }
}

/// The value of `expr`.
///
/// # Errors
///
/// Points at the part that is not understood.
pub(super) fn scalar(expr: &Expr, scope: Scope<'_>) -> syn::Result<Scalar> {
    typed(expr, scope).map(|value| value.scalar)
}

fn typed(expr: &Expr, scope: Scope<'_>) -> syn::Result<Typed> {
    match expr {
        Expr::Paren(inner) => typed(&inner.expr, scope),
        Expr::Group(inner) => typed(&inner.expr, scope),
        Expr::Lit(ExprLit { lit: Lit::Str(name), .. }) if scope.state.is_some() => {
            variable(&name.value(), scope).map(Typed::from).map_err(|message| error(name, message))
        }
        Expr::Lit(literal) => number(literal),
        Expr::Index(index) => match scope.state {
            Some(state) => indexed(index, |name, k| state.coordinate(name, Some(k))),
            None => Err(error(index, "expected one number, without an index")),
        },
        Expr::Path(path) => name(path, scope),
        Expr::Field(field) => match (&*field.base, &field.member) {
            (Expr::Path(base), Member::Named(member)) if base.path.is_ident("self") => {
                identifier(member, Scope { state: None, ..scope })
            }
            _ => Err(error(field, "expected a field of the struct, as `length` or `self.length`")),
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            let inner = typed(&unary.expr, scope)?;
            let scalar = match inner.scalar {
                Scalar::Number(x) => Scalar::Number(-x),
                other => -other,
            };
            Ok(Typed { scalar, integer: inner.integer.and_then(i128::checked_neg) })
        }
        Expr::Binary(binary) => operation(binary, scope),
        Expr::Call(call) => function(call, scope),
        Expr::MethodCall(call) if call.args.is_empty() => {
            apply(&call.method, typed(&call.receiver, scope)?)
        }
        Expr::Array(array) => Err(error(array, "expected one number, found a list")),
        other => Err(error(
            other,
            "expected a number: literals, fields, `+ - * /`, `sin`, `cos`, `sqrt`",
        )),
    }
}

fn error(tokens: &impl ToTokens, message: impl std::fmt::Display) -> syn::Error {
    syn::Error::new_spanned(tokens, message)
}

fn number(literal: &ExprLit) -> syn::Result<Typed> {
    let suffix = |suffix: &str| {
        matches!(suffix, "" | "f64").then_some(()).ok_or_else(|| {
            error(literal, format!("expected a number of type f64, found one of type {suffix}"))
        })
    };
    match &literal.lit {
        Lit::Int(int) => {
            suffix(int.suffix())?;
            int.base10_parse::<i128>().map(Typed::from)
        }
        Lit::Float(float) => {
            suffix(float.suffix())?;
            let value: f64 = float.base10_parse()?;
            if value.is_finite() {
                Ok(Scalar::Number(value).into())
            } else {
                Err(error(float, "this number is too large for f64"))
            }
        }
        other => Err(error(other, "expected a number")),
    }
}

fn name(path: &ExprPath, scope: Scope<'_>) -> syn::Result<Typed> {
    if let Some(ident) = path.path.get_ident() {
        return identifier(ident, scope);
    }
    let segments: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
    let constant = match segments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["consts", last] | ["f64", last] | ["f64", "consts", last] => Some(last),
        ["std" | "core", "f64", "consts", last] => Some(last),
        _ => None,
    };
    let value = constant.and_then(|last| CONSTANTS.iter().find(|(name, _)| *name == last));
    match value {
        Some(&(_, value)) => Ok(Scalar::Number(value).into()),
        None => Err(error(
            path,
            format!("expected a field or one of {}", list(CONSTANTS.map(|(name, _)| name))),
        )),
    }
}

fn identifier(ident: &Ident, scope: Scope<'_>) -> syn::Result<Typed> {
    variable(&ident.unraw().to_string(), scope)
        .map(Typed::from)
        .map_err(|message| error(ident, message))
}

fn operation(binary: &ExprBinary, scope: Scope<'_>) -> syn::Result<Typed> {
    if let BinOp::BitXor(op) = binary.op {
        return Err(error(&op, "`^` is exclusive or in Rust; write a power as a product, `x * x`"));
    }
    let (a, b) = both(typed(&binary.left, scope), typed(&binary.right, scope))?;
    let integers = a.integer.zip(b.integer);
    let exact = |f: fn(i128, i128) -> Option<i128>| integers.and_then(|(a, b)| f(a, b));
    let (scalar, integer) = match binary.op {
        BinOp::Add(_) => (a.scalar + b.scalar, exact(i128::checked_add)),
        BinOp::Sub(_) => (a.scalar - b.scalar, exact(i128::checked_sub)),
        BinOp::Mul(_) => (a.scalar * b.scalar, exact(i128::checked_mul)),
        BinOp::Div(_) => {
            if let Some((a, b)) = integers {
                divisible(binary, a, b)?;
            }
            (a.scalar / b.scalar, exact(i128::checked_div))
        }
        ref op => {
            return Err(error(op, "expected one of the operators `+`, `-`, `*` and `/`"));
        }
    };
    Ok(Typed { scalar, integer })
}

/// Both values, or the errors of both.
fn both(a: syn::Result<Typed>, b: syn::Result<Typed>) -> syn::Result<(Typed, Typed)> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(mut a), Err(b)) => {
            a.combine(b);
            Err(a)
        }
        (Err(e), _) | (_, Err(e)) => Err(e),
    }
}

fn divisible(binary: &ExprBinary, a: i128, b: i128) -> syn::Result<()> {
    match a.checked_rem(b) {
        Some(0) => Ok(()),
        Some(_) => {
            let quotient = a / b;
            Err(error(binary, format!("{a} / {b} is {quotient} in Rust; write {a}.0 / {b}.0")))
        }
        None => Err(error(binary, "division by zero")),
    }
}

/// `joint[k]` by what `coordinate` says of the joint.
fn indexed(
    index: &ExprIndex,
    coordinate: impl Fn(&str, usize) -> Option<Result<Scalar, String>>,
) -> syn::Result<Typed> {
    let name = joint_name(&index.expr).ok_or_else(|| error(&index.expr, "expected a joint"))?;
    let k = match &*index.index {
        Expr::Lit(ExprLit { lit: Lit::Int(k), .. }) => k.base10_parse()?,
        other => return Err(error(other, "expected the number of a coordinate, from 0 on")),
    };
    let found = coordinate(&name, k).unwrap_or_else(|| Err(format!("there is no joint `{name}`")));
    found.map(Typed::from).map_err(|message| error(index, message))
}

/// The name of a joint, as an identifier or a string.
fn joint_name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(|ident| ident.unraw().to_string()),
        Expr::Lit(ExprLit { lit: Lit::Str(name), .. }) => Some(name.value()),
        _ => None,
    }
}

/// `rate(joint)` or `rate(joint[k])`.
fn rate(argument: &Expr, state: &State<'_>) -> syn::Result<Typed> {
    if let Expr::Index(index) = argument {
        return indexed(index, |name, k| state.rate(name, Some(k)));
    }
    let name = joint_name(argument)
        .ok_or_else(|| error(argument, "expected a joint, `rate(joint)` or `rate(joint[0])`"))?;
    let found = state.rate(&name, None);
    let found = found.unwrap_or_else(|| Err(format!("there is no joint `{name}`")));
    found.map(Typed::from).map_err(|message| error(argument, message))
}

fn function(call: &ExprCall, scope: Scope<'_>) -> syn::Result<Typed> {
    let Expr::Path(path) = &*call.func else {
        return Err(error(&call.func, "expected `sin`, `cos` or `sqrt`"));
    };
    let Some(ident) = path.path.get_ident() else {
        return Err(error(path, "expected `sin`, `cos` or `sqrt`"));
    };
    match call.args.first() {
        Some(argument) if call.args.len() == 1 => {
            if let (true, Some(state)) = (ident == "rate", scope.state) {
                return rate(argument, state);
            }
            let known = FUNCTIONS.iter().any(|name| ident == name);
            let argument = if known { typed(argument, scope)? } else { Scalar::ZERO.into() };
            apply(ident, argument)
        }
        _ => Err(error(call, format!("`{ident}` takes one argument"))),
    }
}

fn apply(ident: &Ident, argument: Typed) -> syn::Result<Typed> {
    let argument = Box::new(argument.scalar);
    let name = ident.to_string();
    Ok(match name.as_str() {
        "sin" => Scalar::Sin(argument),
        "cos" => Scalar::Cos(argument),
        "sqrt" => Scalar::Sqrt(argument),
        _ => {
            let hint = did_you_mean(&name, FUNCTIONS);
            let known = list(FUNCTIONS);
            return Err(error(ident, format!("there is no function `{name}`, only {known}{hint}")));
        }
    }
    .into())
}
