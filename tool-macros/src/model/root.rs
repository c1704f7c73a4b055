//! Path of the facade, for generated code.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{
    AngleBracketedGenericArguments, Path, PathArguments, Type, parse_quote_spanned,
    spanned::Spanned,
};

/// The name of the facade in generated code.
const ALIAS: &str = "__toolwright";

/// The path of the facade. Generated code imports it once in a block, under another name: so a
/// facade that is not found is one mistake.
#[derive(Clone)]
pub(crate) struct Root(pub(crate) Path);

impl Root {
    /// The import, without which the path means nothing.
    pub(crate) fn import(&self) -> TokenStream {
        let Self(path) = self;
        // All of it is where the path is, which is what is wrong if it is not found.
        let alias = Ident::new(ALIAS, path.span());
        quote_spanned!(path.span()=> use #path as #alias;)
    }
}

impl ToTokens for Root {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        Ident::new(ALIAS, Span::call_site()).to_tokens(tokens);
    }
}

/// The type that describes a type of another crate, which counts as so many levels.
pub(crate) fn foreign(ty: &Type, depth: u16) -> Type {
    let root = Ident::new(ALIAS, ty.span());
    parse_quote_spanned!(ty.span()=> #root::__private::Schemars<#ty, #depth>)
}

/// Returns true if a type is one that [`foreign`] creates.
pub(crate) fn is_foreign(ty: &Type) -> bool {
    foreign_arguments(ty).is_some()
}

/// The type of the other crate and its levels, if it is one of these.
pub(crate) fn foreign_arguments(ty: &Type) -> Option<&AngleBracketedGenericArguments> {
    let Type::Path(path) = ty else { return None };
    let segments = &path.path.segments;
    if segments.first()?.ident != ALIAS {
        return None;
    }
    match &segments.last()?.arguments {
        PathArguments::AngleBracketed(arguments) => Some(arguments),
        _ => None,
    }
}
