//! Attributes of a parameter that mean one of ours.

use syn::{Attribute, Meta, Token, punctuated::Punctuated};

use super::mark::is_ours;
use crate::{errors::Errors, model::Root, suggest::is_near};

/// The meaning of mistaken attributes. The rest is read as the user intended it.
pub(super) struct Misspelled {
    /// One means `#[context]`.
    pub(super) context: bool,
    /// The parameter may not be there.
    pub(super) is_conditional: bool,
}

/// Reports such attributes and takes them away: the compiler would report them once more.
pub(super) fn take(attributes: &mut Vec<Attribute>, errors: &mut Errors) -> Misspelled {
    let mut misspelled = Misspelled {
        context: false,
        is_conditional: false,
    };
    attributes.retain(|attribute| {
        let Some(name) = attribute.path().get_ident().map(ToString::to_string) else {
            return true;
        };
        let message = match name.as_str() {
            "cfg" => {
                let message = "a parameter is always there: put `#[cfg(…)]` on the function";
                errors.at(attribute, message);
                misspelled.is_conditional = true;
                return true;
            }
            "cfg_attr" => match conditional(attribute) {
                Some(ours) => {
                    misspelled.context |= ours == "context";
                    "a parameter is the same in every build: write the attribute without `cfg_attr`"
                        .to_owned()
                }
                None => return true,
            },
            "serde" => "a parameter is not a field: its keys are those of `#[tool(…)]`, such as \
                        `#[tool(default)]`"
                .to_owned(),
            "param" | "arg" | "schemars" | "description" => format!(
                "unknown attribute `{name}`: describe a parameter by a doc comment, write `/// …` above it"
            ),
            near if is_near(near, "context") => {
                misspelled.context = true;
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
    misspelled
}

/// Returns true if an attribute marks a tool under a condition.
pub(super) fn is_conditional_mark(attribute: &Attribute, root: &Root) -> bool {
    let mut attributes = conditional_on(attribute).into_iter();
    attributes.any(|attribute| is_ours(attribute.path(), Some(root)))
}

/// Returns the name of our attribute that is present under a condition.
fn conditional(attribute: &Attribute) -> Option<&'static str> {
    let attributes = conditional_on(attribute);
    let names = ["tool", "context", "doc"];
    names.into_iter().find(|name| {
        let mut attributes = attributes.iter();
        attributes.any(|attribute| attribute.path().is_ident(name))
    })
}

/// The attributes that are there on a condition.
fn conditional_on(attribute: &Attribute) -> Vec<Meta> {
    let Meta::List(list) = &attribute.meta else {
        return Vec::new();
    };
    if !attribute.path().is_ident("cfg_attr") {
        return Vec::new();
    }
    let parsed = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    parsed.unwrap_or_default().into_iter().skip(1).collect()
}
