//! The schema of what a tool returns, as far as it can be named where the tool is declared.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{ReturnType, Type};

use super::{advice, spans};
use crate::{
    check::has_no_size,
    model::{Block, Callable},
};

/// The check of what a function returns, and its tree, as expressions. `None` if the type cannot be named outside
/// of the function, or there is none.
pub(super) fn of_function(
    callable: &Callable,
    p: &TokenStream,
) -> Option<(TokenStream, TokenStream)> {
    let ReturnType::Type(_, ty) = callable.output() else {
        return None;
    };
    if !callable.signature.generics.params.is_empty() || !can_be_named(callable) {
        return None;
    }
    let output = quote!({
        use #p::NoSchema as _;
        #p::OutputOf::<#ty>::DESCRIBED
    });
    let output = spans::in_function(callable, ty, &quote!(#p::Option<#p::Described>), &output);
    let check = spans::call(ty, quote!(#p::check_output), output.clone());
    Some((check, quote!(#p::link(#output))))
}

/// Returns true if the type that a function returns has a name.
pub(super) fn can_be_named(callable: &Callable) -> bool {
    match callable.output() {
        ReturnType::Type(_, ty) => {
            let is_named = !matches!(**ty, Type::Never(_)) && !names_a_trait(ty.to_token_stream());
            is_named && !has_no_size(ty)
        }
        ReturnType::Default => false,
    }
}

/// The tree of what a method returns.
pub(super) fn of_method(
    callable: &Callable,
    block: &Block,
    p: &TokenStream,
) -> Option<(TokenStream, TokenStream)> {
    let ReturnType::Type(_, ty) = callable.output() else {
        return None;
    };
    // A definition is the same for every type that a block stands for.
    let same = block.own_name_in(ty).is_none();
    same.then(|| of_function(callable, p)).flatten()
}

/// The tree of what a struct returns.
pub(super) fn of_struct(ident: impl ToTokens, p: &TokenStream) -> (TokenStream, TokenStream) {
    let output = quote!({
        use #p::NoSchema as _;
        #p::OutputOfStruct::<#ident>::DESCRIBED
    });
    let check = spans::call(ident, quote!(#p::check_output), output.clone());
    (check, quote!(#p::link(#output)))
}

/// The check that a struct returns no `Result` in its `Result`.
pub(super) fn check_of_struct(ident: impl ToTokens, p: &TokenStream) -> TokenStream {
    let is_result = quote!(#p::ResultOfStruct::<#ident>::IS_RESULT);
    let check = spans::call(ident, quote!(#p::check_no_result), is_result);
    quote!({
        use #p::NoResult as _;
        #check
    })
}

/// The types that are written for a success and for an error.
#[derive(Clone, Copy)]
pub(super) struct Level<'t> {
    pub(super) success: &'t Type,
    pub(super) error: &'t Type,
}

/// The parts of a `Result` and of one inside it, as far as they are written. They say where something is
/// shown, and nothing else: a name may stand for anything.
pub(super) fn levels(ty: &Type) -> (Level<'_>, Level<'_>) {
    let outer = level(ty);
    let inner = level(outer.success);
    (outer, inner)
}

fn level(ty: &Type) -> Level<'_> {
    let written = match ty {
        Type::Group(group) => return level(&group.elem),
        Type::Paren(paren) => return level(&paren.elem),
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    let mut parts = written
        .filter(|last| last.ident == "Result")
        .map(advice::arguments)
        .into_iter()
        .flatten();
    let success = parts.next().unwrap_or(ty);
    let error = parts.next().unwrap_or(ty);
    Level { success, error }
}

/// Returns true if the tokens contain an `impl Trait`.
fn names_a_trait(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "impl",
        TokenTree::Group(group) => names_a_trait(group.stream()),
        _ => false,
    })
}
