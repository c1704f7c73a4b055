//! Attributes of a parameter that mean one of ours.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Meta};

use crate::{errors::Errors, near::is_near};

/// What mistaken attributes mean, so that the rest is read as it was meant.
pub(super) struct Mistaken {
    /// One means `#[context]`.
    pub(super) context: bool,
}

/// Reports such attributes and takes them away: the compiler would report them once more.
pub(super) fn take(attributes: &mut Vec<Attribute>, errors: &mut Errors) -> Mistaken {
    let mut mistaken = Mistaken { context: false };
    attributes.retain(|attribute| {
        let Some(name) = attribute.path().get_ident().map(ToString::to_string) else {
            return true;
        };
        let message = match name.as_str() {
            "cfg" => {
                let message = "a parameter is always there: put `#[cfg(…)]` on the function";
                errors.at(attribute, message);
                return true;
            }
            "cfg_attr" => match conditional(attribute) {
                Some(ours) => {
                    mistaken.context |= ours == "context";
                    "a parameter is the same in every build: write the attribute without `cfg_attr`"
                        .to_owned()
                }
                None => return true,
            },
            "serde" => "a parameter is not a field: its keys are those of `#[tool(…)]`, such as \
                        `#[tool(default)]`"
                .to_owned(),
            near if is_near(near, "context") => {
                mistaken.context = true;
                format!("unknown attribute `{near}`, did you mean `#[context]`?")
            }
            near if near.len() > 2 && is_near(near, "tool") => {
                format!("unknown attribute `{near}`, did you mean `#[tool(…)]`?")
            }
            _ => return true,
        };
        errors.at(attribute, message);
        false
    });
    mistaken
}

/// Whether it marks a tool on a condition.
pub(super) fn is_conditional_mark(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg_attr") && conditional(attribute) == Some("tool")
}

/// Which attribute of ours is there on a condition.
fn conditional(attribute: &Attribute) -> Option<&'static str> {
    let Meta::List(list) = &attribute.meta else {
        return None;
    };
    let names = ["tool", "context", "doc"];
    names.into_iter().find(|name| mentions(&list.tokens, name))
}

fn mentions(tokens: &TokenStream, name: &str) -> bool {
    let mut tokens = tokens.clone().into_iter();
    tokens.any(|token| matches!(token, TokenTree::Ident(ident) if ident == name))
}
