//! The description of a type inside arguments.

mod bounds;
mod constrained;
mod flatten;
mod gated;
mod json_schema;
mod object;
mod strict;
mod union;
mod untagged;

pub(super) use gated::gate;
pub(super) use strict::field_checks;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{GenericParam, Generics, Type, parse_quote, spanned::Spanned};

use super::{deprecated, spans, texts};
use crate::{
    lifetimes,
    model::{Input, Shape, Variant, foreign_arguments},
};

/// `ToolInput` for the type.
pub(super) fn input(input: &Input, asked: &TokenStream) -> TokenStream {
    let import = input.root.import();
    let implementations = implementations(input);
    let code = quote! {
        const _: () = {
            #import
            #asked
            #implementations
        };
    };
    if input.names_deprecated {
        return deprecated::by_derive(code);
    }
    code
}

/// Creates the implementations for the type, in code that imports the facade.
pub(super) fn implementations(input: &Input) -> TokenStream {
    let Input { ident, root, .. } = input;
    let p = quote!(#root::__private);
    let generics = bounds::bounded(input, &p);
    let (implementation, arguments, conditions) = generics.split_for_impl();
    let with_fuel = with_fuel(&generics, &p);
    let (body_implementation, body_arguments, body_conditions) = with_fuel.split_for_impl();
    let held = generics.type_params().map(|parameter| &parameter.ident);
    let described = lifetimes::all_static(described(input, &p), &generics);
    let mut checks = flatten::free_checks(input, &p);
    checks.extend(constrained::free_checks(input, &p));
    checks.extend(untagged::free_checks(input, &p));
    let checks = lifetimes::all_static(checks, &generics);
    let ends = ends(input, &with_fuel, &p);
    let holders = constrained::holders(input, &p);
    let body_conditions =
        body_conditions.map(|conditions| lifetimes::all_static(quote!(#conditions), &generics));
    let flattened = matches!(input.shape, Shape::Object(_)).then(|| {
        quote! {
            #[automatically_derived]
            impl #implementation #p::FlattenInput for #ident #arguments #conditions {}
        }
    });
    let json_schema = input
        .has_json_schema
        .then(|| json_schema::implementation(input, &generics, &p));
    quote! {
            use #p::FitsNot as _;
            pub struct __Body #body_implementation (
                #p::PhantomData<fn() -> (__F, #(#held,)*)>
            ) #body_conditions;
            #[automatically_derived]
            impl #body_implementation #p::Describe for __Body #body_arguments #body_conditions {
                #described
            }
            #ends
            #[automatically_derived]
            impl #implementation #p::ToolInput for #ident #arguments #conditions {
                type Body<__F: #p::Fuel> = __Body #body_arguments;
            }
            #flattened
            #holders
            #json_schema
            #checks
    }
}

/// Returns the generics of the description. They contain no lifetime.
fn with_fuel(generics: &Generics, p: &TokenStream) -> Generics {
    let mut new = generics.clone();
    let parameters = generics.params.iter();
    new.params = parameters
        .filter(|parameter| !matches!(parameter, GenericParam::Lifetime(_)))
        .cloned()
        .collect();
    new.params.push(parse_quote!(__F: #p::Fuel));
    new
}

/// Says that the description ends if those of all parts do.
fn ends(input: &Input, with_fuel: &Generics, p: &TokenStream) -> TokenStream {
    let mut generics = with_fuel.clone();
    let conditions = &mut generics.make_where_clause().predicates;
    for ty in input.shape.field_types() {
        let body = body(ty, p);
        // At the type, as in the description: a type without one is then one error.
        let ends = spans::path(ty, quote!(#p::Ends));
        conditions.push(parse_quote!(#body: #ends));
    }
    let (implementation, arguments, conditions) = generics.split_for_impl();
    let conditions = lifetimes::all_static(quote!(#conditions), &input.generics);
    quote! {
        #[automatically_derived]
        impl #implementation #p::Ends for __Body #arguments #conditions {}
    }
}

fn described(input: &Input, p: &TokenStream) -> TokenStream {
    let owner = crate::model::plain(&input.ident);
    let otherwise = otherwise(input);
    match &input.shape {
        Shape::Null => scalar(input, &quote!(SCALAR), &quote!(#p::Kind::Null), p),
        Shape::Choice(variants) => {
            let choices = choices(input, variants, p);
            let aliases = variants.iter().flat_map(|variant| &variant.aliases);
            let names = variants.iter().map(|variant| &variant.name).chain(aliases);
            let facts = quote!(choice(&[#(#names),*]));
            scalar(input, &facts, &quote!(#p::Kind::Choice(&[#choices])), p)
        }
        Shape::Same {
            ty,
            is_transparent,
            constraints,
        } => {
            let body = constrained::body(ty, constraints, p);
            let kind = quote!(#p::Kind::Same {
                node: <#body as #p::Describe>::node,
                is_transparent: #is_transparent,
            });
            let parts = [Part::new(&body, quote!(#p::Place::Here), p)];
            let (steps, node) = (steps(&owner, &parts, p), node(input, &kind, false, p));
            quote! {
                const FACTS: #p::TypeFacts = <#body as #p::Describe>::FACTS #otherwise;
                const ENTRIES: #p::Option<#p::Entries> = <#body as #p::Describe>::ENTRIES;
                #steps
                #node
            }
        }
        Shape::Tuple(types) => {
            let bodies: Vec<_> = types.iter().map(|ty| body(ty, p)).collect();
            let item = |body| Part::new(body, quote!(#p::Place::Item), p);
            let parts: Vec<_> = bodies.iter().map(item).collect();
            let facts = parts.iter().map(|part| &part.facts);
            let facts = quote!(#p::TypeFacts::tuple(&[#(#facts),*]) #otherwise);
            let kind = quote!(#p::Kind::Tuple(&[#(<#bodies as #p::Describe>::node),*]));
            let (steps, node) = (steps(&owner, &parts, p), node(input, &kind, false, p));
            quote! {
                const FACTS: #p::TypeFacts = #facts;
                #steps
                #node
            }
        }
        Shape::Object(object) => object::described(input, object, &owner, p),
        Shape::Union { tagging, variants } => union::described(input, tagging, variants, &owner, p),
    }
}

/// A type without parts.
fn scalar(input: &Input, facts: &TokenStream, kind: &TokenStream, p: &TokenStream) -> TokenStream {
    let node = node(input, kind, true, p);
    let otherwise = otherwise(input);
    quote! {
        const FACTS: #p::TypeFacts = #p::TypeFacts::#facts #otherwise;
        #node
    }
}

/// Says of the facts that serde writes the type otherwise than it reads it.
fn otherwise(input: &Input) -> Option<TokenStream> {
    input
        .has_asymmetric_serde
        .then(|| quote!(.written_otherwise()))
}

fn choices(input: &Input, variants: &[Variant], p: &TokenStream) -> TokenStream {
    let choices = variants.iter().map(|variant| {
        let Variant { name, aliases, .. } = variant;
        let description = texts::expression(&variant.description, &input.root);
        quote!(#p::Choice { name: #name, aliases: &[#(#aliases),*], description: #description })
    });
    quote!(#(#choices),*)
}

/// A type inside a type, as the checks see it.
struct Part {
    facts: TokenStream,
    place: TokenStream,
    paths: TokenStream,
}

impl Part {
    fn new(body: &TokenStream, place: TokenStream, p: &TokenStream) -> Self {
        Self {
            facts: quote!(<#body as #p::Describe>::FACTS),
            place,
            paths: quote!(<#body as #p::Describe>::PATHS),
        }
    }
}

/// The steps into the parts.
fn steps(owner: &str, parts: &[Part], p: &TokenStream) -> TokenStream {
    if parts.is_empty() {
        return TokenStream::new();
    }
    let facts = parts.iter().map(|part| &part.facts);
    let places = parts.iter().map(|part| &part.place);
    let paths = parts.iter().map(|part| &part.paths);
    quote! {
        const STEPS: #p::Steps = #p::Steps::of(
            #owner,
            &[#(#facts),*],
            &[#(#places),*],
            &[#(#paths),*],
        );
    }
}

fn node(input: &Input, kind: &TokenStream, has_name: bool, p: &TokenStream) -> TokenStream {
    let ident = &input.ident;
    let short = crate::model::plain(ident);
    let (_, arguments, _) = input.generics.split_for_impl();
    let description = texts::expression(&input.description, &input.root);
    let named = if has_name {
        quote!(#p::Option::Some(#p::Named {
            short: #short,
            full: #p::type_name::<#ident #arguments>,
        }))
    } else {
        quote!(#p::Option::None)
    };
    quote! {
        fn node() -> &'static #p::Node {
            const {
                &#p::Node {
                    named: #named,
                    description: #description,
                    kind: #kind,
                    is_constrained: <Self as #p::Describe>::FACTS.is_constrained(),
                    allows_unknown_keys: <Self as #p::Describe>::FACTS.allows_unknown_keys(),
                }
            }
        }
    }
}

/// Creates the expression of a part of a type's description, evaluated before any other type is entered. `of` is the
/// type of that part.
///
/// The type's description is named with the same tokens as in the description of a type that has it as a field. A
/// type that has no description is then one error.
fn started(ty: &Type, said: &TokenStream, of: &TokenStream, p: &TokenStream) -> TokenStream {
    let body = body(ty, p);
    with_start(&quote!(<#body as #p::Describe>::#said), of, p)
}

/// The value of an expression in which types are entered, where nothing else has been.
fn with_start(value: &TokenStream, of: &TokenStream, p: &TokenStream) -> TokenStream {
    quote!({
        const fn __started<__F: #p::Fuel>() -> #of {
            #value
        }
        __started::<#p::Start>()
    })
}

/// The description of a field's type, entered with one unit of fuel less.
fn body(ty: &Type, p: &TokenStream) -> TokenStream {
    let fuel = Ident::new("__F", Span::call_site());
    if let Some(arguments) = foreign_arguments(ty) {
        return quote_spanned!(ty.span()=> <#fuel as #p::Fuel>::Foreign #arguments);
    }
    quote_spanned!(ty.span()=> <#fuel as #p::Fuel>::Step<#ty>)
}
