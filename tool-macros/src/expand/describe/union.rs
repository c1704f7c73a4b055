//! Enums with data, or with a tag.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::{Part, body, flatten, node, object, otherwise, steps, texts};
use crate::model::{Content, Field, Input, Object, Tagging, Variant};

/// Creates the content of the description of an enum with data, or with a tag.
pub(super) fn described(
    input: &Input,
    tagging: &Tagging,
    variants: &[Variant],
    owner: &str,
    p: &TokenStream,
) -> TokenStream {
    let parts: Vec<_> = variants
        .iter()
        .flat_map(|variant| parts(tagging, variant, p))
        .collect();
    let facts = parts.iter().map(|part| &part.facts);
    let around = if let Tagging::Untagged = tagging {
        if flatten::is_generic(input) {
            quote!(any_unconstrained)
        } else {
            quote!(any_of)
        }
    } else {
        quote!(object)
    };
    let (told, otherwise) = (flatten::told(input, p), otherwise(input));
    let steps = steps(owner, &parts, p);
    let named = takes_keys_of_others(tagging, variants).then(|| quote!(.owned_by(#owner)));
    let tagging = match tagging {
        Tagging::External => quote!(External),
        Tagging::Internal { tag } => quote!(Internal { tag: #tag }),
        Tagging::Adjacent { tag, content } => quote!(Adjacent { tag: #tag, content: #content }),
        Tagging::Untagged => quote!(Untagged),
    };
    let variants = variants
        .iter()
        .map(|variant| described_variant(input, variant, p));
    let kind = quote! {
        #p::Kind::Union { tagging: #p::Tagging::#tagging, variants: &[#(#variants),*] }
    };
    let node = node(input, &kind, true, p);
    quote! {
        const FACTS: #p::TypeFacts = #p::TypeFacts::#around(&[#(#facts),*]) #named #told #otherwise;
        #steps
        #node
    }
}

/// Returns true if a variant has keys of another type among its own.
fn takes_keys_of_others(tagging: &Tagging, variants: &[Variant]) -> bool {
    let mut contents = variants.iter().map(|variant| &variant.content);
    contents.any(|content| match content {
        Content::Value(_) => matches!(tagging, Tagging::Internal { .. }),
        Content::Object(object) => object.has_flattened(),
        Content::None | Content::Tuple(_) => false,
    })
}

fn described_variant(input: &Input, variant: &Variant, p: &TokenStream) -> TokenStream {
    let Variant { name, aliases, .. } = variant;
    let description = texts::expression(&variant.description, &input.root);
    let inline = |kind: TokenStream| {
        // Written out: what a call is given would not live long enough.
        let node = quote!(#p::Node {
            named: #p::Option::None,
            description: "",
            kind: #kind,
            is_constrained: <Self as #p::Describe>::FACTS.is_constrained(),
            allows_unknown_keys: <Self as #p::Describe>::FACTS.allows_unknown_keys(),
        });
        quote!(#p::Option::Some(|| const { &#node }))
    };
    let content = match &variant.content {
        Content::None => quote!(#p::Option::None),
        Content::Value(ty) => {
            let body = body(ty, p);
            quote!(#p::Option::Some(<#body as #p::Describe>::node))
        }
        Content::Tuple(types) => {
            let bodies = types.iter().map(|ty| body(ty, p));
            inline(quote!(#p::Kind::Tuple(&[#(<#bodies as #p::Describe>::node),*])))
        }
        Content::Object(object) => inline(object::kind(object, input, p)),
    };
    quote! {
        #p::Variant {
            name: #name,
            aliases: &[#(#aliases),*],
            description: #description,
            content: #content,
        }
    }
}

/// The parts of a variant, as they count for the level that the enum is.
fn parts(tagging: &Tagging, variant: &Variant, p: &TokenStream) -> Vec<Part> {
    // The key that the data stands under.
    let under = match tagging {
        Tagging::External => Some(&variant.name),
        Tagging::Adjacent { content, .. } => Some(content),
        Tagging::Internal { .. } | Tagging::Untagged => None,
    };
    match &variant.content {
        Content::None => Vec::new(),
        Content::Value(ty) => vec![value(ty, tagging, under, p)],
        Content::Tuple(types) => tuple(types, under, p),
        Content::Object(object) => fields(object, tagging, under, p),
    }
}

fn value(ty: &Type, tagging: &Tagging, under: Option<&String>, p: &TokenStream) -> Part {
    let place = under.map_or_else(
        || quote!(#p::Place::Here),
        |key| quote!(#p::Place::Field(#key)),
    );
    let mut part = Part::new(&body(ty, p), place, p);
    if let Tagging::Internal { .. } = tagging {
        let facts = part.facts;
        part.facts = quote!(#p::TypeFacts::flattened(#facts));
    }
    part
}

fn tuple(types: &[Type], under: Option<&String>, p: &TokenStream) -> Vec<Part> {
    let place = under.map_or_else(
        || quote!(#p::Place::Item),
        |key| quote!(#p::Place::ItemOf(#key)),
    );
    let alone = under.is_none().then(|| quote!(.of_variant()));
    let item = |ty| {
        let part = Part::new(&body(ty, p), place.clone(), p);
        let facts = part.facts;
        Part {
            facts: quote!(#p::TypeFacts::tuple(&[#facts]) #alone),
            ..part
        }
    };
    types.iter().map(item).collect()
}

fn fields(
    object: &Object,
    tagging: &Tagging,
    under: Option<&String>,
    p: &TokenStream,
) -> Vec<Part> {
    let place = |field: &Field| {
        let name = &field.name;
        under.map_or_else(
            || quote!(#p::Place::Field(#name)),
            |key| quote!(#p::Place::FieldOf(#key, #name)),
        )
    };
    let mut parts: Vec<_> = object::parts(object, place, p).collect();
    if let Some(key) = under {
        for (field, part) in object.fields.iter().zip(&mut parts) {
            let facts = &part.facts;
            part.facts = quote!(#p::TypeFacts::field_of(#facts));
            if field.is_flattened {
                part.place = quote!(#p::Place::Field(#key));
            }
        }
    }
    if let Tagging::Untagged = tagging {
        // Nothing else stands around the fields.
        for part in &mut parts {
            let facts = &part.facts;
            part.facts = quote!(#p::TypeFacts::object(&[#facts]).of_variant());
        }
        if parts.is_empty() {
            parts.push(Part {
                facts: quote!(#p::TypeFacts::object(&[])),
                place: quote!(#p::Place::Here),
                paths: quote!(#p::Paths::NONE),
            });
        }
    }
    parts
}
