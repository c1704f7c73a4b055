//! Where rustc shows what is wrong.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Type;

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

/// The same for a function that is generic over one type more, which follows from the user's.
pub(super) fn inferring_call(
    ty: &Type,
    function: &TokenStream,
    arguments: TokenStream,
) -> TokenStream {
    generic_call_with(ty, &quote!(, _), function, arguments)
}

/// The same of a function that is generic over more.
pub(super) fn generic_call_with(
    ty: &Type,
    more: &TokenStream,
    function: &TokenStream,
    arguments: TokenStream,
) -> TokenStream {
    let (first, last) = ends(ty);
    let function = respan(quote!(#function::), first);
    let mut arguments = Group::new(Delimiter::Parenthesis, arguments);
    arguments.set_span(last);
    quote!(#function <#ty #more> #arguments)
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

fn ends(tokens: impl ToTokens) -> (Span, Span) {
    let mut spans = tokens
        .into_token_stream()
        .into_iter()
        .map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    (first, spans.last().unwrap_or(first))
}
