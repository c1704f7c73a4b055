//! The checks of the fields of a struct that asks for more than the rules for all.

use proc_macro2::TokenStream;
use quote::quote;

use super::started;
use crate::{
    expand::{spans, strict},
    model::{Derived, Shape},
};

/// The checks of its fields, each at its type, and of all of them together.
pub(in crate::expand) fn field_checks(derived: &Derived, p: &TokenStream) -> Vec<TokenStream> {
    let (Some(rules), Shape::Object(object)) =
        (strict::rules(&derived.tool, p), &derived.input.shape)
    else {
        return Vec::new();
    };
    let owner = crate::model::plain(&derived.input.ident);
    let all = object.fields.iter().map(|field| {
        let facts = started(&field.ty, &quote!(FACTS), &quote!(#p::TypeFacts), p);
        if field.is_flattened {
            quote!(#p::TypeFacts::flattened(#facts).owned_by(#owner))
        } else {
            facts
        }
    });
    let all: Vec<_> = all.collect();
    let fields = object.fields.iter().zip(&all);
    let checks = fields.map(|(field, facts)| {
        // The keys of a type that is flattened stand among the arguments.
        let name = if field.is_flattened { "" } else { &field.name };
        let paths = started(&field.ty, &quote!(PATHS), &quote!(#p::Paths), p);
        spans::call(
            &field.ty,
            quote!(#p::check_field_by),
            quote!(#rules, #name, #facts, #paths),
        )
    });
    let flattened = object.fields.iter().filter(|field| field.is_flattened);
    let names = flattened.map(|field| {
        let keys = started(&field.ty, &quote!(KEYS), &quote!(#p::Keys), p);
        spans::call(&field.ty, quote!(#p::check_names_by), quote!(#rules, #keys))
    });
    let together = strict::properties_check(&derived.tool, &all, p);
    checks.chain(names).chain(together).collect()
}
