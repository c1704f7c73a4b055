//! Fields whose types have others inside, of which one may be what a model cannot send.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::flatten::is_generic;
use crate::{
    expand::culprit::Suspected,
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
    let mut seen = Vec::new();
    let mut asked = TokenStream::new();
    for ty in types(&mut input.shape) {
        if is_foreign(ty) {
            continue;
        }
        // A type that stands twice is asked for the same.
        let written = quote!(#ty).to_string();
        let known = seen.iter().position(|one| *one == written);
        let id = format!("FIELD_{}", known.unwrap_or(seen.len()));
        let Some(suspected) = Suspected::or_itself(ty, id) else {
            continue;
        };
        if known.is_none() {
            asked.extend(suspected.asked(&|_, value| value.clone(), &p));
            seen.push(written);
        }
        let Ok(gated) = syn::parse2(suspected.gated(ty, &p)) else {
            unreachable!("it is a type of our own");
        };
        *ty = gated;
    }
    asked
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
