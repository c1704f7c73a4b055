//! `#[tool]` on what is not a function, and `#[tools]` on what is not an `impl`.

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Data, DeriveInput, ForeignItemFn, Path, Token,
    parse::{ParseStream, Parser},
    punctuated::Punctuated,
};

use super::{
    half_typed,
    item::{Item, Kind},
    mark::is_ours,
};
use crate::errors;

/// The item with the error beside it, if it is not a function.
pub(crate) fn tool(item: &TokenStream) -> Option<TokenStream> {
    let found = super::item::item(item)?;
    let error = errors::item(&refusal(&found)?);
    let item = without_keys(item);
    Some(quote!(#item #error))
}

/// The item with the error beside it, if it is a function of an `extern` block that is written as no other
/// can be: `safe fn`.
pub(crate) fn foreign(item: &TokenStream) -> Option<TokenStream> {
    let function = syn::parse2::<ForeignItemFn>(item.clone()).ok()?;
    let error = syn::Error::new(function.semi_token.span, NO_BODY).into_compile_error();
    Some(quote!(#item #error))
}

/// The message for a function without a body.
pub(super) const NO_BODY: &str = "a tool has a body: write what it does in `{ … }`";

/// The item with the error beside it, if it is not an `impl`.
pub(crate) fn tools(item: &TokenStream) -> Option<TokenStream> {
    let found = super::item::item(item)?;
    if found.kind == Kind::Impl {
        return None;
    }
    let message = "`#[tools]` stands on an `impl` block; a function is marked `#[tool]`";
    let error = errors::item(&syn::Error::new(found.at, message));
    Some(quote!(#item #error))
}

/// A block that cannot be read, without the marks of its methods and their parameters: each would be one
/// more mistake.
pub(crate) fn without_marks(item: &TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = item.clone().into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.last_mut() {
        let mut without = Group::new(body.delimiter(), without_any(body.stream()));
        without.set_span(body.span());
        *body = without;
    }
    tokens.into_iter().collect()
}

fn without_any(body: TokenStream) -> TokenStream {
    let items = |input: ParseStream<'_>| {
        let mut items = TokenStream::new();
        while !input.is_empty() {
            items.extend(half_typed::without_marks(without_mark(half_typed::item(
                input,
            )?)));
        }
        Ok(items)
    };
    items.parse2(body).unwrap_or_default()
}

/// An item of a block without the marks that make it a tool.
pub(super) fn without_mark(item: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    for token in item {
        let after_hash =
            matches!(kept.last(), Some(TokenTree::Punct(hash)) if hash.as_char() == '#');
        if after_hash && is_mark(&token) {
            kept.pop();
        } else {
            kept.push(token);
        }
    }
    kept.into_iter().collect()
}

fn is_mark(token: &TokenTree) -> bool {
    let TokenTree::Group(group) = token else {
        return false;
    };
    let path = |input: ParseStream<'_>| {
        let path = input.call(Path::parse_mod_style)?;
        input.parse::<TokenStream>()?;
        Ok(path)
    };
    path.parse2(group.stream())
        .is_ok_and(|path| is_ours(&path, None))
}

fn refusal(item: &Item) -> Option<syn::Error> {
    if item.kind == Kind::Function {
        return None;
    }
    if derives(&item.attributes, &["Tool"]) {
        let message = "`#[tool(…)]` on a struct stands below `#[derive(Tool)]`: move it there";
        return Some(syn::Error::new(Span::call_site(), message));
    }
    let instead = match item.kind {
        Kind::Function => return None,
        Kind::Struct => "a struct that is a tool derives `Tool`, one inside arguments `ToolInput`",
        Kind::Enum => "a type inside arguments derives `ToolInput`",
        Kind::Impl => "an `impl` with tools in it is marked `#[tools]`",
        Kind::Trait => "move the method out and take what it needs with `#[context]`",
        Kind::Module => "mark each function in the module that is a tool",
        Kind::Value => "write a function that returns the value, and mark it",
        Kind::Use => "mark the function where it is declared",
        Kind::Type => "a type inside arguments derives `ToolInput` where it is declared",
        Kind::Macro => "write it inside of the macro, in front of the `fn`",
        Kind::ForeignBlock | Kind::ForeignCrate => {
            "write a function that calls the foreign one, and mark it"
        }
    };
    let message = format!("`#[tool]` stands on an `fn` or `async fn`; {instead}");
    Some(syn::Error::new(item.at, message))
}

/// Returns true if the attributes derive one of these names.
fn derives(attributes: &[Attribute], names: &[&str]) -> bool {
    let derived = Punctuated::<Path, Token![,]>::parse_terminated;
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("derive")
            && attribute.parse_args_with(derived).is_ok_and(|derived| {
                let mut last = derived.iter().filter_map(|path| path.segments.last());
                last.any(|last| names.iter().any(|name| last.ident == name))
            })
    })
}

/// The item without the keys of its fields, unless a derive reads them: to the compiler each would
/// be one more `#[tool]` in a wrong place.
fn without_keys(item: &TokenStream) -> TokenStream {
    let Ok(mut parsed) = syn::parse2::<DeriveInput>(item.clone()) else {
        return item.clone();
    };
    if derives(&parsed.attrs, &["Tool", "ToolInput"]) {
        return item.clone();
    }
    let without = |attributes: &mut Vec<Attribute>| {
        attributes.retain(|attribute| !attribute.path().is_ident("tool"));
    };
    match &mut parsed.data {
        Data::Struct(data) => data.fields.iter_mut().for_each(|f| without(&mut f.attrs)),
        Data::Union(data) => data
            .fields
            .named
            .iter_mut()
            .for_each(|f| without(&mut f.attrs)),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                without(&mut variant.attrs);
                variant
                    .fields
                    .iter_mut()
                    .for_each(|f| without(&mut f.attrs));
            }
        }
    }
    parsed.into_token_stream()
}
