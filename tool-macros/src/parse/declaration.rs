//! Declaration that all forms of a tool share.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, Lit};

use super::{docs, keys::Keys};
use crate::{
    errors::Errors,
    model::{Name, Root, Text, Tool},
};

/// Reads the declaration; `name_of` makes a name where no key gives one.
pub(super) fn tool(
    ident: Ident,
    name_of: fn(&Ident) -> String,
    attributes: &[Attribute],
    keys: &mut Keys,
    root: Root,
    errors: &mut Errors,
) -> Tool {
    let name = match keys.name(errors) {
        Some(literal) => Name {
            text: literal.value(),
            span: literal.span(),
            given: true,
        },
        None => Name {
            text: name_of(&ident),
            span: ident.span(),
            given: false,
        },
    };
    let description = description(keys, attributes, errors);
    let conditions = attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .cloned()
        .collect();
    Tool {
        ident,
        conditions,
        root,
        name,
        description,
        title: keys.title(errors),
        hints: keys.hints(errors),
        asked: keys.asked(errors),
        deferred: keys.word("deferred", errors),
        policy: keys.policy(errors),
    }
}

/// The text of the key, else the documentation.
pub(super) fn description(keys: &mut Keys, attributes: &[Attribute], errors: &mut Errors) -> Text {
    if keys.means_description() {
        return Text::Refused;
    }
    match keys.description(errors) {
        Ok(Some(expression)) => expression_text(expression),
        Ok(None) => docs::text(attributes),
        Err(()) => Text::Refused,
    }
}

/// A literal is as good as a doc comment; anything else is known to the compiler only.
fn expression_text(expression: Expr) -> Text {
    match &expression {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Text::Known {
            text: text.value().trim_ascii().to_owned(),
            from: text.to_token_stream(),
        },
        _ => Text::Expression(Box::new(expression)),
    }
}
