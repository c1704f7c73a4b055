//! Arguments of an `async` tool that may not be sent to another thread.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::Type;

use super::{advice, spans};
use crate::model::{Callable, Parameter, Source};

/// The path of the function that makes a call of the work: it asks of the future that it can be sent, if the
/// parameters can.
pub(super) fn call(callable: &Callable, p: &TokenStream) -> TokenStream {
    let asked = groups(callable).into_iter();
    let mut asked = asked.map(|(constant, _)| constant).peekable();
    if asked.peek().is_none() {
        return quote!(#p::Work::<true>::call);
    }
    quote!(#p::Work::<{ #(#asked) && * }>::call)
}

/// The constants that say whether the parameters can be sent, and the checks of each, at its type.
pub(super) fn constants(callable: &Callable, p: &TokenStream) -> TokenStream {
    let bool = quote!(::core::primitive::bool);
    let constants = groups(callable).into_iter().map(|(constant, types)| {
        let first = types[0];
        let is_sent = quote!({
            use #p::NotSent as _;
            #(#p::Sent::<#types>::__SENT) && *
        });
        let is_sent = spans::in_function(callable, first, &bool, &is_sent);
        let check = quote!(#p::check_sent);
        let checks = types
            .iter()
            .map(|ty| spans::generic_call(ty, &check, TokenStream::new()));
        let checks = spans::never_called(callable, first, &quote!(#(#checks;)*));
        quote!(const #constant: #bool = #is_sent; #checks)
    });
    quote!(#(#constants)*)
}

/// The types that may not be sent, with a constant for those that stand in one function: each costs time.
fn groups(callable: &Callable) -> Vec<(Ident, Vec<&Type>)> {
    let (shown, others): (Vec<_>, _) =
        asked(callable).partition(|ty| spans::is_shown_as_parameter(ty));
    let groups = [shown, others].into_iter().enumerate();
    groups
        .filter(|(_, types)| !types.is_empty())
        .map(|(number, types)| (format_ident!("__SENT_{number}"), types))
        .collect()
}

/// The types that may not be sent. What is known to be one that can is not asked: every question costs time.
fn asked(callable: &Callable) -> impl Iterator<Item = &Type> {
    let is_async = callable.signature.asyncness.is_some();
    let parameters = callable.parameters.iter();
    // What comes from the context may name a type that only the `impl` around it knows.
    parameters
        .filter(move |parameter| is_async && matches!(parameter.source, Source::Argument { .. }))
        .map(|Parameter { ty, .. }| ty)
        .filter(|ty| advice::names_unknown(ty))
}
