//! The lifetimes that a declaration has names for, where these names mean nothing.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};
use syn::{Generics, Type};

/// A type with `'_` in the place of every name: generated code infers them. One that nobody declares is
/// the compiler's to report, once.
pub(crate) fn elided(ty: &Type) -> Type {
    let bound = bound(ty.to_token_stream());
    let is_elided = |name: &Ident| name != "static" && name != "_" && !bound.contains(name);
    // Only identifiers change, so that it is still a type.
    syn::parse2(replaced(ty.to_token_stream(), &is_elided, "_")).unwrap_or_else(|_| ty.clone())
}

/// The lifetimes that a `for<…>` of the type itself declares.
fn bound(tokens: TokenStream) -> Vec<Ident> {
    let (mut names, mut is_bound, mut mark_before) = (Vec::new(), false, false);
    for token in tokens {
        match &token {
            TokenTree::Ident(ident) if ident == "for" => is_bound = true,
            TokenTree::Ident(ident) if is_bound && mark_before => names.push(ident.clone()),
            TokenTree::Punct(mark) if mark.as_char() == '>' => is_bound = false,
            TokenTree::Group(group) => names.extend(bound(group.stream())),
            _ => {}
        }
        mark_before = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '\'');
    }
    names
}

/// Tokens with `'static` in their place: a description is the same for all lifetimes.
pub(crate) fn all_static(tokens: TokenStream, declared: &Generics) -> TokenStream {
    if declared.lifetimes().next().is_none() {
        return tokens;
    }
    replaced(tokens, &|name| declares(declared, name), "static")
}

/// A type in which every lifetime that is written, and that of every `&`, is `'static`.
pub(crate) fn static_everywhere(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut new = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '\'' => {
                tokens.next();
                new.extend(quote_spanned!(mark.span()=> 'static));
            }
            TokenTree::Punct(mark) if mark.as_char() == '&' => {
                let span = mark.span();
                new.extend([TokenTree::Punct(mark)]);
                let has_lifetime =
                    matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '\'');
                if !has_lifetime {
                    new.extend(quote_spanned!(span=> 'static));
                }
            }
            TokenTree::Group(group) => {
                let inner = static_everywhere(group.stream());
                let mut copy = Group::new(group.delimiter(), inner);
                copy.set_span(group.span());
                new.extend([TokenTree::Group(copy)]);
            }
            token => new.extend([token]),
        }
    }
    new
}

fn replaced(tokens: TokenStream, is_replaced: &dyn Fn(&Ident) -> bool, by: &str) -> TokenStream {
    let mut mark_before = false;
    let replace = |token| {
        let is_name = mark_before;
        mark_before = matches!(&token, TokenTree::Punct(mark) if mark.as_char() == '\'');
        match token {
            TokenTree::Ident(ident) if is_name && is_replaced(&ident) => {
                Ident::new(by, ident.span()).into()
            }
            TokenTree::Group(group) => {
                let inner = replaced(group.stream(), is_replaced, by);
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
