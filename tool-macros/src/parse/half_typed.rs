//! Signatures that are half typed. The compiler has said what is wrong with them, goes on, and must find
//! what a whole one leaves behind: a function that can be called, and the tool.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::{
    Attribute, FnArg, Generics, PatType, ReturnType, Signature, Token, Visibility, WhereClause,
    parse::{ParseStream, Parser},
    parse_quote, token,
};

use crate::{check::has_no_size, suggest::is_near};

/// A function whose signature is half typed.
pub(super) struct HalfTyped {
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    /// The part of the signature that can be read.
    pub(super) signature: Signature,
    /// The replacement of the function, so that a call of it is no further error.
    pub(super) stub: TokenStream,
}

/// Reads a function as far as it can be read. `None` if it has no name.
pub(super) fn read(tokens: TokenStream) -> Option<HalfTyped> {
    let parser = |input: ParseStream<'_>| {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility: Visibility = input.parse()?;
        let (signature, parameters) = signature(input)?;
        input.parse::<TokenStream>()?;
        Ok(HalfTyped {
            stub: stub(&visibility, &signature, &parameters),
            attributes,
            visibility,
            signature,
        })
    };
    parser.parse2(tokens).ok()
}

/// The signature, without what cannot be read.
fn signature(input: ParseStream<'_>) -> syn::Result<(Signature, Vec<Option<FnArg>>)> {
    let mut asyncness = None;
    while !input.peek(Token![fn]) {
        if let Some(keyword) = input.parse::<Option<Token![async]>>()? {
            asyncness = Some(keyword);
        } else {
            input.parse::<TokenTree>()?;
        }
    }
    let keyword = input.parse::<Token![fn]>()?;
    let ident = input.parse::<Ident>()?;
    let mut generics = if input.peek(Token![<]) {
        known::<Generics>(input).unwrap_or_default()
    } else {
        Generics::default()
    };
    let mut signature: Signature = parse_quote!(#asyncness #keyword #ident());
    let mut all = Vec::new();
    while !(input.is_empty() || input.peek(token::Paren) || input.peek(token::Brace)) {
        input.parse::<TokenTree>()?;
    }
    if let Ok(TokenTree::Group(group)) = input.fork().parse::<TokenTree>()
        && group.delimiter() == Delimiter::Parenthesis
    {
        input.parse::<TokenTree>()?;
        all = parameters.parse2(group.stream())?;
    }
    signature.inputs = all.iter().flatten().cloned().collect();
    signature.output = known::<ReturnType>(input).unwrap_or(ReturnType::Default);
    generics.where_clause = known::<Option<WhereClause>>(input).flatten();
    signature.generics = generics;
    Ok((signature, all))
}

/// Reads the next syntax element, if it can be read.
fn known<T: syn::parse::Parse>(input: ParseStream<'_>) -> Option<T> {
    input.fork().parse::<T>().ok()?;
    input.parse().ok()
}

/// The parameters; none for one that cannot be read.
fn parameters(input: ParseStream<'_>) -> syn::Result<Vec<Option<FnArg>>> {
    let mut parameters = Vec::new();
    while !input.is_empty() {
        let ahead = input.fork();
        let is_known =
            ahead.parse::<FnArg>().is_ok() && (ahead.is_empty() || ahead.peek(Token![,]));
        parameters.push(is_known.then(|| input.parse()).transpose()?);
        while !input.is_empty() && input.parse::<Option<Token![,]>>()?.is_none() {
            input.parse::<TokenTree>()?;
        }
    }
    Ok(parameters)
}

/// A function with the parameters that are there, of which those that cannot be read take anything.
pub(super) fn stub(
    visibility: &Visibility,
    signature: &Signature,
    parameters: &[Option<FnArg>],
) -> TokenStream {
    let Signature {
        asyncness,
        fn_token,
        ident,
        generics,
        output,
        ..
    } = signature;
    let parameters = parameters.iter().map(|parameter| match parameter {
        Some(FnArg::Receiver(receiver)) => {
            let mut receiver = receiver.clone();
            receiver.attrs.clear();
            quote!(#receiver)
        }
        Some(FnArg::Typed(PatType { ty, .. })) => quote!(_: #ty),
        None => quote!(_: impl ::core::marker::Sized),
    });
    let output = match output {
        ReturnType::Type(_, ty) if !names_a_trait(quote!(#ty)) && !has_no_size(ty) => {
            quote!(#output)
        }
        _ => quote!(-> !),
    };
    let conditions = &generics.where_clause;
    quote! {
        #visibility #asyncness #fn_token #ident #generics (#(#parameters),*) #output #conditions {
            ::core::unreachable!()
        }
    }
}

fn names_a_trait(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => names_a_trait(group.stream()),
        token => is_word(&token, "impl"),
    })
}

/// A function without the marks of its parameters, which are ours and nobody else knows.
pub(super) fn without_marks(function: TokenStream) -> TokenStream {
    let (mut is_behind_fn, mut is_done) = (false, false);
    let tokens = function.into_iter().map(|token| match token {
        TokenTree::Group(group)
            if is_behind_fn && !is_done && group.delimiter() == Delimiter::Parenthesis =>
        {
            is_done = true;
            let mut without = Group::new(group.delimiter(), without_attributes(group.stream()));
            without.set_span(group.span());
            TokenTree::Group(without)
        }
        token => {
            is_behind_fn |= is_word(&token, "fn");
            token
        }
    });
    tokens.collect()
}

/// Parameters without the attributes that are ours, or mean one of ours.
fn without_attributes(parameters: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in parameters {
        let is_behind_hash =
            matches!(kept.last(), Some(TokenTree::Punct(hash)) if hash.as_char() == '#');
        match token {
            TokenTree::Group(group) if is_behind_hash && is_ours(&group) => {
                kept.pop();
            }
            token => kept.push(token),
        }
    }
    kept.into_iter().collect()
}

fn is_ours(attribute: &Group) -> bool {
    match attribute.stream().into_iter().next() {
        Some(TokenTree::Ident(name)) => {
            let name = name.to_string();
            ["doc", "tool", "context"].contains(&name.as_str())
                || name.len() > 2 && (is_near(&name, "tool") || is_near(&name, "context"))
        }
        _ => attribute.stream().is_empty(),
    }
}

/// The tokens of an item of an `impl` that cannot be read: up to its body or its `;`, or to where the
/// next one begins.
pub(super) fn item(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut item: Vec<TokenTree> = Vec::new();
    while !input.is_empty() {
        let is_begun = item.iter().any(|token| is_word(token, "fn"));
        if is_begun && begins_item(input) {
            break;
        }
        let token = input.parse::<TokenTree>()?;
        let is_end = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(mark) => mark.as_char() == ';',
            _ => false,
        };
        item.push(token);
        if is_end {
            break;
        }
    }
    Ok(item.into_iter().collect())
}

/// Returns true if an item begins here: an attribute, or a function with a name.
fn begins_item(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    if ahead.peek(Token![#]) || ahead.peek(Token![pub]) {
        return true;
    }
    for keyword in ["const", "async", "unsafe"] {
        if matches!(ahead.fork().parse::<TokenTree>(), Ok(token) if is_word(&token, keyword)) {
            let _ = ahead.parse::<TokenTree>();
        }
    }
    ahead.peek(Token![fn]) && ahead.peek2(syn::Ident)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(name) if name == word)
}
