//! The regular expressions of `pattern`.

use proc_macro2::Ident;
use syn::{Expr, LitStr};
#[cfg(feature = "regex")]
use syn::{ExprLit, Lit};

#[cfg(feature = "regex")]
use crate::model::{Constraint, seen};
use crate::{
    errors::Errors,
    model::{Constraints, Rule},
};

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

/// Reports a text that is written out and does not match the patterns beside it.
#[cfg(feature = "regex")]
pub(in crate::parse) fn check(
    constraints: &Constraints,
    what: &str,
    value: &Expr,
    errors: &mut Errors,
) {
    let Some(Expr::Lit(ExprLit {
        lit: Lit::Str(text),
        ..
    })) = seen(value)
    else {
        return;
    };
    let unmatched = constraints.all.iter().any(|Constraint { rule, .. }| {
        let Rule::Pattern { regex, .. } = rule else {
            return false;
        };
        regex::Regex::new(regex).is_ok_and(|regex| !regex.is_match(&text.value()))
    });
    if unmatched {
        let message = format!("the {what} does not match `pattern`: change one of them");
        errors.at(text, message);
    }
}

/// Without the feature no pattern is accepted.
#[cfg(not(feature = "regex"))]
pub(in crate::parse) fn check(_: &Constraints, _: &str, _: &Expr, _: &mut Errors) {}
