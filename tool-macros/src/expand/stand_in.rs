//! What stands in the place of a declaration with mistakes, so that one mistake does not become ten.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Type};

use super::{
    block::{function, names},
    tool::{checks, hidden_type},
};
use crate::model::{Block, Callable, Root};

/// What a half typed signature leaves behind is never run, also if rustc can read more than syn: then this
/// fails when code is generated for it.
fn nobody() -> TokenStream {
    let message = "this signature cannot be read: write it in another way, or call it from a function \
                   that is marked `#[tool]`";
    quote!(const { ::core::panic!(#message) })
}

/// A tool that `toolset!` takes and nobody runs.
pub(super) fn tool(callable: &Callable) -> TokenStream {
    let tool = &callable.tool;
    let (hidden, hidden_type) = hidden_type(callable);
    let (root, conditions) = (&tool.root, &tool.conditions);
    let p = quote!(#root::__private);
    let name = tool.ident.to_string();
    let checks = checks(callable, |_| true);
    let import = root.import();
    let nobody = nobody();
    quote! {
        #hidden
        #checks
        #(#conditions)*
        #[allow(unused_qualifications)]
        const _: () = {
            #import
            #[automatically_derived]
            impl #p::StaticTool for #hidden_type {
                const NAME: &'static ::core::primitive::str = #name;
                const DESCRIPTION: &'static ::core::primitive::str = "";
                fn input() -> &'static #p::Node { #nobody }
                fn tool() -> #p::Arc<dyn #p::Tool> { #nobody }
            }
        };
    }
}

/// A function that gives no tools, and the checks of those methods that can be checked.
pub(super) fn block(block: &Block) -> TokenStream {
    let function = function(block, &nobody());
    let checks = block_checks(block);
    let import = block.root.import();
    quote! {
        #[allow(unused_qualifications)]
        const _: () = {
            #import
            #function
            #checks
        };
    }
}

/// The checks of those methods that can be checked.
pub(super) fn checks_of_block(block: &Block) -> TokenStream {
    let checks = block_checks(block);
    let import = block.root.import();
    quote! {
        #[allow(unused_qualifications)]
        const _: () = {
            #import
            #checks
        };
    }
}

fn block_checks(block: &Block) -> TokenStream {
    let names = names(block);
    let is_known = |ty: &Type| block.own_name_in(ty).is_none();
    let methods = block.methods.iter();
    let checks = methods.map(|method| checks(method, is_known));
    quote!(#names #(#checks)*)
}

/// A struct that `toolset!` takes and nobody runs.
pub(super) fn derived(item: &DeriveInput, root: &Root) -> TokenStream {
    let input = input(item, root);
    let import = root.import();
    let ident = &item.ident;
    let name = ident.to_string();
    let (implementation, arguments, conditions) = item.generics.split_for_impl();
    let p = quote!(#root::__private);
    // A tool is `'static`, and one that borrows is a mistake that has been reported.
    let tool = item.generics.params.is_empty().then(|| {
        quote! {
            #[allow(unused_qualifications)]
            const _: () = {
                #import
                #[automatically_derived]
                impl #implementation #p::StaticTool for #ident #arguments #conditions {
                    const NAME: &'static ::core::primitive::str = #name;
                    const DESCRIPTION: &'static ::core::primitive::str = "";
                    fn input() -> &'static #p::Node { ::core::unreachable!() }
                    fn tool() -> #p::Arc<dyn #p::Tool> { ::core::unreachable!() }
                }
            };
        }
    });
    quote!(#input #tool)
}

/// A description that says nothing.
pub(super) fn input(item: &DeriveInput, root: &Root) -> TokenStream {
    let ident = &item.ident;
    let (implementation, arguments, conditions) = item.generics.split_for_impl();
    let p = quote!(#root::__private);
    let import = root.import();
    quote! {
        #[allow(unused_qualifications)]
        const _: () = {
            #import
            #[automatically_derived]
            impl #implementation #p::ToolInput for #ident #arguments #conditions {
                type Body<__F: #p::Fuel> = <::core::primitive::bool as #p::ToolInput>::Body<__F>;
            }
        };
    }
}
