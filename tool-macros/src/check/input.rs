//! The rules for a type inside arguments.

use std::collections::BTreeMap;

use syn::GenericParam;

use crate::{
    errors::Errors,
    model::{Input, Shape},
};

/// Arguments are owned by the function that takes them.
pub(super) fn owned(input: &Input, errors: &mut Errors) {
    for lifetime in input.generics.lifetimes() {
        let message = "a type inside arguments is owned: take `String` for a borrowed text, and \
                       remove the lifetime";
        errors.at(lifetime, message);
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

/// No two fields have one key, also after `rename`, `rename_all` and `alias`.
pub(super) fn names_differ(input: &Input, errors: &mut Errors) {
    let Shape::Object { fields, .. } = &input.shape else {
        return;
    };
    let mut seen = BTreeMap::new();
    for (place, field) in fields.iter().enumerate() {
        for name in field.aliases.iter().chain([&field.name]) {
            if *seen.entry(name).or_insert(place) != place {
                let message = format!("two fields are called `{name}` in JSON: rename one of them");
                errors.at_span(field.span, message);
            }
        }
    }
}

/// A model must be able to send something.
pub(super) fn something_to_choose(input: &Input, errors: &mut Errors) {
    if let Shape::Choice(variants) = &input.shape
        && variants.is_empty()
    {
        let message = "an enum without variants has no value that a model could send: add one";
        errors.at(&input.ident, message);
    }
}
