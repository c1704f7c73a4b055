//! An argument of a tool, as the expansion names it.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::{spans, texts};
use crate::model::{Callable, DefaultValue, Parameter, Root, Source};

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
    pub(super) fn constant(&self, root: &Root) -> TokenStream {
        let ident = &self.ident;
        let name = self.parameter.name();
        let ty = &self.parameter.ty;
        let description = texts::expression(&self.parameter.description, root);
        let has_default = !matches!(self.default, DefaultValue::None);
        let arguments = quote!(#name, #description, #has_default);
        let described = match self.parameter.foreign {
            None => spans::generic_call(ty, &quote!(#root::__private::parameter), arguments),
            Some(depth) => spans::call(
                ty,
                quote!(#root::__private::foreign_parameter::<#ty, #depth>),
                arguments,
            ),
        };
        quote!(const #ident: #root::__private::Parameter = #described;)
    }

    /// The check of its depth, and that it ends.
    pub(super) fn check(&self) -> TokenStream {
        let ident = &self.ident;
        spans::call(&self.parameter.ty, quote!(#ident.check), quote!())
    }
}
