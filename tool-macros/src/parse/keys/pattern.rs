//! The regular expressions of `pattern`.

use proc_macro2::Ident;
use syn::LitStr;

use crate::model::Rule;

/// Reads the expression.
#[cfg(feature = "regex")]
pub(super) fn rule(_: &Ident, text: LitStr) -> syn::Result<Rule> {
    match super::ecma::translated(&text.value()) {
        Ok(regex) => Ok(Rule::Pattern { text, regex }),
        Err(message) => Err(syn::Error::new(text.span(), message)),
    }
}

/// Says what is missing to read it.
#[cfg(not(feature = "regex"))]
pub(super) fn rule(key: &Ident, _: LitStr) -> syn::Result<Rule> {
    let message = "`pattern` needs the feature `regex` of `toolwright`: add it in `Cargo.toml`, \
                   `toolwright = { …, features = [\"regex\"] }`";
    Err(syn::Error::new(key.span(), message))
}
