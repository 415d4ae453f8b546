//! The grammar of the attribute, before anything in it has a meaning.
//!
//! ```text
//! items := (item ',')*
//! item  := word | word '->' word | key '=' value | key '(' items ')'
//! value := word | word '@' expression | expression
//! word  := identifier or keyword | string literal
//! ```
//!
//! Keys are read with `Ident::parse_any`, so that `box` is one. What comes after an error
//! is skipped up to the next comma.

use proc_macro2::{Span, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, Ident, LitStr, Token, parenthesized, token};

use crate::diagnostic::{Location, Name};

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
    /// Whether it ends in an error, so that it is not what its user meant.
    pub(super) cut: bool,
}

impl Item {
    /// Whether one of `names` stands in it.
    pub(super) fn mentions(&self, names: &[String]) -> bool {
        match &self.body {
            Body::Bare => names.contains(&self.key.text),
            Body::Arrow(word) => names.contains(&self.key.text) || names.contains(&word.text),
            Body::Value(value) => value.mentions(names),
            Body::Call(content) => content.items.iter().any(|item| item.mentions(names)),
        }
    }
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
    Call(Content),
}

/// What stands in parentheses. Its errors are kept with it until it is known to be wanted.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    pub(super) items: Vec<Item>,
    pub(super) errors: Vec<syn::Error>,
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

    fn mentions(&self, names: &[String]) -> bool {
        match self {
            Value::Word(word) => names.contains(&word.text),
            Value::Point(word, expr) => names.contains(&word.text) || contains(expr, names),
            Value::Expr(expr) => contains(expr, names),
        }
    }
}

/// Whether one of `names` is among the tokens, as an identifier or a string literal.
fn contains(tokens: &impl ToTokens, names: &[String]) -> bool {
    tokens.to_token_stream().into_iter().any(|tree| match tree {
        TokenTree::Group(group) => contains(&group.stream(), names),
        TokenTree::Ident(ident) => names.contains(&ident.unraw().to_string()),
        TokenTree::Literal(literal) => {
            names.iter().any(|name| literal.to_string() == format!("{name:?}"))
        }
        TokenTree::Punct(_) => false,
    })
}

/// Reads `input` to its end.
pub(super) fn content(input: ParseStream<'_>) -> Content {
    let Content { mut items, mut errors } = Content::default();
    while !input.is_empty() {
        let read = item(input).map(|mut item| {
            item.cut = !input.is_empty() && !input.peek(Token![,]);
            if item.cut {
                errors.push(input.error("expected `,`"));
            }
            items.push(item);
        });
        errors.extend(read.err());
        skip_to_comma(input);
        let _ = input.parse::<Token![,]>();
    }
    Content { items, errors }
}

fn skip_to_comma(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _ = input.parse::<TokenTree>();
    }
}

fn item(input: ParseStream<'_>) -> syn::Result<Item> {
    let key = word(input)?;
    let body = if input.peek(Token![=>]) {
        return Err(input.error("expected `->`, or `=` and a value"));
    } else if input.peek(Token![=]) {
        input.parse::<Token![=]>()?;
        Body::Value(Box::new(value(input)?))
    } else if input.peek(Token![->]) {
        input.parse::<Token![->]>()?;
        Body::Arrow(word(input)?)
    } else if input.peek(token::Paren) {
        let inside;
        parenthesized!(inside in input);
        Body::Call(content(&inside))
    } else {
        Body::Bare
    };
    Ok(Item { key, body, cut: false })
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
