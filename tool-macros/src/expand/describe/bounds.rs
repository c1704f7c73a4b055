//! Bounds that a type with type parameters needs on them.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericParam, Generics, Type, TypePath, parse_quote};

use super::flatten;
use crate::model::{Input, foreign_arguments, is_foreign};

/// A type parameter that a field mentions is described; one that only skipped fields and
/// `PhantomData` mention need not be.
pub(super) fn bounded(input: &Input, p: &TokenStream) -> Generics {
    let mut generics = input.generics.clone();
    let types = input.shape.field_types();
    for parameter in &mut generics.params {
        match parameter {
            GenericParam::Type(parameter) => {
                let mut own = types.iter().filter(|ty| !is_foreign(ty));
                if own.any(|ty| mentions(ty, &parameter.ident)) {
                    parameter.bounds.push(parse_quote!(#p::ToolInput));
                }
                parameter.default = None;
            }
            GenericParam::Const(parameter) => parameter.default = None,
            GenericParam::Lifetime(_) => {}
        }
    }
    if generics.type_params().next().is_some() {
        let conditions = &mut generics.make_where_clause().predicates;
        for arguments in types.iter().filter_map(|ty| foreign_arguments(ty)) {
            let ty = arguments.args.first();
            conditions.push(parse_quote!(#ty: #p::ForeignInput));
        }
    }
    flatten::add_bounds(input, &mut generics, p);
    generics
}

/// Returns true if a type mentions a parameter. serde's derive leaves `PhantomData` out in the same way.
fn mentions(ty: &Type, parameter: &Ident) -> bool {
    if let Type::Path(TypePath {
        qself: None, path, ..
    }) = ty
        && path
            .segments
            .last()
            .is_some_and(|last| last.ident == "PhantomData")
    {
        return false;
    }
    names(ty.to_token_stream(), parameter)
}

fn names(tokens: TokenStream, parameter: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *parameter,
        TokenTree::Group(group) => names(group.stream(), parameter),
        _ => false,
    })
}
