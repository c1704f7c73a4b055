//! The mistakes of one compilation, reported together.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::Error;

/// Collects mistakes.
#[derive(Default)]
pub(crate) struct Errors {
    all: Option<Error>,
    count: usize,
}

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
        self.count += 1;
        match &mut self.all {
            Some(all) => all.combine(error),
            None => self.all = Some(error),
        }
    }

    /// Returns true if a check adds no errors.
    pub(crate) fn none_by(&mut self, check: impl FnOnce(&mut Self)) -> bool {
        let before = self.count;
        check(self);
        self.count == before
    }

    /// The value of a result, or its error added.
    pub(crate) fn ok<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// The errors as code inside of another item, if there are any: in the body of a function, an `impl`, a `trait` or an
    /// `extern` block.
    pub(crate) fn into_code(self) -> Option<TokenStream> {
        self.all.map(Error::into_compile_error)
    }

    /// The errors as an item of a module, if there are any.
    pub(crate) fn into_item(self) -> Option<TokenStream> {
        self.all.as_ref().map(item)
    }
}

/// An error as an item of a module. The compiler says nothing of names that are not found in a module in which a
/// `compile_error!` stands by itself.
pub(crate) fn item(error: &Error) -> TokenStream {
    let error = error.to_compile_error();
    quote!(const _: () = { #error };)
}
