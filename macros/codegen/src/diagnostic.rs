//! Places in the user's text, and the errors and warnings that point at them.
//!
//! A description comes from tokens or from a file; both say where each thing stands. Errors are
//! collected, so that one build shows them all, and warnings with them.

use std::fmt;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// Where something was described: a token, and, if that token names a file, the place in it.
#[derive(Clone, Debug)]
pub struct Location {
    /// The token, or the string literal that names the file.
    pub span: Span,
    /// The last token of an expression that has several; otherwise the same.
    pub end: Span,
    /// `path:line:column` within a file.
    pub file: Option<String>,
}

impl Location {
    /// A place in the attribute.
    pub fn token(span: Span) -> Self {
        Self { span, end: span, file: None }
    }

    /// A place of several tokens in the attribute.
    pub fn tokens(tokens: &impl ToTokens) -> Self {
        let mut spans = tokens.to_token_stream().into_iter().map(|token| token.span());
        let span = spans.next().unwrap_or_else(Span::call_site);
        Self { span, end: spans.last().unwrap_or(span), file: None }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(place) => f.write_str(place),
            None => write!(f, "line {}", self.span.start().line),
        }
    }
}

/// A name and where it was written.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name as the user wrote it, not yet an identifier.
    pub text: String,
    /// Where.
    pub at: Location,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The errors of one expansion, and its warnings, which do not end it.
#[derive(Debug, Default)]
pub struct Errors {
    list: Vec<syn::Error>,
    warnings: Vec<Warning>,
}

/// Something that is no error, and that the user should know.
#[derive(Clone, Debug)]
struct Warning {
    span: Span,
    text: String,
}

impl ToTokens for Warning {
    /// A use of a deprecated item, which stable compilers warn of.
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let text = &self.text;
        let used = quote_spanned!(self.span=> description);
        tokens.extend(quote! {
            const _: () = {
                #[deprecated(note = #text)]
                #[allow(non_upper_case_globals)]
                const description: () = ();
                #used
            };
        });
    }
}

impl Errors {
    /// Adds an error that points at `at`.
    pub fn push(&mut self, at: &Location, message: impl fmt::Display) {
        let mut range = quote_spanned!(at.span=> _);
        range.extend(quote_spanned!(at.end=> _));
        self.list.push(syn::Error::new_spanned(range, placed(at, message)));
    }

    /// Adds a warning that points at `at`.
    pub fn warn(&mut self, at: &Location, message: impl fmt::Display) {
        self.warnings.push(Warning { span: at.span, text: placed(at, message) });
    }

    /// Forgets the warnings.
    pub fn silence(&mut self) {
        self.warnings.clear();
    }

    /// Adds an error of the token parser.
    pub fn push_syn(&mut self, error: syn::Error) {
        self.list.push(error);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The messages, in the order in which they were found.
    pub fn messages(&self) -> Vec<String> {
        self.located().into_iter().map(|(_, message)| message).collect()
    }

    /// The messages with their places in the source, for tools that have read it as text.
    pub fn located(&self) -> Vec<(Span, String)> {
        let single = self.list.iter().flat_map(|error| error.clone());
        single.map(|error| (error.span(), error.to_string())).collect()
    }

    /// The warnings, in the order in which they were found.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.iter().map(|warning| warning.text.clone()).collect()
    }

    /// One `compile_error!` for each error, and one use of a deprecated item for each warning.
    pub fn to_diagnostics(&self) -> TokenStream {
        let errors = self.list.iter().map(syn::Error::to_compile_error);
        errors.chain(self.warnings.iter().map(ToTokens::to_token_stream)).collect()
    }
}

/// The message behind its place in a file.
fn placed(at: &Location, message: impl fmt::Display) -> String {
    match &at.file {
        Some(place) => format!("{place}: {message}"),
        None => message.to_string(),
    }
}
