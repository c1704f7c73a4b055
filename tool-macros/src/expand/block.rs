//! The tools of an `impl` block: one more function of the type, which gives them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::{
    argument::{self, arguments},
    body::{self, Callee},
    deprecated, metadata, output, policy, sent, spans, strict, texts, tool,
};
use crate::model::{Block, Callable, Parameter};

/// The function, and the checks of the names.
pub(super) fn tools(block: &Block) -> TokenStream {
    let p = private(block);
    let state = Ident::new("__state", Span::call_site());
    let methods = block.methods.iter().map(|method| {
        let conditions = &method.tool.conditions;
        let tool = one(method, block, &state, &p);
        quote!(#(#conditions)* #tool)
    });
    // What is wrong with the type of the value is shown at the type, once.
    let shared = spans::generic_call(&block.self_ty, &quote!(#p::shared_state), quote!(self));
    let body = quote! {
        use #p::NotShared as _;
        let #state = #shared;
        #p::Toolset::from_checked(::core::convert::From::from([#(#methods),*]))
    };
    let function = function(block, &body);
    let (import, names, quiet) = (block.root.import(), names(block), spans::quiet());
    let tools = deprecated::derived(quote!(#function #names), block.names_deprecated, &p);
    quote! {
        #quiet
        const _: () = {
            #import
            #tools
        };
    }
}

/// The function around its body.
pub(super) fn function(block: &Block, body: &TokenStream) -> TokenStream {
    let p = private(block);
    let Block {
        generics,
        self_ty,
        function,
        ..
    } = block;
    let (implementation, _, conditions) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #implementation #self_ty #conditions {
            /// The tools of this value, which they share.
            #[allow(clippy::too_many_lines)]
            pub fn #function(self) -> #p::Toolset {
                #body
            }
        }
    }
}

/// The check that the names differ. A condition may take a name away, so that only a constant sees
/// them all.
pub(super) fn names(block: &Block) -> TokenStream {
    let p = private(block);
    let mut before: Vec<TokenStream> = Vec::new();
    let mut checks = Vec::new();
    for method in &block.methods {
        let (conditions, name) = (&method.tool.conditions, &method.tool.name);
        let (at, text) = (Ident::new("name", name.span), &name.text);
        if !before.is_empty() {
            let check = spans::call(
                at,
                quote!(#p::check_tool_names),
                quote!(#text, &[#(#before),*]),
            );
            checks.push(quote!(#(#conditions)* const _: () = #check;));
        }
        before.push(quote!(#(#conditions)* #text));
    }
    quote!(#(#checks)*)
}

/// The tool of a method, as an expression.
fn one(method: &Callable, block: &Block, state: &Ident, p: &TokenStream) -> TokenStream {
    let tool = &method.tool;
    let (root, name, ident) = (&tool.root, &tool.name.text, &tool.ident);
    let description = texts::expression(&tool.description, root);
    let arguments: Vec<_> = arguments(method).collect();
    let constants = arguments.iter().map(|argument| argument.constant(root));
    let input = argument::input(&arguments, p);
    let checks = arguments.iter().flat_map(|argument| argument.checks(root));
    let checks = checks.chain(tool::description_check(tool));
    let checks = checks.chain(argument::check_of_all(tool, &arguments, p));
    let strict = strict::profile(tool, p).map(|profile| quote!(.with_strict(#profile)));
    let deferred = tool.deferred.as_ref();
    let deferred = deferred.map(|_| quote!(.with_deferred(true)));
    let (title, hints) = (metadata::title(tool, p), metadata::hints(tool, p));
    let policy = policy::expression(&tool.policy, &hints, p);
    let receiver = method.signature.receiver();
    let callee = Callee {
        function: quote_spanned!(ident.span()=> Self::#ident),
        input: quote!(__input),
        state: receiver.map(|_| state.clone()),
    };
    let work = body::work(method, &arguments, &callee);
    let output = output::of_method(method, block, p);
    let (check_of_output, output) = output.unzip();
    let output = output.unwrap_or_else(|| quote!(#p::Option::None));
    let is_known = |parameter: &Parameter| block.own_name_in(&parameter.ty).is_none();
    let checks = checks.chain(check_of_output);
    let checks = checks.chain(body::context_checks(method, is_known, p));
    let extensions = body::extensions(method, is_known, p);
    let extensions = extensions.unwrap_or_else(|| quote!(#p::Vec::new()));
    let sent = sent::constants(method, p);
    let unused = receiver.is_none().then(|| quote!(let _ = #state;));
    quote!({
        #(#constants)*
        #sent
        #(const _: () = #checks;)*
        fn __input() -> &'static #p::Node {
            #input
        }
        static __DEFINITION: #p::LazyLock<#p::ToolDefinition> =
            #p::LazyLock::new(|| #p::definition_of(#name, #description, #title, #hints, __input, #output) #strict #deferred);
        #state.method(&__DEFINITION, const { #policy }, || #extensions, |#state, __call, __cx| {
            #unused
            #work
        })
    })
}

fn private(block: &Block) -> TokenStream {
    let root = &block.root;
    quote!(#root::__private)
}
