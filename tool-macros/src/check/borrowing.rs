//! The rules for what an argument may borrow. Which types may be borrowed is for the type system.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, Signature, Type, TypeReference, WherePredicate};

use super::{signature::written, size};
use crate::{
    errors::Errors,
    model::{Parameter, Source},
};

/// Returns true if a type breaks none of these rules.
pub(crate) fn may_be_borrowed(ty: &Type) -> bool {
    changed(ty).is_none() && static_lifetime(ty.to_token_stream()).is_none()
}

/// Arguments are lent: nobody sees what a function makes of them.
pub(super) fn not_changed(parameters: &[Parameter], errors: &mut Errors) {
    for ty in arguments(parameters) {
        if let Some(reference) = changed(ty) {
            let owned = owned(&reference.elem);
            let message = format!(
                "what a tool writes into an argument is lost: take `{owned}`, with `mut` before \
                 the name to change it"
            );
            errors.at(ty, message);
        }
    }
}

/// Arguments live as long as their call.
pub(super) fn not_static(parameters: &[Parameter], errors: &mut Errors) {
    for ty in arguments(parameters) {
        if changed(ty).is_some() {
            continue;
        }
        if let Some(span) = static_lifetime(ty.to_token_stream()) {
            let instead = match borrowed(ty) {
                Some(reference) => {
                    let (elem, owned) = (written(&reference.elem), owned(&reference.elem));
                    format!("take `&{elem}`, or `{owned}` to keep it")
                }
                None => "write `'_`, or take an owned type to keep it".to_owned(),
            };
            let message = format!("an argument lives as long as its call: {instead}");
            errors.at_span(span, message);
        }
    }
}

/// So do the lifetimes that a function declares.
pub(super) fn not_bound_to_static(signature: &Signature, errors: &mut Errors) {
    let generics = &signature.generics;
    let declared = generics.lifetimes().flat_map(|lifetime| &lifetime.bounds);
    let conditions = generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    let conditions = conditions.filter_map(|condition| match condition {
        WherePredicate::Lifetime(condition) => Some(&condition.bounds),
        _ => None,
    });
    for bound in declared.chain(conditions.flatten()) {
        if bound.ident == "static" {
            let message = "an argument lives as long as its call: remove this bound, or take an owned \
                           type to keep it";
            errors.at(bound, message);
        }
    }
}

fn arguments(parameters: &[Parameter]) -> impl Iterator<Item = &Type> {
    let parameters = parameters.iter();
    parameters.filter_map(|parameter| match parameter.source {
        Source::Argument { .. } => Some(&parameter.ty),
        Source::Context => None,
    })
}

/// The reference that a type is, also in parentheses and out of a macro.
fn borrowed(ty: &Type) -> Option<&TypeReference> {
    match ty {
        Type::Reference(reference) => Some(reference),
        Type::Group(group) => borrowed(&group.elem),
        Type::Paren(paren) => borrowed(&paren.elem),
        _ => None,
    }
}

fn changed(ty: &Type) -> Option<&TypeReference> {
    borrowed(ty).filter(|reference| reference.mutability.is_some())
}

/// Finds the first `'static`.
fn static_lifetime(tokens: TokenStream) -> Option<Span> {
    let mut mark = None;
    for token in tokens {
        match (&token, mark.take()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == '\'' => mark = Some(punct.span()),
            (TokenTree::Ident(ident), Some(start)) if ident == "static" => {
                let start: Span = start;
                return Some(start.join(ident.span()).unwrap_or_else(|| ident.span()));
            }
            (TokenTree::Group(group), _) => {
                if let Some(span) = static_lifetime(group.stream()) {
                    return Some(span);
                }
            }
            _ => {}
        }
    }
    None
}

/// The first reference in a type, wherever it is.
pub(crate) fn reference_in(ty: &Type) -> Option<&TypeReference> {
    match ty {
        Type::Reference(reference) => Some(reference),
        Type::Group(group) => reference_in(&group.elem),
        Type::Paren(paren) => reference_in(&paren.elem),
        Type::Array(array) => reference_in(&array.elem),
        Type::Slice(slice) => reference_in(&slice.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(reference_in),
        Type::Path(path) => {
            let segments = path.path.segments.iter();
            segments
                .filter_map(|segment| match &segment.arguments {
                    PathArguments::AngleBracketed(generic) => Some(&generic.args),
                    _ => None,
                })
                .flatten()
                .find_map(|argument| match argument {
                    GenericArgument::Type(ty) => reference_in(ty),
                    _ => None,
                })
        }
        _ => None,
    }
}

/// Returns the owned type to take instead of a reference.
pub(super) fn owned(ty: &Type) -> String {
    size::owned(ty).unwrap_or_else(|| written(ty))
}
