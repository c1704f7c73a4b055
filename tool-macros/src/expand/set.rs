//! `toolset!`: the tools in a list, and a check that their names differ.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::spans;
use crate::model::{Entry, Set};

pub(super) fn set(set: &Set) -> TokenStream {
    let root = &set.root;
    // `$crate` keeps its meaning only as it is, so that what carries the user's spans goes through
    // another name.
    let p = quote!(__toolwright);
    let mut names: Vec<TokenStream> = Vec::new();
    let (mut checks, mut tools) = (Vec::new(), Vec::new());
    for Entry { conditions, tool } in &set.entries {
        let name = quote_spanned!(tool.span()=> <#tool as #p::Declared>::NAME);
        if !names.is_empty() {
            let check = spans::call(
                tool,
                quote!(#p::check_tool_names),
                quote!(#name, &[#(#names),*]),
            );
            checks.push(quote!(#(#conditions)* const _: () = #check;));
        }
        names.push(quote!(#(#conditions)* #name));
        let made = quote_spanned!(tool.span()=> <#tool as #p::Declared>::tool());
        tools.push(quote!(#(#conditions)* #made));
    }
    quote!({
        use #root::__private as #p;
        #(#checks)*
        #p::Toolset::from_checked(::core::convert::From::from([#(#tools),*]))
    })
}
