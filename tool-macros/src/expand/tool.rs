//! A tool: the type beside the function, what it implements, and the checks.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::Type;

use super::{body, spans, texts};
use crate::model::{DefaultValue, Parameter, Source, Text, Tool};

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
    let idents = arguments.iter().map(|argument| &argument.ident);
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

/// An argument, and the constant that describes it.
pub(super) struct Argument<'t> {
    pub(super) parameter: &'t Parameter,
    pub(super) default: &'t DefaultValue,
    /// Its place among the parameters.
    pub(super) place: usize,
    ident: Ident,
}

fn arguments(tool: &Tool) -> impl Iterator<Item = Argument<'_>> {
    let parameters = tool.parameters.iter().enumerate();
    parameters.filter_map(|(place, parameter)| match &parameter.source {
        Source::Context => None,
        Source::Argument { default } => Some(Argument {
            parameter,
            default,
            place,
            ident: format_ident!("__PARAMETER_{place}"),
        }),
    })
}

impl Argument<'_> {
    /// The one place where the type is asked for anything.
    fn constant(&self, tool: &Tool) -> TokenStream {
        let (ident, root) = (&self.ident, &tool.root);
        let name = self.parameter.name();
        let ty = &self.parameter.ty;
        let description = texts::expression(&self.parameter.description, root);
        let has_default = !matches!(self.default, DefaultValue::None);
        let described = spans::generic_call(
            ty,
            &quote!(#root::__private::parameter),
            quote!(#name, #description, #has_default),
        );
        quote!(const #ident: #root::__private::Parameter = #described;)
    }

    fn check(&self) -> TokenStream {
        let ident = &self.ident;
        spans::call(&self.parameter.ty, quote!(#ident.check), quote!())
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
