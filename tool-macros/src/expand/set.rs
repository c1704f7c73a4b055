//! `toolset!`: the tools in a list, and a check that their names differ.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::spans;
use crate::model::{Entry, Set};

pub(super) fn set(set: &Set) -> TokenStream {
    let root = &set.root;
    // `$crate` keeps its meaning only as it is, so that what carries the user's spans goes through
    // another name.
    let p = quote!(__toolwright);
    let mut names: Vec<TokenStream> = Vec::new();
    let (mut types, mut checks, mut tools) = (Vec::new(), Vec::new(), Vec::new());
    for (place, Entry { conditions, tool }) in set.entries.iter().enumerate() {
        // What is wrong with the path, or is deprecated, is said of it once. One tool needs no check, and may be `Self`.
        let ty = if set.entries.len() == 1 {
            tool.to_token_stream()
        } else {
            let ty = format_ident!("__T{place}", span = tool.span());
            types.push(quote!(#(#conditions)* type #ty = #tool;));
            ty.into_token_stream()
        };
        let name = quote_spanned!(tool.span()=> <#ty as #p::Declared>::NAME);
        if !names.is_empty() {
            let check = spans::call(
                tool,
                quote!(#p::check_tool_names),
                quote!(#name, &[#(#names),*]),
            );
            checks.push(quote!(#(#conditions)* const _: () = #check;));
        }
        names.push(quote!(#(#conditions)* #name));
        let made = quote_spanned!(tool.span()=> <#ty as #p::Declared>::tool());
        tools.push(quote!(#(#conditions)* #made));
    }
    quote!({
        use #root::__private as #p;
        #(#types)*
        #(#checks)*
        #p::Toolset::from_checked(::core::convert::From::from([#(#tools),*]))
    })
}
