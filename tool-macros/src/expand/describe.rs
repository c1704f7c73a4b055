//! The description of a type inside arguments.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{GenericParam, Generics, Type, parse_quote, spanned::Spanned};

use super::texts;
use crate::model::{Field, Input, Shape, Variant};

/// `ToolInput` for the type.
pub(super) fn input(input: &Input) -> TokenStream {
    let Input { ident, root, .. } = input;
    let p = quote!(#root::__private);
    let generics = bounded(&input.generics, &p);
    let (implementation, arguments, conditions) = generics.split_for_impl();
    let mut with_fuel = generics.clone();
    with_fuel.params.push(parse_quote!(__F: #p::Fuel));
    let (body_implementation, body_arguments, _) = with_fuel.split_for_impl();
    let held = generics.type_params().map(|parameter| &parameter.ident);
    let described = match &input.shape {
        Shape::Object { fields, closed } => object(input, fields, *closed, &p),
        Shape::Choice(variants) => choice(input, variants, &p),
    };
    quote! {
        const _: () = {
            #[allow(missing_debug_implementations)]
            pub struct __Body #body_implementation (
                #p::PhantomData<fn() -> (__F, #(#held,)*)>
            ) #conditions;
            #[automatically_derived]
            impl #body_implementation #p::Describe for __Body #body_arguments #conditions {
                #described
            }
            #[automatically_derived]
            impl #implementation #p::ToolInput for #ident #arguments #conditions {
                type Body<__F: #p::Fuel> = __Body #body_arguments;
            }
        };
    }
}

/// Every type parameter may be a field.
fn bounded(generics: &Generics, p: &TokenStream) -> Generics {
    let mut generics = generics.clone();
    for parameter in &mut generics.params {
        match parameter {
            GenericParam::Type(parameter) => {
                parameter.bounds.push(parse_quote!(#p::ToolInput));
                parameter.default = None;
            }
            GenericParam::Const(parameter) => parameter.default = None,
            GenericParam::Lifetime(_) => {}
        }
    }
    generics
}

fn object(input: &Input, fields: &[Field], closed: bool, p: &TokenStream) -> TokenStream {
    let owner = crate::model::plain(&input.ident);
    let bodies: Vec<_> = fields.iter().map(|field| body(&field.ty, p)).collect();
    let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
    let properties = fields.iter().zip(&bodies).map(|(field, body)| {
        let Field {
            name, has_default, ..
        } = field;
        let description = texts::expression(&field.description, &input.root);
        quote!(#p::property::<#body>(#name, #description, #has_default))
    });
    let kind = quote!(#p::Kind::Object { properties: &[#(#properties),*], closed: #closed });
    let node = node(input, &kind, p);
    let path = (!fields.is_empty()).then(|| {
        quote! {
            const PATH: #p::Option<&'static #p::Path> = #p::path_step(
                #owner,
                &[#(<#bodies as #p::Describe>::FACTS),*],
                &[#(#names),*],
                &[#(<#bodies as #p::Describe>::PATH),*],
            ).as_ref();
        }
    });
    quote! {
        const FACTS: #p::Facts = #p::Facts::object(&[#(<#bodies as #p::Describe>::FACTS),*]);
        #path
        #node
    }
}

fn choice(input: &Input, variants: &[Variant], p: &TokenStream) -> TokenStream {
    let choices = variants.iter().map(|variant| {
        let name = &variant.name;
        let description = texts::expression(&variant.description, &input.root);
        quote!(#p::Choice { name: #name, description: #description })
    });
    let kind = quote!(#p::Kind::Choice(&[#(#choices),*]));
    let node = node(input, &kind, p);
    quote! {
        const FACTS: #p::Facts = #p::Facts::SCALAR;
        #node
    }
}

fn node(input: &Input, kind: &TokenStream, p: &TokenStream) -> TokenStream {
    let ident = &input.ident;
    let short = crate::model::plain(ident);
    let (_, arguments, _) = input.generics.split_for_impl();
    let description = texts::expression(&input.description, &input.root);
    quote! {
        fn node() -> &'static #p::Node {
            const {
                &#p::Node {
                    named: #p::Option::Some(#p::Named {
                        short: #short,
                        full: #p::type_name::<#ident #arguments>,
                    }),
                    description: #description,
                    kind: #kind,
                }
            }
        }
    }
}

/// The description of a field's type, entered with one unit of fuel less.
fn body(ty: &Type, p: &TokenStream) -> TokenStream {
    let fuel = Ident::new("__F", Span::call_site());
    quote_spanned!(ty.span()=> <#fuel as #p::Fuel>::Step<#ty>)
}
