//! Numbers of the attribute: Rust expressions of literals, fields and a few functions.
//!
//! They mean what they mean in Rust, so what Rust would quietly make of `1 / 2` or `x ^ 2` is an
//! error here.

use std::f64::consts;

use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{BinOp, Expr, ExprBinary, ExprCall, ExprLit, ExprPath, Ident, Lit, Member, UnOp};

use super::suggest::{did_you_mean, list};
use crate::scalar::Scalar;

/// Constants that an expression may use.
const CONSTANTS: [(&str, f64); 8] = [
    ("PI", consts::PI),
    ("TAU", consts::TAU),
    ("FRAC_PI_2", consts::FRAC_PI_2),
    ("FRAC_PI_3", consts::FRAC_PI_3),
    ("FRAC_PI_4", consts::FRAC_PI_4),
    ("FRAC_PI_6", consts::FRAC_PI_6),
    ("INFINITY", f64::INFINITY),
    ("NEG_INFINITY", f64::NEG_INFINITY),
];

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

/// The value of `expr`, in which `fields` may stand.
///
/// # Errors
///
/// Points at the part that is not understood.
pub(super) fn scalar(expr: &Expr, fields: &[String]) -> syn::Result<Scalar> {
    typed(expr, fields).map(|value| value.scalar)
}

/// The value of an identifier: a field or a constant.
pub(super) fn variable(ident: &str, fields: &[String]) -> Result<Scalar, String> {
    let plain = |field: &String| field.strip_prefix("r#").unwrap_or(field) == ident;
    if let Some(index) = fields.iter().position(plain) {
        return Ok(Scalar::Field(index));
    }
    if let Some(&(_, value)) = CONSTANTS.iter().find(|(name, _)| *name == ident) {
        return Ok(Scalar::Number(value));
    }
    let names = fields.iter().map(String::as_str).chain(CONSTANTS.map(|(name, _)| name));
    let hint = did_you_mean(ident, names);
    let known = match fields {
        [] => "the struct has none".to_owned(),
        _ => format!("the struct has {}", list(fields.iter().map(String::as_str))),
    };
    Err(format!("there is no field `{ident}`, {known}{hint}"))
}

fn typed(expr: &Expr, fields: &[String]) -> syn::Result<Typed> {
    match expr {
        Expr::Paren(inner) => typed(&inner.expr, fields),
        Expr::Group(inner) => typed(&inner.expr, fields),
        Expr::Lit(literal) => number(literal),
        Expr::Path(path) => name(path, fields),
        Expr::Field(field) => match (&*field.base, &field.member) {
            (Expr::Path(base), Member::Named(member)) if base.path.is_ident("self") => {
                identifier(member, fields)
            }
            _ => Err(error(field, "expected a field of the struct, as `length` or `self.length`")),
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            let inner = typed(&unary.expr, fields)?;
            let scalar = match inner.scalar {
                Scalar::Number(x) => Scalar::Number(-x),
                other => -other,
            };
            Ok(Typed { scalar, integer: inner.integer.and_then(i128::checked_neg) })
        }
        Expr::Binary(binary) => operation(binary, fields),
        Expr::Call(call) => function(call, fields),
        Expr::MethodCall(call) if call.args.is_empty() => {
            apply(&call.method, typed(&call.receiver, fields)?)
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

fn name(path: &ExprPath, fields: &[String]) -> syn::Result<Typed> {
    if let Some(ident) = path.path.get_ident() {
        return identifier(ident, fields);
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

fn identifier(ident: &Ident, fields: &[String]) -> syn::Result<Typed> {
    variable(&ident.unraw().to_string(), fields)
        .map(Typed::from)
        .map_err(|message| error(ident, message))
}

fn operation(binary: &ExprBinary, fields: &[String]) -> syn::Result<Typed> {
    if let BinOp::BitXor(op) = binary.op {
        return Err(error(&op, "`^` is exclusive or in Rust; write a power as a product, `x * x`"));
    }
    let (a, b) = both(typed(&binary.left, fields), typed(&binary.right, fields))?;
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

fn function(call: &ExprCall, fields: &[String]) -> syn::Result<Typed> {
    let Expr::Path(path) = &*call.func else {
        return Err(error(&call.func, "expected `sin`, `cos` or `sqrt`"));
    };
    let Some(ident) = path.path.get_ident() else {
        return Err(error(path, "expected `sin`, `cos` or `sqrt`"));
    };
    match call.args.first() {
        Some(argument) if call.args.len() == 1 => {
            let known = FUNCTIONS.iter().any(|name| ident == name);
            let argument = if known { typed(argument, fields)? } else { Scalar::ZERO.into() };
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
