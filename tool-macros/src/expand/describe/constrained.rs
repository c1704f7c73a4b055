//! Fields under constraints.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use crate::{
    expand::{constraint, spans},
    model::{Constraints, Content, Input, Object, Shape},
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
    let checks = checks.chain(guessed);
    quote!(#(const _: () = #checks;)*)
}

/// What the checks read of a type.
fn facts(ty: &Type, p: &TokenStream) -> TokenStream {
    let body = super::entered(ty, &quote!(#p::Start), p);
    quote!(<#body as #p::Describe>::FACTS)
}

fn all(input: &Input) -> impl Iterator<Item = (&Type, &Constraints)> {
    let mut all = Vec::new();
    match &input.shape {
        Shape::Same {
            ty, constraints, ..
        } => all.push((&**ty, constraints)),
        Shape::Object(object) => all.extend(fields(object)),
        Shape::Union { variants, .. } => {
            for variant in variants {
                if let Content::Object(object) = &variant.content {
                    all.extend(fields(object));
                }
            }
        }
        Shape::Null | Shape::Tuple(_) | Shape::Choice(_) => {}
    }
    all.into_iter()
        .filter(|(_, constraints)| !constraints.all.is_empty())
}

fn fields(object: &Object) -> impl Iterator<Item = (&Type, &Constraints)> {
    let fields = object.fields.iter();
    fields.map(|field| (&field.ty, &field.constraints))
}
