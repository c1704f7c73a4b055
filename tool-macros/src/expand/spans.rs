//! Spans at which rustc shows errors.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Type;

use crate::model::{Callable, Place};

/// The call of a check, whose tokens all carry the user's span: the first and the last token are
/// where `at` starts and ends, so that rustc underlines the whole of it.
pub(super) fn call(
    at: impl ToTokens,
    function: TokenStream,
    arguments: TokenStream,
) -> TokenStream {
    let (first, last) = ends(at);
    let function = respan(function, first);
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
    arguments.set_span(last);
    quote!(#function #arguments)
}

/// The call of a function that is generic over the user's type. rustc shows what is wrong with the
/// type at the type.
pub(super) fn generic_call(
    ty: &Type,
    function: &TokenStream,
    arguments: TokenStream,
) -> TokenStream {
    generic_call_with(ty, &TokenStream::new(), function, arguments)
}

/// Writes a call as [`generic_call`] does, of a function that is generic over more types.
pub(super) fn generic_call_with(
    ty: &Type,
    more: &TokenStream,
    function: &TokenStream,
    arguments: TokenStream,
) -> TokenStream {
    generic_call_as(ty, &quote!(#ty), more, function, arguments)
}

/// Writes a call as [`generic_call_with`] does, with other tokens in the place of the type.
pub(super) fn generic_call_as(
    at: &Type,
    ty: &TokenStream,
    more: &TokenStream,
    function: &TokenStream,
    arguments: TokenStream,
) -> TokenStream {
    let (first, last) = ends(at);
    let function = respan(quote!(#function::), first);
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
    arguments.set_span(last);
    quote!(#function <#ty #more> #arguments)
}

/// For code that names the types of a signature once more: what clippy says of a type, it says there.
pub(super) fn quiet() -> TokenStream {
    quote! {
        #[allow(
            clippy::borrowed_box,
            clippy::box_collection,
            clippy::disallowed_types,
            clippy::implicit_hasher,
            clippy::linkedlist,
            clippy::option_option,
            clippy::owned_cow,
            clippy::ptr_arg,
            clippy::rc_buffer,
            clippy::rc_mutex,
            clippy::redundant_allocation,
            clippy::ref_option,
            clippy::type_complexity,
            clippy::vec_box,
            clippy::zero_sized_map_values
        )]
    }
}

/// A path that rustc underlines as the whole of `at`.
pub(super) fn path(at: impl ToTokens, path: TokenStream) -> TokenStream {
    let (first, last) = ends(at);
    let mut path: Vec<_> = respan(path, first).into_iter().collect();
    if let Some(token) = path.last_mut() {
        token.set_span(last);
    }
    path.into_iter().collect()
}

/// A constant of this type, from the body of a function that is declared as the user's function is. A type
/// that is not found there is then one mistake with that in the user's function: to rustc two errors are one
/// if all their words are the same, and it shows where a type parameter could be declared.
///
/// It does so for types inside others, and for a name of one letter. The types of `body` stand in `<…>`,
/// where it would do so for every type.
pub(super) fn in_function(
    callable: &Callable,
    named: &Type,
    ty: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let name = declared_ident(callable, named, "__described");
    let generics = lifetimes(callable);
    quote!({
        #[allow(clippy::extra_unused_lifetimes)]
        const fn #name #generics() -> #ty {
            #body
        }
        #name()
    })
}

/// Statements that are compiled as the body of such a function, and never run.
pub(super) fn never_called(callable: &Callable, named: &Type, body: &TokenStream) -> TokenStream {
    let name = declared_ident(callable, named, "__checked");
    let generics = lifetimes(callable);
    quote! {
        const _: () = {
            #[allow(clippy::extra_unused_lifetimes)]
            fn #name #generics() {
                #body
            }
        };
    }
}

/// The name of a function of ours whose signature names a type of the user's function.
pub(super) fn declared_ident(callable: &Callable, named: &Type, name: &str) -> Ident {
    if is_shown_as_parameter(named) {
        like(callable, name)
    } else {
        Ident::new(name, Span::call_site())
    }
}

/// Returns true if rustc may take a type that is not found for a type parameter that was left out.
pub(super) fn is_shown_as_parameter(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => match path.path.get_ident() {
            Some(name) => name.to_string().chars().count() == 1,
            None => true,
        },
        Type::Reference(reference) => is_shown_as_parameter(&reference.elem),
        Type::Slice(slice) => is_shown_as_parameter(&slice.elem),
        Type::Array(array) => is_shown_as_parameter(&array.elem),
        Type::Group(group) => is_shown_as_parameter(&group.elem),
        Type::Paren(paren) => is_shown_as_parameter(&paren.elem),
        Type::Tuple(tuple) => tuple.elems.iter().any(is_shown_as_parameter),
        _ => true,
    }
}

/// A name of ours, in the place of that of the user's function. A method is shown by its `impl`.
pub(super) fn like(callable: &Callable, name: &str) -> Ident {
    let span = match callable.place {
        Place::Module { .. } => callable.tool.ident.span(),
        Place::Block => Span::call_site(),
    };
    Ident::new(name, span)
}

/// The lifetimes that a function declares, as it declares them.
pub(super) fn lifetimes(callable: &Callable) -> Option<TokenStream> {
    let generics = &callable.signature.generics;
    let mut lifetimes = generics.lifetimes().peekable();
    lifetimes.peek()?;
    Some(quote!(<#(#lifetimes),*>))
}

/// The tokens, at another place.
pub(super) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            match &mut token {
                TokenTree::Group(group) => {
                    let inner = respan(group.stream(), span);
                    *group = Group::new(group.delimiter(), inner);
                    group.set_span(span);
                }
                other => other.set_span(span),
            }
            token
        })
        .collect()
}

/// The spans of the first and the last token.
pub(super) fn ends(tokens: impl ToTokens) -> (Span, Span) {
    let mut spans = tokens
        .into_token_stream()
        .into_iter()
        .map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    (first, spans.last().unwrap_or(first))
}
