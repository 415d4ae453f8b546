//! The grammar of the attribute, before anything in it has a meaning.
//!
//! ```text
//! items := (item ',')*
//! item  := word | word '->' word | key '=' value | key '(' items ')'
//! value := word | word '@' expression | expression
//! word  := identifier or keyword | string literal
//! ```
//!
//! Keys are read with `Ident::parse_any`, so that `box` is one. An item that cannot be read is
//! reported and skipped up to the next comma.

use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, Ident, LitStr, Token, parenthesized, token};

use crate::diagnostic::{Errors, Location, Name};

/// An identifier or a string literal: a key or a name.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) span: Span,
    /// Whether it is a string literal.
    pub(super) quoted: bool,
}

impl Word {
    pub(super) fn name(&self) -> Name {
        Name { text: self.text.clone(), at: self.at() }
    }

    pub(super) fn at(&self) -> Location {
        Location::token(self.span)
    }

    /// Whether it is the bare word `world`; a link of that name is written as a string.
    pub(super) fn is_world(&self) -> bool {
        self.text == "world" && !self.quoted
    }
}

/// One entry of a list.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) key: Word,
    pub(super) body: Body,
}

/// What stands after the key.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// Nothing: a flag or a name.
    Bare,
    /// `-> word`.
    Arrow(Word),
    /// `= value`.
    Value(Box<Value>),
    /// `(items)`.
    Call(Vec<Item>),
}

/// What stands after an equals sign.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Word(Word),
    /// `link @ [x, y, z]`.
    Point(Word, Expr),
    Expr(Expr),
}

impl Value {
    pub(super) fn at(&self) -> Location {
        match self {
            Value::Word(word) | Value::Point(word, _) => word.at(),
            Value::Expr(expr) => Location::tokens(expr),
        }
    }
}

/// Reads `input` to its end.
pub(super) fn items(input: ParseStream<'_>, errors: &mut Errors) -> Vec<Item> {
    let mut items = Vec::new();
    while !input.is_empty() {
        match item(input, errors) {
            Ok(item) => items.push(item),
            Err(error) => {
                errors.push_syn(error);
                skip_to_comma(input);
            }
        }
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            errors.push_syn(input.error("expected `,`"));
            skip_to_comma(input);
            let _ = input.parse::<Token![,]>();
        }
    }
    items
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _ = input.parse::<TokenTree>();
    }
}

fn item(input: ParseStream<'_>, errors: &mut Errors) -> syn::Result<Item> {
    let key = word(input)?;
    let body = if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        Body::Value(Box::new(value(input)?))
    } else if input.peek(Token![->]) {
        input.parse::<Token![->]>()?;
        Body::Arrow(word(input)?)
    } else if input.peek(token::Paren) {
        let content;
        parenthesized!(content in input);
        Body::Call(items(&content, errors))
    } else {
        Body::Bare
    };
    Ok(Item { key, body })
}

fn word(input: ParseStream<'_>) -> syn::Result<Word> {
    if input.peek(LitStr) {
        let literal: LitStr = input.parse()?;
        Ok(Word { text: literal.value(), span: literal.span(), quoted: true })
    } else if input.peek(Ident::peek_any) {
        let ident = Ident::parse_any(input)?;
        Ok(Word { text: ident.unraw().to_string(), span: ident.span(), quoted: false })
    } else {
        Err(input.error("expected a name or a key"))
    }
}

fn value(input: ParseStream<'_>) -> syn::Result<Value> {
    let fork = input.fork();
    let alone = word(&fork).is_ok() && (fork.is_empty() || fork.peek(Token![,]));
    if alone {
        Ok(Value::Word(word(input)?))
    } else if fork.peek(Token![@]) {
        let word = word(input)?;
        input.parse::<Token![@]>()?;
        Ok(Value::Point(word, input.parse()?))
    } else if input.is_empty() || input.peek(Token![,]) {
        Err(input.error("expected a value after `=`"))
    } else {
        Ok(Value::Expr(input.parse()?))
    }
}
