//! The checks of types whose keys stand among those of another: flattened ones, and those beside a
//! tag.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Type, parse_quote};

use super::{body, object::own_keys, started};
use crate::{
    expand::{culprit, spans},
    model::{Content, Input, Object, Shape, Tagging},
};

/// A type whose keys stand among others.
struct Flattened<'i> {
    ty: &'i Type,
    /// The keys beside it.
    own: Vec<&'i String>,
    /// The types that are flattened before it.
    before: Vec<&'i Type>,
}

/// The checks of a type without type parameters, which hold wherever it is used.
pub(super) fn free_checks(input: &Input, p: &TokenStream) -> TokenStream {
    if is_generic(input) {
        return TokenStream::new();
    }
    let checks = all(input).into_iter().map(|flattened| {
        let ty = flattened.ty;
        let (asked, nothing) = (culprit::keyed(ty, p), TokenStream::new());
        let check = quote!(#p::check_object);
        let object = spans::generic_call_as(ty, &asked, &nothing, &check, nothing.clone());
        let arguments = arguments(&flattened, |ty| {
            started(ty, &quote!(KEYS), &quote!(#p::Keys), p)
        });
        let keys = spans::call(ty, quote!(#p::check_flattened), arguments);
        quote! {
            const _: () = #object;
            const _: () = #keys;
        }
    });
    quote!(#(#checks)*)
}

/// Creates the calls that record the flattened fields of a type with type parameters. The check of the parameter
/// whose type contains this one reads the records.
pub(super) fn told(input: &Input, p: &TokenStream) -> TokenStream {
    if !is_generic(input) {
        return TokenStream::new();
    }
    let told = all(input).into_iter().map(|flattened| {
        let keys = |ty: &Type| {
            let body = body(ty, p);
            quote!(<#body as #p::Describe>::KEYS)
        };
        let arguments = arguments(&flattened, keys);
        quote!(.with_clash(#p::Clash::of(#arguments)))
    });
    quote!(#(#told)*)
}

/// Adds the bounds that a type with type parameters needs on the types that it flattens.
pub(super) fn add_bounds(input: &Input, generics: &mut Generics, p: &TokenStream) {
    if is_generic(input) {
        let conditions = &mut generics.make_where_clause().predicates;
        for Flattened { ty, .. } in all(input) {
            conditions.push(parse_quote!(#ty: #p::FlattenInput));
        }
    }
}

fn arguments(flattened: &Flattened<'_>, keys: impl Fn(&Type) -> TokenStream) -> TokenStream {
    let Flattened { ty, own, before } = flattened;
    let this = keys(ty);
    let before = before.iter().map(|ty| keys(ty));
    quote!(#this, &[#(#own),*], &[#(#before),*])
}

pub(super) fn is_generic(input: &Input) -> bool {
    input.generics.type_params().next().is_some() || input.generics.const_params().next().is_some()
}

fn all(input: &Input) -> Vec<Flattened<'_>> {
    let mut all = Vec::new();
    match &input.shape {
        Shape::Object(object) => add_fields(object, None, &mut all),
        Shape::Union { tagging, variants } => {
            let tag = match tagging {
                Tagging::Internal { tag } => Some(tag),
                _ => None,
            };
            for variant in variants {
                match (&variant.content, tag) {
                    (Content::Object(object), _) => add_fields(object, tag, &mut all),
                    (Content::Value(ty), Some(tag)) => all.push(Flattened {
                        ty,
                        own: vec![tag],
                        before: Vec::new(),
                    }),
                    _ => {}
                }
            }
        }
        _ => {}
    }
    all
}

fn add_fields<'i>(object: &'i Object, tag: Option<&'i String>, all: &mut Vec<Flattened<'i>>) {
    let own: Vec<_> = own_keys(object).chain(tag).collect();
    let mut before = Vec::new();
    for field in object.fields.iter().filter(|field| field.is_flattened) {
        all.push(Flattened {
            ty: &field.ty,
            own: own.clone(),
            before: before.clone(),
        });
        before.push(&field.ty);
    }
}
