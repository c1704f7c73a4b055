//! The types of fields, as they are described: `Self` is written out, because it would mean
//! something else where the description stands, and types of other crates are marked. So are those of which
//! a mistake in the attributes leaves open what describes them.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Data, DeriveInput, Variant};

use super::{
    keys::{Keys, Position},
    serde_keys,
};
use crate::{
    errors::Errors,
    model::{doubtful, foreign},
};

/// The item with the types of its fields as they are described.
pub(super) fn described(item: &DeriveInput) -> DeriveInput {
    let mut described = item.clone();
    let ident = &item.ident;
    let (_, arguments, _) = item.generics.split_for_impl();
    let own = quote!(#ident #arguments);
    let fields: Vec<_> = match &mut described.data {
        Data::Struct(data) => data.fields.iter_mut().collect(),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                doubt_refused(variant);
            }
            let variants = data.variants.iter_mut();
            variants.flat_map(|variant| &mut variant.fields).collect()
        }
        Data::Union(_) => Vec::new(),
    };
    for field in fields {
        if let Ok(ty) = syn::parse2(without_self(field.ty.to_token_stream(), &own)) {
            field.ty = ty;
        }
        // Mistakes in the keys are reported where the rules for fields are applied.
        let mut unseen = Errors::default();
        let mut keys = Keys::of(Position::FIELD, &field.attrs, &mut unseen);
        let mut depth = None;
        let is_read = unseen.none_by(|unseen| depth = keys.schemars(unseen));
        let is_described = unseen.none_by(|unseen| {
            serde_keys::refuse(&field.attrs, serde_keys::ON_FIELD, unseen);
        });
        if let Some(depth) = depth {
            field.ty = foreign(&field.ty, depth);
        }
        if !is_described || keys.means("schemars") || !is_read && depth.is_none() {
            field.ty = doubtful();
        }
        drop(unseen.into_code());
    }
    described
}

/// Marks the fields of a variant as doubtful if serde reads the variant in a way that this macro does not support.
fn doubt_refused(variant: &mut Variant) {
    let mut unseen = Errors::default();
    serde_keys::refuse(&variant.attrs, serde_keys::ON_VARIANT, &mut unseen);
    if unseen.into_code().is_some() {
        for field in &mut variant.fields {
            field.ty = doubtful();
        }
    }
}

/// The type with its own name instead of `Self`.
pub(super) fn without_self(tokens: TokenStream, own: &TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut written = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) if ident == "Self" => {
                let is_path =
                    matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
                let own = if is_path { quote!(<#own>) } else { own.clone() };
                written.extend(own.into_iter().map(|mut token| {
                    token.set_span(ident.span());
                    token
                }));
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_self(group.stream(), own));
                inner.set_span(group.span());
                written.extend([TokenTree::Group(inner)]);
            }
            other => written.extend([other]),
        }
    }
    written
}
