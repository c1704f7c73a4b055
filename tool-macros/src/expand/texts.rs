//! Descriptions as expressions.

use proc_macro2::TokenStream;
use quote::quote;

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
