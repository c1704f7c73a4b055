//! The lifetimes that a declaration has names for, where these names mean nothing.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Generics, Type};

/// A type with `'_` in their place: generated code infers them.
pub(crate) fn elided(ty: &Type, declared: &Generics) -> Type {
    if declared.lifetimes().next().is_none() {
        return ty.clone();
    }
    // Only identifiers change, so that it is still a type.
    syn::parse2(replaced(ty.to_token_stream(), declared, "_")).unwrap_or_else(|_| ty.clone())
}

/// Tokens with `'static` in their place: a description is the same for all lifetimes.
pub(crate) fn all_static(tokens: TokenStream, declared: &Generics) -> TokenStream {
    if declared.lifetimes().next().is_none() {
        return tokens;
    }
    replaced(tokens, declared, "static")
}

fn replaced(tokens: TokenStream, declared: &Generics, by: &str) -> TokenStream {
    let mut mark_before = false;
    let replace = |token| {
        let is_name = mark_before;
        mark_before = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '\'');
        match token {
            TokenTree::Ident(ident) if is_name && declares(declared, &ident) => {
                Ident::new(by, ident.span()).into()
            }
            TokenTree::Group(group) => {
                let inner = replaced(group.stream(), declared, by);
                let mut new = Group::new(group.delimiter(), inner);
                new.set_span(group.span());
                new.into()
            }
            token => token,
        }
    };
    tokens.into_iter().map(replace).collect()
}

fn declares(generics: &Generics, name: &Ident) -> bool {
    let mut lifetimes = generics.lifetimes();
    lifetimes.any(|declared| declared.lifetime.ident == *name)
}
