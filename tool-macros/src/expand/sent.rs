//! Arguments of an `async` tool that may not be sent to another thread.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::Type;

use super::{advice, spans};
use crate::model::{Callable, Parameter, Source};

/// The path of the function that makes a call of the work: it asks of the future that it can be sent, if the
/// parameters can.
pub(super) fn call(callable: &Callable, p: &TokenStream) -> TokenStream {
    let mut asked = asked(callable).map(|(place, _)| constant(place)).peekable();
    if asked.peek().is_none() {
        return quote!(#p::Call::future);
    }
    quote!(#p::Work::<{ #(#asked) && * }>::call)
}

/// The constants that say of each parameter whether it can be sent.
pub(super) fn constants(callable: &Callable, p: &TokenStream) -> TokenStream {
    let constants = asked(callable).map(|(place, ty)| {
        let is_sent = quote!({
            #[allow(unused_imports)]
            use #p::NotSent as _;
            #p::Sent::<#ty>::IS
        });
        let bool = quote!(::core::primitive::bool);
        let (constant, is_sent) = (
            constant(place),
            spans::in_function(callable, ty, &bool, &is_sent),
        );
        quote!(const #constant: #bool = #is_sent;)
    });
    quote!(#(#constants)*)
}

fn constant(place: usize) -> Ident {
    format_ident!("__SENT_{place}")
}

/// The checks of each, at its type.
pub(super) fn checks<'c>(
    callable: &'c Callable,
    p: &'c TokenStream,
) -> impl Iterator<Item = TokenStream> + 'c {
    asked(callable).map(move |(_, ty)| {
        let check = spans::generic_call(ty, &quote!(#p::check_sent), TokenStream::new());
        spans::in_function(callable, ty, &quote!(()), &check)
    })
}

/// The types that may not be sent. What is known to be one that can is not asked: every question costs time.
fn asked(callable: &Callable) -> impl Iterator<Item = (usize, &Type)> {
    let is_async = callable.signature.asyncness.is_some();
    let parameters = callable.parameters.iter().enumerate();
    // What comes from the context may name a type that only the `impl` around it knows.
    parameters
        .filter(move |(_, parameter)| {
            is_async && matches!(parameter.source, Source::Argument { .. })
        })
        .map(|(place, Parameter { ty, .. })| (place, ty))
        .filter(|(_, ty)| advice::names_unknown(ty))
}
