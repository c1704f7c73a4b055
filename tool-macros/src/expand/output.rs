//! The schema of what a tool returns, as far as it can be named where the tool is declared.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{ReturnType, Type};

use super::spans;
use crate::model::{Block, Callable};

/// The tree of what a function returns, as an expression. `None` if the type cannot be named outside
/// of the function, or there is none.
pub(super) fn of_function(callable: &Callable, p: &TokenStream) -> Option<TokenStream> {
    let ReturnType::Type(_, ty) = callable.output() else {
        return None;
    };
    let generic = !callable.signature.generics.params.is_empty();
    if generic || matches!(**ty, Type::Never(_)) || names_a_trait(ty.to_token_stream()) {
        return None;
    }
    Some(described(ty, &quote!(#p::OutputOf::<#ty>), p))
}

/// The tree of what a method returns.
pub(super) fn of_method(
    callable: &Callable,
    block: &Block,
    p: &TokenStream,
) -> Option<TokenStream> {
    let ReturnType::Type(_, ty) = callable.output() else {
        return None;
    };
    // A definition is the same for every type that a block stands for.
    let same = block.own_name_in(ty).is_none();
    same.then(|| of_function(callable, p)).flatten()
}

/// The tree of what a struct returns.
pub(super) fn of_struct(ident: impl ToTokens, p: &TokenStream) -> TokenStream {
    let output = quote!(#p::OutputOfStruct::<#ident>);
    described(ident, &output, p)
}

/// Also a mistake in it is shown at the type.
fn described(at: impl ToTokens, output: &TokenStream, p: &TokenStream) -> TokenStream {
    let call = spans::call(at, quote!(#p::output), quote!(#output::DESCRIBED));
    quote!({
        #[allow(unused_imports)]
        use #p::NoSchema as _;
        #call
    })
}

/// Whether there is an `impl Trait` in it.
fn names_a_trait(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "impl",
        TokenTree::Group(group) => names_a_trait(group.stream()),
        _ => false,
    })
}
