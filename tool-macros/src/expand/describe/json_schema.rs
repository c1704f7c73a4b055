//! `schemars::JsonSchema` for a type marked `#[tool(json_schema)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Generics;

use crate::model::Input;

pub(super) fn implementation(input: &Input, generics: &Generics, p: &TokenStream) -> TokenStream {
    let ident = &input.ident;
    let (implementation, arguments, conditions) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #implementation #p::schemars::JsonSchema for #ident #arguments #conditions {
            fn schema_name() -> #p::Cow<'static, ::core::primitive::str> {
                #p::schema_name(#p::type_name::<Self>())
            }
            fn schema_id() -> #p::Cow<'static, ::core::primitive::str> {
                #p::Cow::Borrowed(#p::type_name::<Self>())
            }
            fn json_schema(__generator: &mut #p::schemars::SchemaGenerator) -> #p::schemars::Schema {
                #p::json_schema::<Self>(
                    &<Self as #p::schemars::JsonSchema>::schema_name(),
                    __generator,
                )
            }
        }
    }
}
