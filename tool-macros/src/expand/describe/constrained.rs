//! Fields under constraints.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use crate::{
    expand::{constraint, spans, texts},
    model::{Constraints, Content, Field, Input, Shape},
};

/// The description of a field's type, under its constraints.
pub(super) fn body(ty: &Type, constraints: &Constraints, p: &TokenStream) -> TokenStream {
    let body = super::body(ty, p);
    if constraints.all.is_empty() {
        return body;
    }
    let holder = &constraints.ident;
    quote!(#p::Constrained<#body, #holder>)
}

/// The types that hold the constraints.
pub(super) fn holders(input: &Input, p: &TokenStream) -> TokenStream {
    all(input)
        .map(|(_, constraints)| constraint::holder(constraints, p))
        .collect()
}

/// The checks of the constraints, and that an enum without a tag has none.
pub(super) fn free_checks(input: &Input, p: &TokenStream) -> TokenStream {
    let constrained = all(input).filter(|(ty, _)| !input.names_a_parameter(ty));
    let checks =
        constrained.flat_map(|(ty, constraints)| constraint::checks(constraints, &facts(ty, p), p));
    let guessed = input.field_types_without_tag().into_iter();
    let guessed = guessed.filter(|ty| !input.names_a_parameter(ty)).map(|ty| {
        let facts = facts(ty, p);
        spans::call(ty, quote!(#p::check_untagged), facts)
    });
    let told = fields_of(input).filter_map(|field| texts::check(&field.description, &input.root));
    let checks = checks.chain(guessed).chain(told);
    quote!(#(const _: () = #checks;)*)
}

/// Creates the expression of the facts that the checks read of a type.
fn facts(ty: &Type, p: &TokenStream) -> TokenStream {
    super::started(ty, &quote!(FACTS), &quote!(#p::TypeFacts), p)
}

fn all(input: &Input) -> impl Iterator<Item = (&Type, &Constraints)> {
    let only = match &input.shape {
        Shape::Same {
            ty, constraints, ..
        } => Some((&**ty, constraints)),
        _ => None,
    };
    let fields = fields_of(input).map(|field| (&field.ty, &field.constraints));
    only.into_iter()
        .chain(fields)
        .filter(|(_, constraints)| !constraints.all.is_empty())
}

/// The fields with names, also those of variants.
fn fields_of(input: &Input) -> impl Iterator<Item = &Field> {
    let objects = match &input.shape {
        Shape::Object(object) => vec![object],
        Shape::Union { variants, .. } => {
            let contents = variants.iter().map(|variant| &variant.content);
            let objects = contents.filter_map(|content| match content {
                Content::Object(object) => Some(object),
                _ => None,
            });
            objects.collect()
        }
        Shape::Null | Shape::Same { .. } | Shape::Tuple(_) | Shape::Choice(_) => Vec::new(),
    };
    objects.into_iter().flat_map(|object| &object.fields)
}
