//! Where generated code finds the facade.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Path, Type, parse_quote_spanned, spanned::Spanned};

/// What the facade is called in generated code.
const ALIAS: &str = "__toolwright";

/// The path of the facade. Generated code imports it once in a block, under another name: so a
/// facade that is not found is one mistake.
#[derive(Clone)]
pub(crate) struct Root(pub(crate) Path);

impl Root {
    /// The import, without which the path means nothing.
    pub(crate) fn import(&self) -> TokenStream {
        let Self(path) = self;
        quote!(use #path as #self;)
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

/// Whether it is one of these.
pub(crate) fn is_foreign(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let first = path.path.segments.first();
    first.is_some_and(|first| first.ident == ALIAS)
}
