//! Code that names what is deprecated once more: what rustc says of it, it says where the user wrote it.
//!
//! `#[allow(deprecated)]` does not compile where a user forbids that lint. But rustc says nothing of names that the
//! expansion of a derive has written.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{DeriveInput, Meta};

/// The code of an attribute macro as that of a derive, if it `names_deprecated`.
pub(super) fn derived(code: TokenStream, names_deprecated: bool, p: &TokenStream) -> TokenStream {
    if !names_deprecated {
        return code;
    }
    quote! {
        #[derive(#p::__Code)]
        #[code(#code)]
        struct __Code;
    }
}

/// What the derive writes: the code in the attribute.
pub(crate) fn code(item: TokenStream) -> TokenStream {
    let item = syn::parse2::<DeriveInput>(item);
    let attributes = item.map(|item| item.attrs).unwrap_or_default();
    let codes = attributes
        .into_iter()
        .filter_map(|attribute| match attribute.meta {
            Meta::List(list) if list.path.is_ident("code") => Some(by_derive(list.tokens)),
            _ => None,
        });
    codes.collect()
}

/// Tokens at their places, as those that a derive has written. Only for a derive.
pub(super) fn by_derive(tokens: TokenStream) -> TokenStream {
    let written = |span: Span| Span::call_site().located_at(span);
    let tokens = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &mut token {
            let span = group.span();
            *group = Group::new(group.delimiter(), by_derive(group.stream()));
            group.set_span(span);
        }
        token.set_span(written(token.span()));
        token
    });
    tokens.collect::<TokenStream>().into_token_stream()
}
