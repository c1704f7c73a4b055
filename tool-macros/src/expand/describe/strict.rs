//! The checks of the fields of a struct that asks for more than the rules for all.

use proc_macro2::TokenStream;
use quote::quote;

use super::entered;
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
        let body = entered(&field.ty, &quote!(#p::Start), p);
        let facts = quote!(<#body as #p::Describe>::FACTS);
        if field.is_flattened {
            quote!(#p::Facts::flattened(#facts).owned_by(#owner))
        } else {
            facts
        }
    });
    let all: Vec<_> = all.collect();
    let fields = object.fields.iter().zip(&all);
    let checks = fields.map(|(field, facts)| {
        // The keys of a type that is flattened stand among the arguments.
        let name = if field.is_flattened { "" } else { &field.name };
        let body = entered(&field.ty, &quote!(#p::Start), p);
        spans::call(
            &field.ty,
            quote!(#p::check_field_by),
            quote!(#rules, #name, #facts, <#body as #p::Describe>::PATHS),
        )
    });
    let flattened = object.fields.iter().filter(|field| field.is_flattened);
    let names = flattened.map(|field| {
        let body = entered(&field.ty, &quote!(#p::Start), p);
        spans::call(
            &field.ty,
            quote!(#p::check_names_by),
            quote!(#rules, <#body as #p::Describe>::KEYS),
        )
    });
    let together = strict::properties_check(&derived.tool, &all, p);
    checks.chain(names).chain(together).collect()
}
