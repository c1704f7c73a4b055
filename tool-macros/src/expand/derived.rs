//! The tool that a struct is.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse_quote;

use super::{
    deprecated, describe, metadata, output, spans, strict, texts, tool::description_check,
};
use crate::model::{Derived, Shape};

/// Creates the implementations for the struct, and the checks.
pub(super) fn tool(derived: &Derived, asked: &TokenStream) -> TokenStream {
    let Derived { tool, input } = derived;
    let (root, ident, name) = (&tool.root, &tool.ident, &tool.name.text);
    let p = quote!(#root::__private);
    let metadata = metadata::constants(tool, &p);
    let described = describe::implementations(input);
    let description = texts::expression(&tool.description, root);
    let ty = parse_quote!(#ident);
    // What the struct lacks is shown at its name, here and nowhere else.
    let made = spans::generic_call(&ty, &quote!(#p::derived_tool), quote!(&__DEFINITION));
    let levels = match strict::rules(tool, &p) {
        None => spans::call(ident, quote!(#p::check_input::<#ident>), quote!()),
        Some(rules) => spans::call(ident, quote!(#p::check_input_by::<#ident>), rules),
    };
    let no_result = output::check_of_struct(ident, &p);
    let checks = description_check(tool)
        .into_iter()
        .chain([levels, no_result]);
    let checks = checks.chain(describe::field_checks(derived, &p));
    let (check_of_output, output) = output::of_struct(ident, &p);
    let checks = checks.chain([check_of_output]);
    let external = tool.policy.external.as_ref().map(|_| {
        let fields = match &input.shape {
            Shape::Object(object) => &object.fields[..],
            _ => &[],
        };
        let members = fields.iter().map(|field| &field.member);
        quote! {
            #[automatically_derived]
            impl #p::Execute for #ident {
                type Output = ();
                async fn execute(self, _: &#p::ToolContext) -> #p::Result<(), #p::ToolError> {
                    // The application reads the JSON of the call, so that no field is unused.
                    #(let _ = &self.#members;)*
                    #p::answered_elsewhere()
                }
            }
        }
    });
    let import = root.import();
    let code = quote! {
        const _: () = {
            #import
            #asked
            #described
            #[automatically_derived]
            impl #p::StaticTool for #ident {
                const NAME: &'static ::core::primitive::str = #name;
                const DESCRIPTION: &'static ::core::primitive::str = #description;
                #metadata
                const OUTPUT: #p::Option<#p::Link> = #output;
                fn input() -> &'static #p::Node {
                    #p::input_of::<#ident>()
                }
                fn tool() -> #p::Arc<dyn #p::Tool> {
                    static __DEFINITION: #p::LazyLock<#p::ToolDefinition> =
                        #p::LazyLock::new(#p::definition::<#ident>);
                    #made
                }
            }
            #external
            #(const _: () = #checks;)*
        };
    };
    if input.names_deprecated {
        return deprecated::by_derive(code);
    }
    code
}
