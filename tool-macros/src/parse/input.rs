//! A type marked `#[derive(ToolInput)]`, with serde's attributes read by serde's own parser.

use proc_macro2::{Ident, Span};
use serde_derive_internals::{
    Ctxt, Derive,
    ast::{self, Data, Style},
    attr::Default,
};
use syn::{DeriveInput, Path, spanned::Spanned};

use super::{
    docs,
    keys::{Keys, On},
    serde_keys,
};
use crate::{
    errors::Errors,
    model::{Field, Input, Shape, Variant},
};

/// Reads the type. None if it has a form that cannot be described.
pub(crate) fn input(item: &DeriveInput, errors: &mut Errors) -> Option<Input> {
    let root = Keys::of(On::TYPE, &item.attrs, errors).root(errors);
    described(item, root, errors)
}

/// Reads the type, whose own keys have been read.
pub(super) fn described(item: &DeriveInput, root: Path, errors: &mut Errors) -> Option<Input> {
    serde_keys::refuse(&item.attrs, serde_keys::ON_TYPE, errors);
    let context = Ctxt::new();
    // serde's derive names its private module by it; nothing that is read here does.
    let private = Ident::new("__private", Span::call_site());
    let container = ast::Container::from_ast(&context, item, Derive::Deserialize, &private);
    errors.ok(context.check());
    let container = container?;
    let shape = match &container.data {
        Data::Struct(Style::Struct, all) => Shape::Object {
            fields: fields(all, container.attrs.default(), errors),
            closed: container.attrs.deny_unknown_fields(),
        },
        Data::Struct(style, fields) => {
            errors.at(&item.ident, unnamed(&item.ident, *style, fields));
            return None;
        }
        Data::Enum(all) => Shape::Choice(variants(all, errors)),
    };
    Some(Input {
        ident: item.ident.clone(),
        generics: item.generics.clone(),
        root,
        description: docs::text(&item.attrs),
        shape,
    })
}

fn fields(all: &[ast::Field<'_>], container: &Default, errors: &mut Errors) -> Vec<Field> {
    let mut fields = Vec::new();
    for field in all {
        serde_keys::refuse(&field.original.attrs, serde_keys::ON_FIELD, errors);
        Keys::of(On::FIELD, &field.original.attrs, errors);
        if field.attrs.skip_deserializing() {
            continue;
        }
        let name = field.attrs.name().deserialize_name().value.clone();
        let aliases = field
            .attrs
            .aliases()
            .iter()
            .map(|alias| alias.value.clone());
        fields.push(Field {
            span: field.member.span(),
            aliases: aliases.filter(|alias| *alias != name).collect(),
            name,
            ty: field.ty.clone(),
            description: docs::text(&field.original.attrs),
            has_default: !field.attrs.default().is_none() || !container.is_none(),
        });
    }
    fields
}

fn variants(all: &[ast::Variant<'_>], errors: &mut Errors) -> Vec<Variant> {
    let mut variants = Vec::new();
    for variant in all {
        serde_keys::refuse(&variant.original.attrs, serde_keys::ON_VARIANT, errors);
        Keys::of(On::FIELD, &variant.original.attrs, errors);
        if variant.attrs.skip_deserializing() {
            continue;
        }
        if !matches!(variant.style, Style::Unit) {
            let message = format!(
                "the variant `{}` has data, which is not supported: use an enum without data, and \
                 optional fields beside it",
                variant.ident
            );
            errors.at(&variant.ident, message);
        }
        variants.push(Variant {
            name: variant.attrs.name().deserialize_name().value.clone(),
            description: docs::text(&variant.original.attrs),
        });
    }
    variants
}

fn unnamed(ident: &Ident, style: Style, fields: &[ast::Field<'_>]) -> String {
    match (style, fields) {
        (Style::Newtype, [inner]) => {
            let inner = inner.ty;
            let inner = quote::quote!(#inner);
            format!(
                "a struct around one value is not supported: give its field a name, or write \
                 `impl ToolInput for {ident} {{ type Body<F: Fuel> = <{inner} as \
                 ToolInput>::Body<F>; }}`"
            )
        }
        (Style::Unit, _) => format!("`{ident}` has no fields: write `struct {ident} {{}}`"),
        _ => "the arguments of a tool have names: give the fields names".to_owned(),
    }
}
