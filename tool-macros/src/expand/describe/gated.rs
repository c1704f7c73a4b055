//! Fields whose types have others inside, of which one may be what a model cannot send.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Type, parse_quote};

use super::flatten::is_generic;
use crate::{
    expand::{
        culprit::{self, Found, Suspected},
        spans,
    },
    model::{Constraints, Content, Input, Object, Shape, Tagging, is_foreign},
};

/// Puts what is asked in the place of such types, and gives the checks of those inside. Types that are chosen by who
/// uses the struct are asked there.
pub(in crate::expand) fn gate(input: &mut Input) -> TokenStream {
    if is_generic(input) {
        return TokenStream::new();
    }
    let root = &input.root;
    let p = quote!(#root::__private);
    let array = Ident::new("__FOUND", Span::call_site());
    // Their names, and how they are written.
    let mut asked: Vec<(Ident, String)> = Vec::new();
    let mut found = Found { array, start: 0 };
    let (mut suspects, mut names) = (Vec::new(), TokenStream::new());
    let types = types(&mut input.shape);
    let owned: Vec<Type> = types.iter().map(|ty| Type::clone(ty)).collect();
    for (ty, written) in types.into_iter().zip(&owned) {
        if is_foreign(ty) {
            continue;
        }
        let text = quote!(#ty).to_string();
        // A type that stands twice is asked for the same.
        let known = asked.iter().find(|(_, known)| *known == text);
        let name = if let Some((name, _)) = known {
            name.clone()
        } else {
            let Some(suspected) = Suspected::or_itself(written, found.clone()) else {
                continue;
            };
            let name = format_ident!("__Field{}", asked.len());
            let gated = suspected.gated(&parse_quote!(__T), &p);
            names.extend(quote!(type #name<__T> = #gated;));
            found.start += suspected.len();
            suspects.push(suspected);
            asked.push((name.clone(), text));
            name
        };
        *ty = named(&name, ty);
    }
    if suspects.is_empty() {
        return TokenStream::new();
    }
    let (of, search) = culprit::array(&suspects, &p);
    let checks = suspects.iter().map(|suspected| suspected.checks(&p));
    let array = &found.array;
    quote! {
        const #array: #of = #search;
        #names
        const _: () = { #(#checks)* };
    }
}

/// A type by the name of ours, where it is written.
fn named(name: &Ident, ty: &Type) -> Type {
    let (first, last) = spans::ends(ty);
    let name = Ident::new(&name.to_string(), first);
    let close = spans::respan(quote!(>), last);
    parse_quote!(#name<#ty #close)
}

/// The types that stand for themselves: constraints would be checked on what stands in their place.
fn types(shape: &mut Shape) -> Vec<&mut Type> {
    match shape {
        Shape::Null | Shape::Choice(_) => Vec::new(),
        Shape::Same {
            ty, constraints, ..
        } => free(ty, constraints).into_iter().collect(),
        Shape::Tuple(types) => types.iter_mut().collect(),
        Shape::Object(object) => of_object(object),
        Shape::Union { tagging, variants } => {
            let is_beside_a_tag = matches!(tagging, Tagging::Internal { .. });
            let contents = variants.iter_mut().map(|variant| &mut variant.content);
            let types = contents.flat_map(|content| match content {
                Content::Value(ty) if !is_beside_a_tag => vec![&mut **ty],
                Content::None | Content::Value(_) => Vec::new(),
                Content::Tuple(types) => types.iter_mut().collect(),
                Content::Object(object) => of_object(object),
            });
            types.collect()
        }
    }
}

fn of_object(object: &mut Object) -> Vec<&mut Type> {
    let fields = object.fields.iter_mut().filter(|field| !field.is_flattened);
    fields
        .filter_map(|field| free(&mut field.ty, &field.constraints))
        .collect()
}

fn free<'t>(ty: &'t mut Type, constraints: &Constraints) -> Option<&'t mut Type> {
    constraints.all.is_empty().then_some(ty)
}
