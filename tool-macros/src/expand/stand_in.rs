//! What stands in the place of a declaration with mistakes, so that one mistake does not become ten.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Path};

use super::tool::{checks, hidden_type};
use crate::model::Tool;

/// A tool that `toolset!` takes and nobody runs.
pub(super) fn tool(tool: &Tool) -> TokenStream {
    let Tool {
        type_ident,
        conditions,
        root,
        ..
    } = tool;
    let p = quote!(#root::__private);
    let name = type_ident.to_string();
    let (hidden, checks) = (hidden_type(tool), checks(tool));
    quote! {
        #hidden
        #checks
        #(#conditions)*
        #[automatically_derived]
        impl #p::StaticTool for #type_ident {
            const NAME: &'static ::core::primitive::str = #name;
            const DESCRIPTION: &'static ::core::primitive::str = "";
            fn input() -> &'static #p::Node { ::core::unreachable!() }
            fn tool() -> #p::Arc<dyn #p::Tool> { ::core::unreachable!() }
        }
    }
}

/// A description that says nothing.
pub(super) fn input(item: &DeriveInput, root: &Path) -> TokenStream {
    let ident = &item.ident;
    let (implementation, arguments, conditions) = item.generics.split_for_impl();
    let p = quote!(#root::__private);
    quote! {
        #[automatically_derived]
        impl #implementation #p::ToolInput for #ident #arguments #conditions {
            type Body<__F: #p::Fuel> = <::core::primitive::bool as #p::ToolInput>::Body<__F>;
        }
    }
}
