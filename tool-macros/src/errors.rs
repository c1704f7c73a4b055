//! The mistakes of one compilation, reported together.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Error;

/// Collects mistakes.
#[derive(Default)]
pub(crate) struct Errors(Option<Error>);

impl Errors {
    /// Adds a mistake in these tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    /// Adds a mistake at a span.
    pub(crate) fn at_span(&mut self, span: Span, message: impl Display) {
        self.push(Error::new(span, message));
    }

    pub(crate) fn push(&mut self, error: Error) {
        match &mut self.0 {
            Some(all) => all.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// The value of a result, or its error added.
    pub(crate) fn ok<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// The errors as code, if there are any.
    pub(crate) fn into_code(self) -> Option<TokenStream> {
        self.0.map(Error::into_compile_error)
    }
}
