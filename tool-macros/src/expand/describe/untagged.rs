//! The check that each variant of an enum without a tag can be chosen.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Type;

use super::{body, with_start};
use crate::{
    expand::spans,
    model::{Content, Input, Object, Shape, Tagging, Variant},
};

/// The checks of all variants but the first, each at its name.
pub(super) fn free_checks(input: &Input, p: &TokenStream) -> TokenStream {
    let Shape::Union {
        tagging: Tagging::Untagged,
        variants,
    } = &input.shape
    else {
        return TokenStream::new();
    };
    let described = variants.iter().map(|variant| described(input, variant, p));
    let checks = variants.iter().enumerate().skip(1).map(|(place, variant)| {
        let at = Ident::new("variant", variant.span);
        spans::call(at, quote!(#p::check_chosen), quote!(__VARIANTS, #place))
    });
    let described = quote!(const { &[#(#described),*] });
    let variants = with_start(&described, &quote!(&'static [#p::Untagged]), p);
    quote! {
        const __VARIANTS: &[#p::Untagged] = #variants;
        #(const _: () = #checks;)*
    }
}

fn described(input: &Input, variant: &Variant, p: &TokenStream) -> TokenStream {
    let name = &variant.name;
    let entered = |ty: &Type| body(ty, p);
    let is_known = |ty: &Type| !input.names_a_parameter(ty);
    let content = match &variant.content {
        Content::None => {
            let null = quote!(<() as #p::ToolInput>::Body<#p::Start>);
            value(quote!(()), &null, p)
        }
        Content::Value(ty) if is_known(ty) => value(ty, &entered(ty), p),
        Content::Tuple(types) if types.iter().all(is_known) => {
            let bodies = types.iter().map(entered);
            quote!(Tuple(&[#(<#bodies as #p::Describe>::FACTS),*]))
        }
        Content::Object(object)
            if !object.has_flattened() && object.fields.iter().all(|field| is_known(&field.ty)) =>
        {
            let entries = entries(object, |ty| written(ty), entered, p);
            quote!(Object(#entries))
        }
        _ => quote!(Unknown),
    };
    quote!(#p::Untagged { name: #name, content: #p::UntaggedContent::#content })
}

fn value(ty: impl ToTokens, body: &TokenStream, p: &TokenStream) -> TokenStream {
    let written = written(ty);
    quote!(Value {
        written: #written,
        facts: <#body as #p::Describe>::FACTS,
        entries: <#body as #p::Describe>::ENTRIES,
    })
}

/// A type as it is written, to be compared with others of the same declaration.
fn written(ty: impl ToTokens) -> String {
    ty.into_token_stream().to_string()
}

/// The keys of an object that has no flattened types.
pub(super) fn entries(
    object: &Object,
    written: impl Fn(&Type) -> String,
    body: impl Fn(&Type) -> TokenStream,
    p: &TokenStream,
) -> TokenStream {
    let closed = object.closed;
    let all = object.fields.iter().map(|field| {
        let (name, aliases, has_default) = (&field.name, &field.aliases, field.has_default());
        let (written, body) = (written(&field.ty), body(&field.ty));
        quote!(#p::Entry {
            name: #name,
            aliases: &[#(#aliases),*],
            written: #written,
            facts: <#body as #p::Describe>::FACTS,
            may_be_left_out: #has_default || <#body as #p::Describe>::MAY_BE_LEFT_OUT,
        })
    });
    quote!(#p::Entries { all: &[#(#all),*], closed: #closed })
}
