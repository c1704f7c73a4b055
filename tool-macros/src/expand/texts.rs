//! Descriptions as expressions.

use proc_macro2::TokenStream;
use quote::quote;

use super::spans;
use crate::model::{Root, Text};

/// The expression of a description, which is a constant.
pub(super) fn expression(text: &Text, root: &Root) -> TokenStream {
    match text {
        Text::Missing | Text::Refused => quote!(""),
        Text::Known { text, .. } => quote!(#text),
        Text::Documentation(tokens) => quote!(#root::__private::documentation(#tokens)),
        Text::Expression(expression) => quote!(#root::__private::description(#expression)),
    }
}

/// The check of a description inside of the arguments that the macro cannot read.
pub(super) fn check(text: &Text, root: &Root) -> Option<TokenStream> {
    let Text::Expression(at) = text else {
        return None;
    };
    let check = quote!(#root::__private::check_visible);
    Some(spans::call(at, check, expression(text, root)))
}
