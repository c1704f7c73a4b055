//! The tool of a function: the type beside it, what it implements, and the checks.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::Type;

use super::{
    argument::{self, arguments},
    body::{self, Callee},
    deprecated, metadata, output, policy, sent, spans, texts,
};
use crate::{
    check::{has_no_size, may_be_borrowed},
    model::{Callable, Parameter, Place, Source, Text, Tool},
};

/// The tool beside its function.
pub(super) fn tool(callable: &Callable) -> TokenStream {
    let tool = &callable.tool;
    let (hidden, hidden_type) = hidden_type(callable);
    let (root, conditions, name) = (&tool.root, &tool.conditions, &tool.name.text);
    let p = quote!(#root::__private);
    let description = texts::expression(&tool.description, root);
    let arguments: Vec<_> = arguments(callable).collect();
    let constants = arguments.iter().map(|argument| argument.constant(root));
    let input = argument::input(&arguments, &p);
    let checks = arguments.iter().flat_map(|argument| argument.checks(root));
    let checks = checks.chain(description_check(tool));
    let checks = checks.chain(argument::check_of_all(tool, &arguments, &p));
    let checks = checks.chain(body::context_checks(callable, |_| true, &p));
    let extensions = body::extensions(callable, |_| true, &p)
        .map(|types| quote!(fn extensions(&self) -> #p::Vec<#p::ExtensionType> { #types }));
    let sent = sent::constants(callable, &p);
    let function = &tool.ident;
    let callee = Callee {
        function: quote!(#function),
        input: quote!(<#hidden_type as #p::StaticTool>::input),
        state: None,
    };
    let (metadata, policy) = (metadata::constants(tool, &p), policy::method(tool, &p));
    let work = body::work(callable, &arguments, &callee);
    let output = output::of_function(callable, &p);
    let (check_of_output, output) = output
        .map(|(check, link)| (check, quote!(const OUTPUT: #p::Option<#p::Link> = #link;)))
        .unzip();
    let checks = checks.chain(check_of_output);
    let (import, quiet) = (root.import(), spans::quiet());
    let (work_of, lifetimes) = (spans::like(callable, "__work"), spans::lifetimes(callable));
    let code = quote! {
            #(#constants)*
            #sent
            #[automatically_derived]
            impl #p::StaticTool for #hidden_type {
                const NAME: &'static ::core::primitive::str = #name;
                const DESCRIPTION: &'static ::core::primitive::str = #description;
                #metadata
                #output
                fn input() -> &'static #p::Node {
                    #input
                }
                fn tool() -> #p::Arc<dyn #p::Tool> {
                    #p::Arc::new(Self {})
                }
            }
            #[automatically_derived]
            impl #p::Tool for #hidden_type {
                fn definition(&self) -> &#p::ToolDefinition {
                    static __DEFINITION: #p::LazyLock<#p::ToolDefinition> =
                        #p::LazyLock::new(#p::definition::<#hidden_type>);
                    &__DEFINITION
                }
                #policy
                #extensions
                fn call<'__a>(
                    &'__a self,
                    __call: &'__a #p::ToolCall,
                    __cx: &'__a #p::ToolContext,
                ) -> #p::Call<'__a> {
                    #work_of(#p::At { call: __call, cx: __cx })
                }
            }
            #[allow(clippy::extra_unused_lifetimes, clippy::unnecessary_wraps)]
            fn #work_of #lifetimes(__at: #p::At<'_>) -> #p::Call<'_> {
                let #p::At { call: __call, cx: __cx } = __at;
                #work
            }
            #(const _: () = #checks;)*
    };
    let code = deprecated::derived(code, callable.names_deprecated, &p);
    quote! {
        #hidden
        #(#conditions)*
        #quiet
        const _: () = {
            #import
            #code
        };
    }
}

/// Creates the checks of a tool that cannot be called: of its parameters and of its return type. A type that an error
/// was reported for is left out.
pub(super) fn checks(callable: &Callable, is_known: impl Fn(&Type) -> bool) -> TokenStream {
    let generics = &callable.signature.generics;
    if generics.params.len() > generics.lifetimes().count() {
        return TokenStream::new();
    }
    let tool = &callable.tool;
    let is_sound = |parameter: &Parameter| {
        let ty = &parameter.ty;
        let is_sound = match (&parameter.source, ty) {
            (_, Type::ImplTrait(_)) => false,
            (Source::Argument { .. }, ty) => may_be_borrowed(ty),
            (Source::Context, Type::Reference(ty)) => ty.mutability.is_none(),
            (Source::Context, _) => true,
        };
        is_sound && !parameter.is_doubtful && !has_no_size(ty) && is_known(ty)
    };
    let arguments: Vec<_> = arguments(callable)
        .filter(|argument| is_sound(argument.parameter))
        .collect();
    let constants = arguments
        .iter()
        .map(|argument| argument.constant(&tool.root));
    let checks = arguments
        .iter()
        .flat_map(|argument| argument.checks(&tool.root));
    let checks = checks.chain(description_check(tool));
    let p = {
        let root = &tool.root;
        quote!(#root::__private)
    };
    let checks = checks.chain(body::context_checks(callable, is_sound, &p));
    let work = body::unfinished(callable, &arguments, is_sound, &is_known);
    let (conditions, import) = (&tool.conditions, tool.root.import());
    quote! {
        #(#conditions)*
        const _: () = {
            #import
            #(#constants)*
            #(const _: () = #checks;)*
            #work
        };
    }
}

/// The type of the function's name, and its path. It has braces, so that it leaves the namespace of values to
/// the function.
pub(super) fn hidden_type(callable: &Callable) -> (TokenStream, TokenStream) {
    let Place::Module {
        type_ident,
        visibility,
        deprecated,
    } = &callable.place
    else {
        unreachable!("a method is expanded with its block");
    };
    let conditions = &callable.tool.conditions;
    // What rustc says of a public type is not said of one that a macro writes.
    let visibility = spans::respan(quote!(#visibility), Span::call_site());
    let mut name = type_ident.clone();
    name.set_span(Span::call_site().located_at(type_ident.span()));
    let hidden = quote! {
        #(#conditions)*
        #(#deprecated)*
        #[doc(hidden)]
        #visibility struct #name {}
    };
    (hidden, quote!(#type_ident))
}

/// Creates the check of a description whose value the macro cannot see.
pub(super) fn description_check(tool: &Tool) -> Option<TokenStream> {
    let root = &tool.root;
    let check = quote!(#root::__private::check_description);
    let text = texts::expression(&tool.description, root);
    match &tool.description {
        Text::Expression(expression) => Some(spans::call(expression, check, text)),
        Text::Documentation(_) => Some(spans::call(&tool.ident, check, text)),
        Text::Missing | Text::Refused | Text::Known { .. } => None,
    }
}
