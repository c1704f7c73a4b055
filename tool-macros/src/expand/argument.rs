//! An argument of a tool, as the expansion names it.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::Path;

use super::{spans, texts};
use crate::model::{Callable, DefaultValue, Parameter, Source};

/// An argument, and the constant that describes it.
pub(super) struct Argument<'t> {
    pub(super) parameter: &'t Parameter,
    pub(super) default: &'t DefaultValue,
    /// Its place among the parameters.
    pub(super) place: usize,
    ident: Ident,
}

/// The arguments of a tool, in order.
pub(super) fn arguments(callable: &Callable) -> impl Iterator<Item = Argument<'_>> {
    let parameters = callable.parameters.iter().enumerate();
    parameters.filter_map(|(place, parameter)| match &parameter.source {
        Source::Context => None,
        Source::Argument { default } => Some(Argument {
            parameter,
            default,
            place,
            ident: format_ident!("__PARAMETER_{place}"),
        }),
    })
}

impl Argument<'_> {
    /// The name of the constant.
    pub(super) fn ident(&self) -> &Ident {
        &self.ident
    }

    /// The one place where the type is asked for anything.
    pub(super) fn constant(&self, root: &Path) -> TokenStream {
        let ident = &self.ident;
        let name = self.parameter.name();
        let ty = &self.parameter.ty;
        let description = texts::expression(&self.parameter.description, root);
        let has_default = !matches!(self.default, DefaultValue::None);
        // The same but for what it says of a type that does not fit.
        let function = if borrows(quote!(#ty)) {
            quote!(#root::__private::borrowing_parameter)
        } else {
            quote!(#root::__private::parameter)
        };
        let described =
            spans::inferring_call(ty, &function, quote!(#name, #description, #has_default));
        quote!(const #ident: #root::__private::Parameter = #described;)
    }

    /// The check of its depth, and that it ends.
    pub(super) fn check(&self) -> TokenStream {
        let ident = &self.ident;
        spans::call(&self.parameter.ty, quote!(#ident.check), quote!())
    }
}

/// Whether a `&` is written somewhere in a type.
fn borrows(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Punct(mark) => mark.as_char() == '&',
        TokenTree::Group(group) => borrows(group.stream()),
        _ => false,
    })
}
