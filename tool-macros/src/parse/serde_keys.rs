//! serde's attributes that change what is decoded in a way that the schema does not show.

use syn::{Attribute, Meta, Token, punctuated::Punctuated};

use crate::errors::Errors;

/// A key of `#[serde(…)]`, and what to write instead.
type Refused = (&'static str, &'static str);

pub(super) const ON_TYPE: &[Refused] = &[
    (
        "from",
        "write `ToolInput` by hand with the `Body` of the type it is made from",
    ),
    (
        "try_from",
        "write `ToolInput` by hand with the `Body` of the type it is made from",
    ),
    ("remote", "declare a type of your own"),
    ("field_identifier", "use an enum without it"),
    ("variant_identifier", "use an enum without it"),
];

pub(super) const ON_FIELD: &[Refused] = &[
    (
        "with",
        "use a type that has both `Deserialize` and `ToolInput`",
    ),
    (
        "deserialize_with",
        "use a type that has both `Deserialize` and `ToolInput`",
    ),
    ("getter", "use a field"),
];

pub(super) const ON_VARIANT: &[Refused] = &[
    ("other", "name every variant that a model may send"),
    ("untagged", "name every variant that a model may send"),
    (
        "with",
        "use types that have both `Deserialize` and `ToolInput`",
    ),
    (
        "deserialize_with",
        "use types that have both `Deserialize` and `ToolInput`",
    ),
];

/// Reports each key that the schema cannot show, at the key.
pub(super) fn refuse(attributes: &[Attribute], refused: &[Refused], errors: &mut Errors) {
    for attribute in attributes.iter().filter(|a| a.path().is_ident("serde")) {
        let Meta::List(list) = &attribute.meta else {
            continue;
        };
        // What does not parse is reported by serde's own parser.
        let keys = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        for key in keys.unwrap_or_default() {
            let found = refused.iter().find(|(name, _)| key.path().is_ident(name));
            if let Some((name, instead)) = found {
                let message = format!(
                    "`#[serde({name})]` is not supported in arguments, because the schema cannot \
                     show it: {instead}"
                );
                errors.at(key.path(), message);
            }
        }
    }
}
