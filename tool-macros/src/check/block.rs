//! The rules for an `impl` block with tools.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, PathSegment, Receiver, ReceiverKind, Signature, Type};

use super::signature::written;
use crate::{
    errors::Errors,
    model::{Block, Callable, Source},
};

const BORROWED_STATE: &str = "tools are `'static`: let the value own what it needs, or share it in an `Arc`, \
                       and remove the lifetime";

/// The tools own the value that they stand on.
pub(super) fn owned_state(block: &Block, errors: &mut Errors) {
    for lifetime in block.generics.lifetimes() {
        errors.at(lifetime, BORROWED_STATE);
    }
    if let Some(lifetime) = anonymous_lifetime(block.self_ty.to_token_stream()) {
        errors.at_span(lifetime, BORROWED_STATE);
    }
}

/// Finds the first `'_` in a type.
fn anonymous_lifetime(tokens: TokenStream) -> Option<Span> {
    let mut mark = None;
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '\'' => mark = Some(punct.span()),
            TokenTree::Ident(name) if name == "_" && mark.is_some() => return mark,
            TokenTree::Group(group) => {
                if let Some(span) = anonymous_lifetime(group.stream()) {
                    return Some(span);
                }
                mark = None;
            }
            _ => mark = None,
        }
    }
    None
}

/// Calls run side by side.
pub(super) fn shared_receiver(signature: &Signature, errors: &mut Errors) {
    if let Some(Receiver { kind, .. }) = signature.receiver() {
        let is_shared = match kind {
            ReceiverKind::Reference(_, _, changed) => changed.is_none(),
            ReceiverKind::Typed(_, ty) => may_be_shared(ty),
            _ => false,
        };
        if !is_shared {
            let message = "calls run side by side and share the value: take `&self`, and put what \
                           changes into a `Mutex`";
            errors.at(signature.receiver(), message);
        }
    }
}

/// Returns true if a type may be a shared reference. For an alias, the compiler decides.
fn may_be_shared(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Group(inner) => may_be_shared(&inner.elem),
        Type::Paren(inner) => may_be_shared(&inner.elem),
        Type::Path(path) => {
            let owns = |segment: &PathSegment| match &segment.arguments {
                PathArguments::AngleBracketed(arguments) => arguments
                    .args
                    .iter()
                    .any(|argument| !matches!(argument, GenericArgument::Lifetime(_))),
                _ => false,
            };
            !path.path.is_ident("Self") && !path.path.segments.iter().any(owns)
        }
        Type::Macro(_) => true,
        _ => false,
    }
}

/// Reports arguments whose types depend on the `impl`. The schema that the model receives does not depend on the type
/// of the value.
pub(super) fn one_type_for_all(method: &Callable, block: &Block, errors: &mut Errors) {
    for parameter in &method.parameters {
        if !matches!(parameter.source, Source::Argument { .. }) {
            continue;
        }
        if let Some(name) = block.own_name_in(&parameter.ty) {
            let message = if name == "Self" {
                let own = written(&block.self_ty);
                format!("an argument names its type: write `{own}`")
            } else {
                format!(
                    "an argument has one schema for all types of the block, and `{name}` differs: \
                     write a type without the parameters of the `impl`"
                )
            };
            errors.at(name, message);
        }
    }
}
