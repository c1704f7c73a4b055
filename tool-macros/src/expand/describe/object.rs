//! Named fields, of a struct or a variant.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Part, body, constrained, flatten, node, otherwise, steps, texts, untagged};
use crate::{
    expand::argument,
    model::{Field, FieldDefault, Input, Object},
};

/// Creates the content of the description of a struct with named fields.
pub(super) fn described(
    input: &Input,
    object: &Object,
    owner: &str,
    p: &TokenStream,
) -> TokenStream {
    let place = |field: &Field| {
        let name = &field.name;
        quote!(#p::Place::Field(#name))
    };
    let parts: Vec<_> = parts(object, place, p).collect();
    let facts = parts.iter().map(|part| &part.facts);
    let (told, otherwise) = (flatten::told(input, p), otherwise(input));
    let named = object.has_flattened().then(|| quote!(.owned_by(#owner)));
    let (steps, keys) = (steps(owner, &parts, p), keys(object, p));
    let entries = (!object.has_flattened()).then(|| {
        let entries = untagged::entries(object, |_| String::new(), |ty| body(ty, p), p);
        quote!(const ENTRIES: #p::Option<#p::Entries> = #p::Option::Some(#entries);)
    });
    let node = node(input, &kind(object, input, p), true, p);
    quote! {
        const FACTS: #p::TypeFacts = #p::TypeFacts::object(&[#(#facts),*]) #named #told #otherwise;
        #steps
        const KEYS: #p::Keys = #keys;
        #entries
        #node
    }
}

/// The parts that the fields are.
pub(super) fn parts<'o>(
    object: &'o Object,
    place: impl Fn(&Field) -> TokenStream + 'o,
    p: &'o TokenStream,
) -> impl Iterator<Item = Part> + 'o {
    object.fields.iter().map(move |field| {
        let body = constrained::body(&field.ty, &field.constraints, p);
        let whole = |place| {
            let part = Part::new(&body, place, p);
            if field.has_default() || !field.is_skipped_at_times {
                return part;
            }
            let facts = part.facts;
            Part {
                facts: quote!(#p::TypeFacts::skipped_at_times(
                    #facts,
                    <#body as #p::Describe>::MAY_BE_LEFT_OUT,
                )),
                ..part
            }
        };
        if !field.is_flattened {
            return whole(place(field));
        }
        let part = whole(quote!(#p::Place::Here));
        let facts = part.facts;
        Part {
            facts: quote!(#p::TypeFacts::flattened(#facts)),
            ..part
        }
    })
}

/// The node's kind.
pub(super) fn kind(object: &Object, input: &Input, p: &TokenStream) -> TokenStream {
    let root = &input.root;
    let closed = object.closed;
    let properties = object.fields.iter().map(|field| {
        let Field { name, aliases, .. } = field;
        let has_default = field.has_default();
        let body = constrained::body(&field.ty, &field.constraints, p);
        if field.is_flattened {
            return quote!(#p::flattened::<#body>());
        }
        let description = texts::expression(&field.description, root);
        let default = default(input, field, p).map(|default| argument::with_default(&default, p));
        quote! {
            #p::property::<#body>(#name, &[#(#aliases),*], #description, #has_default) #default
        }
    });
    quote!(#p::Kind::Object { properties: &[#(#properties),*], closed: #closed })
}

/// Creates the expression that makes the value of a field that is left out.
fn default(input: &Input, field: &Field, p: &TokenStream) -> Option<TokenStream> {
    let ty = &field.ty;
    match &field.default {
        FieldDefault::OfType => Some(quote!(#p::DefaultOf::<#ty>::NEW)),
        // `Self` is another type where the description stands.
        FieldDefault::Function(function) => {
            let mut segments = function.path.segments.iter();
            let is_plain = function.qself.is_none() && !segments.any(|one| one.ident == "Self");
            is_plain.then(|| quote!(#p::DefaultFn::<#ty>(#function)))
        }
        // Nothing says of a generic type when it has a default.
        FieldDefault::OfContainer(member) if !flatten::is_generic(input) => {
            let ident = &input.ident;
            let (_, arguments, _) = input.generics.split_for_impl();
            Some(quote! {
                #p::DefaultFn::<#ty>(|| <#ident #arguments as #p::Default>::default().#member)
            })
        }
        FieldDefault::None | FieldDefault::OfContainer(_) => None,
    }
}

/// The keys, for the checks of types that this one is flattened into.
fn keys(object: &Object, p: &TokenStream) -> TokenStream {
    let own = own_keys(object);
    let sent = object.fields.iter().filter(|field| !field.is_flattened);
    let sent = sent.map(|field| &field.name);
    let flattened = object.fields.iter().filter(|field| field.is_flattened);
    let flattened = flattened.map(|field| body(&field.ty, p));
    quote! {
        #p::Keys {
            own: &[#(#own),*],
            sent: &[#(#sent),*],
            flattened: &[#(<#flattened as #p::Describe>::KEYS),*],
            takes_rest: false,
        }
    }
}

/// The keys of the fields that are not flattened.
pub(super) fn own_keys(object: &Object) -> impl Iterator<Item = &String> {
    let keyed = object.fields.iter().filter(|field| !field.is_flattened);
    keyed.flat_map(|field| [&field.name].into_iter().chain(&field.aliases))
}
