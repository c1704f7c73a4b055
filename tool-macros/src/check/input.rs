//! The rules for a type inside arguments.

use std::collections::BTreeMap;

use proc_macro2::Span;
use syn::{GenericParam, Type};

use super::borrowing;
use crate::{
    errors::Errors,
    model::{Content, Input, Object, Shape, Tagging, Variant},
    visible::has_visible,
};

/// A tool outlives its calls, and the struct is its type.
pub(super) fn owned(input: &Input, errors: &mut Errors) {
    for lifetime in input.generics.lifetimes() {
        let message = "a struct that is a tool is owned: take `String` for a borrowed text, and \
                       remove the lifetime";
        errors.at(lifetime, message);
    }
}

/// serde borrows a text only if it is written without escapes, and fails if not.
pub(super) fn borrows_by_cow(input: &Input, errors: &mut Errors) {
    for ty in input.shape.field_types() {
        if let Some(reference) = borrowing::reference_in(ty) {
            let message = match &*reference.elem {
                Type::Path(path) if path.path.is_ident("str") => {
                    "a string may have escapes, which cannot be borrowed: take `String`, or \
                     `Cow<'a, str>` with `#[serde(borrow)]`"
                        .to_owned()
                }
                elem => {
                    let owned = borrowing::owned(elem);
                    format!("inside arguments only strings are borrowed: take `{owned}`")
                }
            };
            errors.at(reference, message);
        }
    }
}

/// The model sends JSON; nothing says which type it means.
pub(super) fn one_type(input: &Input, errors: &mut Errors) {
    let mut parameters = input.generics.params.iter();
    if parameters.any(|parameter| !matches!(parameter, GenericParam::Lifetime(_))) {
        let message = "a tool cannot be generic: write the types that the model is to send";
        errors.at(&input.generics, message);
    }
}

/// The arguments of a tool are an object.
pub(super) fn object_at_the_root(input: &Input, errors: &mut Errors) {
    if !matches!(input.shape, Shape::Object(_)) {
        let message = "the arguments of a tool are an object: remove `#[serde(transparent)]`";
        errors.at(&input.ident, message);
    }
}

/// A name that a model has to send can be seen, also after `rename` and `rename_all`.
pub(super) fn names_say_something(input: &Input, errors: &mut Errors) {
    for (span, name) in input.names_at() {
        if !has_visible(&name) {
            let message = "this name is empty in JSON, or nothing of it can be seen: write one that a \
                           model can send, such as `#[serde(rename = \"unit\")]`";
            errors.at_span(span, message);
        }
    }
}

/// No two fields have one key, also after `rename`, `rename_all` and `alias`; no two variants have
/// one name.
pub(super) fn names_differ(input: &Input, errors: &mut Errors) {
    match &input.shape {
        Shape::Object(object) => fields_differ(object, errors),
        Shape::Choice(variants) => variants_differ(variants, errors),
        Shape::Union { tagging, variants } => {
            // Without a tag their names say nothing.
            if !matches!(tagging, Tagging::Untagged) {
                variants_differ(variants, errors);
            }
            for variant in variants {
                if let Content::Object(object) = &variant.content {
                    fields_differ(object, errors);
                }
            }
        }
        Shape::Null | Shape::Same { .. } | Shape::Tuple(_) => {}
    }
}

fn fields_differ(object: &Object, errors: &mut Errors) {
    let keyed = object.fields.iter().filter(|field| !field.is_flattened);
    let names = keyed.map(|field| (field.span, field.aliases.iter().chain([&field.name])));
    differ(names, "two fields are called", errors);
}

fn variants_differ(variants: &[Variant], errors: &mut Errors) {
    let names = variants
        .iter()
        .map(|variant| (variant.span, variant.aliases.iter().chain([&variant.name])));
    differ(names, "two variants are called", errors);
}

fn differ<'n, N: Iterator<Item = &'n String>>(
    all: impl Iterator<Item = (Span, N)>,
    what: &str,
    errors: &mut Errors,
) {
    let mut seen = BTreeMap::new();
    for (place, (span, names)) in all.enumerate() {
        for name in names {
            if *seen.entry(name).or_insert(place) != place {
                errors.at_span(span, format!("{what} `{name}` in JSON: rename one of them"));
            }
        }
    }
}

/// A model must be able to send something.
pub(super) fn something_to_choose(input: &Input, errors: &mut Errors) {
    let (Shape::Choice(variants) | Shape::Union { variants, .. }) = &input.shape else {
        return;
    };
    if variants.is_empty() {
        let message = "an enum without variants has no value that a model could send: add one";
        errors.at(&input.ident, message);
    }
}
