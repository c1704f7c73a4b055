//! A tool: the type beside the function, what it implements, and the checks.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::{
    argument::{Argument, arguments},
    body, spans, texts,
};
use crate::model::{Text, Tool};

/// The tool beside its function.
pub(super) fn tool(tool: &Tool) -> TokenStream {
    let Tool {
        type_ident,
        conditions,
        root,
        name,
        ..
    } = tool;
    let p = quote!(#root::__private);
    let hidden = hidden_type(tool);
    let name = &name.text;
    let description = texts::expression(&tool.description, root);
    let arguments: Vec<_> = arguments(tool).collect();
    let constants = arguments.iter().map(|argument| argument.constant(tool));
    let idents = arguments.iter().map(Argument::ident);
    let checks = arguments.iter().map(Argument::check);
    let checks = checks.chain(description_check(tool));
    let call = body::call(tool, &arguments);
    quote! {
        #hidden
        #(#conditions)*
        #[allow(deprecated)]
        const _: () = {
            #(#constants)*
            #[automatically_derived]
            impl #p::StaticTool for #type_ident {
                const NAME: &'static ::core::primitive::str = #name;
                const DESCRIPTION: &'static ::core::primitive::str = #description;
                fn input() -> &'static #p::Node {
                    const { &#p::Node::arguments(&[#(#idents.property),*]) }
                }
                fn tool() -> #p::Arc<dyn #p::Tool> {
                    #p::Arc::new(#type_ident {})
                }
            }
            #[automatically_derived]
            impl #p::Tool for #type_ident {
                fn definition(&self) -> &#p::ToolDefinition {
                    static __DEFINITION: #p::LazyLock<#p::ToolDefinition> =
                        #p::LazyLock::new(#p::definition::<#type_ident>);
                    &__DEFINITION
                }
                #call
            }
            #(const _: () = #checks;)*
        };
    }
}

/// What is checked by constants, for a tool that has other mistakes: its arguments, as far as their
/// types can be named where nothing is borrowed.
pub(super) fn checks(tool: &Tool) -> TokenStream {
    if !tool.signature.generics.params.is_empty() {
        return TokenStream::new();
    }
    let arguments: Vec<_> = arguments(tool)
        .filter(|argument| {
            !matches!(
                argument.parameter.ty,
                Type::Reference(_) | Type::ImplTrait(_)
            )
        })
        .collect();
    let constants = arguments.iter().map(|argument| argument.constant(tool));
    let checks = arguments.iter().map(Argument::check);
    let checks = checks.chain(description_check(tool));
    let conditions = &tool.conditions;
    quote! {
        #(#conditions)*
        const _: () = {
            #(#constants)*
            #(const _: () = #checks;)*
        };
    }
}

/// The type of the function's name. It has braces, so that it leaves the namespace of values to the
/// function.
pub(super) fn hidden_type(tool: &Tool) -> TokenStream {
    let Tool {
        type_ident,
        conditions,
        visibility,
        ..
    } = tool;
    quote! {
        #(#conditions)*
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_debug_implementations, unreachable_pub)]
        #visibility struct #type_ident {}
    }
}

/// What the macro cannot see of a description.
fn description_check(tool: &Tool) -> Option<TokenStream> {
    let root = &tool.root;
    let check = quote!(#root::__private::check_description);
    let text = texts::expression(&tool.description, root);
    match &tool.description {
        Text::Expression(expression) => Some(spans::call(expression, check, text)),
        Text::Documentation(_) => Some(spans::call(&tool.signature.ident, check, text)),
        Text::Missing | Text::Known { .. } => None,
    }
}
