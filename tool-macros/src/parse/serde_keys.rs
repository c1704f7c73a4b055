//! serde's attributes that change what is decoded in a way that the schema does not show.

use quote::ToTokens;
use syn::{
    Attribute, Data, DeriveInput, Expr, ExprLit, Fields, Lit, LitStr, Meta, MetaNameValue, Token,
    punctuated::Punctuated,
};

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
    // What does not parse is reported by serde's own parser.
    for key in metas(attributes) {
        let found = refused.iter().find(|(name, _)| key.path().is_ident(name));
        if let Some((name, instead)) = found {
            let message = format!(
                "`#[serde({name})]` is not supported in arguments, because the schema cannot show \
                 it: {instead}"
            );
            errors.at(key.path(), message);
        }
    }
}

/// The keys of all `#[serde(…)]`, as far as they can be read.
pub(super) fn metas(attributes: &[Attribute]) -> impl Iterator<Item = Meta> {
    let attributes = attributes.iter().filter(|a| a.path().is_ident("serde"));
    attributes.flat_map(|attribute| match &attribute.meta {
        Meta::List(list) => {
            let keys = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
            keys.unwrap_or_default()
        }
        _ => Punctuated::new(),
    })
}

/// The names that are given by `tag` and `content` of a type, and by `rename` and `alias` of what is in it.
/// The name of the type itself is not sent.
pub(super) fn names(item: &DeriveInput) -> Vec<LitStr> {
    let mut names = given(&item.attrs, &["tag", "content"]);
    let mut fields = |fields: &Fields| {
        for field in fields {
            names.extend(given(&field.attrs, NAMES));
        }
    };
    match &item.data {
        Data::Struct(data) => fields(&data.fields),
        Data::Enum(data) => {
            for variant in &data.variants {
                fields(&variant.fields);
            }
            let variants = data.variants.iter();
            names.extend(variants.flat_map(|variant| given(&variant.attrs, NAMES)));
        }
        Data::Union(_) => {}
    }
    names
}

const NAMES: &[&str] = &["rename", "alias"];

/// Returns true if a field has a name of its own.
pub(super) fn is_renamed(attributes: &[Attribute]) -> bool {
    !given(attributes, &["rename"]).is_empty()
}

/// The texts that are the values of these keys, as far as serde reads by them.
fn given(attributes: &[Attribute], keys: &[&str]) -> Vec<LitStr> {
    let is_asked = |meta: &Meta| keys.iter().any(|key| meta.path().is_ident(key));
    let mut texts = Vec::new();
    for meta in metas(attributes).filter(is_asked) {
        match meta {
            Meta::NameValue(meta) => texts.extend(text(&meta.value)),
            Meta::List(list) => {
                let inner = Punctuated::<MetaNameValue, Token![,]>::parse_terminated;
                let inner = list.parse_args_with(inner).unwrap_or_default();
                let read = inner
                    .iter()
                    .filter(|meta| meta.path.is_ident("deserialize"));
                texts.extend(read.filter_map(|meta| text(&meta.value)));
            }
            Meta::Path(_) => {}
        }
    }
    texts
}

fn text(value: &Expr) -> Option<LitStr> {
    match value {
        Expr::Lit(ExprLit {
            lit: Lit::Str(text),
            ..
        }) => Some(text.clone()),
        Expr::Group(inner) => text(&inner.expr),
        _ => None,
    }
}

/// Reports the fields of whose name `rename_all` leaves nothing: only what is written with capitals for
/// underscores. serde does not expect them, and neither does its parser.
pub(super) fn refuse_vanishing(item: &DeriveInput, errors: &mut Errors) -> bool {
    let capitals = |attributes: &[Attribute]| {
        metas(attributes).any(|meta| {
            let is_rename = ["rename_all", "rename_all_fields"];
            let rule = meta.to_token_stream().to_string();
            is_rename.iter().any(|key| meta.path().is_ident(key))
                && (rule.contains("camelCase") || rule.contains("PascalCase"))
        })
    };
    let mut vanishes = false;
    let mut fields = |fields: &Fields| {
        let named = fields.iter().filter(|field| !is_renamed(&field.attrs));
        for ident in named.filter_map(|field| field.ident.as_ref()) {
            if ident.to_string().trim_start_matches('_').is_empty() {
                errors.at(
                    ident,
                    "`rename_all` leaves nothing of this name: give it another one",
                );
                vanishes = true;
            }
        }
    };
    let by_type = capitals(&item.attrs);
    match &item.data {
        Data::Struct(data) if by_type => fields(&data.fields),
        Data::Enum(data) => {
            let renamed = data
                .variants
                .iter()
                .filter(|variant| by_type || capitals(&variant.attrs));
            renamed.for_each(|variant| fields(&variant.fields));
        }
        _ => {}
    }
    vanishes
}
