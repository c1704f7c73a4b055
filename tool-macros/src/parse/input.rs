//! A type marked `#[derive(ToolInput)]`, with serde's attributes read by serde's own parser.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident};
use serde_derive_internals::{
    Ctxt, Derive,
    ast::{self, Data, Style},
    attr::{Default, TagType},
    name::Name,
};
use syn::{
    Attribute, DeriveInput, Token,
    parse::{ParseStream, Parser},
    spanned::Spanned,
};

use super::{
    declaration, direction, docs, field_types,
    keys::{Keys, Position},
    serde_keys,
};
use crate::{
    errors::Errors,
    model::{
        Constraints, Content, Field, FieldDefault, Input, Object, Root, Shape, Tagging, Variant,
        is_foreign, names_deprecated,
    },
};

/// Reads the keys of the type: where the crate is that the generated code names, and whether the
/// type gets `schemars::JsonSchema`.
pub(crate) fn keys(item: &DeriveInput, errors: &mut Errors) -> (Root, bool) {
    let mut keys = Keys::of(Position::TYPE, &item.attrs, errors);
    (keys.root(errors), keys.json_schema(errors))
}

/// Returns true if serde's derive refuses a type, and writes nothing for it.
pub(crate) fn is_refused_by_serde(item: &DeriveInput) -> bool {
    let context = Ctxt::new();
    let private = Ident::new("__private", Span::call_site());
    ast::Container::from_ast(&context, item, Derive::Deserialize, &private);
    context.check().is_err()
}

/// Reads the name and the generics of a type that cannot be read as a whole.
pub(crate) fn half_typed(item: TokenStream) -> Option<DeriveInput> {
    let head = |input: ParseStream<'_>| {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let struct_token = input.parse::<Option<Token![struct]>>()?.unwrap_or_default();
        input.parse::<Option<Token![enum]>>()?;
        let (ident, generics) = (input.parse()?, input.parse()?);
        input.parse::<TokenStream>()?;
        Ok(DeriveInput {
            attrs,
            vis,
            ident,
            generics,
            data: syn::Data::Struct(syn::DataStruct {
                struct_token,
                fields: syn::Fields::Unit,
                semi_token: None,
            }),
        })
    };
    head.parse2(item).ok()
}

/// Reads the type, whose own keys have been read. None if it has a form that cannot be described.
pub(crate) fn described(
    item: &DeriveInput,
    (root, has_json_schema): (Root, bool),
    errors: &mut Errors,
) -> Option<Input> {
    let item = &field_types::described(item);
    let mut is_sound =
        errors.none_by(|errors| serde_keys::refuse(&item.attrs, serde_keys::ON_TYPE, errors));
    if serde_keys::refuse_vanishing(item, errors) {
        return None;
    }
    let context = Ctxt::new();
    // serde's derive names its private module by it; nothing that is read here does.
    let private = Ident::new("__private", Span::call_site());
    let container = ast::Container::from_ast(&context, item, Derive::Deserialize, &private);
    is_sound &= errors.ok(context.check()).is_some();
    let container = container?;
    let shape = match &container.data {
        Data::Struct(style, fields) => structure(&container, *style, fields, errors)?,
        Data::Enum(all) => enumeration(&container, all, errors),
    };
    Some(Input {
        ident: item.ident.clone(),
        generics: item.generics.clone(),
        root,
        has_json_schema,
        description: docs::text(&item.attrs),
        has_asymmetric_serde: direction::has_asymmetric_serde(&container),
        given_names: serde_keys::names(item),
        shape,
        is_sound,
        names_deprecated: names_deprecated(item.to_token_stream()),
    })
}

fn structure(
    container: &ast::Container<'_>,
    style: Style,
    fields: &[ast::Field<'_>],
    errors: &mut Errors,
) -> Option<Shape> {
    if container.attrs.transparent() {
        let inner = fields.iter().find(|field| field.attrs.transparent())?;
        let constraints = constraints_of_only(inner, errors);
        return Some(Shape::Same {
            ty: Box::new(inner.ty.clone()),
            is_transparent: true,
            constraints,
        });
    }
    Some(match style {
        Style::Unit => Shape::Null,
        Style::Newtype => {
            let field = fields.first()?;
            if field.attrs.skip_deserializing() {
                let message = "a struct around one value that is skipped holds nothing a model \
                               could send: remove the attribute, or write `struct … {}`";
                errors.at(field.original, message);
            }
            Shape::Same {
                ty: Box::new(field.ty.clone()),
                is_transparent: false,
                constraints: constraints_of_only(field, errors),
            }
        }
        Style::Tuple => {
            if !container.attrs.default().is_none() {
                errors.at(&container.ident, UNNAMED_DEFAULT);
            }
            Shape::Tuple(unnamed(fields, errors))
        }
        Style::Struct => Shape::Object(object(fields, 0, container, errors)),
    })
}

const UNNAMED_DEFAULT: &str =
    "an array has no keys that could be left out: give the fields names, or remove `default`";

/// Applies the rules for the attributes of a field that has no name.
fn check_attributes(field: &ast::Field<'_>, errors: &mut Errors) {
    let why = "it has no name: give it one, or a type of its own, `struct Score(#[tool(…)] u8);`";
    keys_of_field(field, errors).nothing_sent(why, errors);
}

fn keys_of_field(field: &ast::Field<'_>, errors: &mut Errors) -> Keys {
    serde_keys::refuse(&field.original.attrs, serde_keys::ON_FIELD, errors);
    let mut keys = Keys::of(Position::FIELD, &field.original.attrs, errors);
    if field.attrs.skip_deserializing() {
        keys.nothing_sent("a skipped field is not sent: remove one of them", errors);
    }
    keys.schemars(errors);
    keys
}

/// The keys of a field that has constraints, if it is sent.
fn keys_of_sent(field: &ast::Field<'_>, errors: &mut Errors) -> Keys {
    let mut keys = keys_of_field(field, errors);
    if field.attrs.flatten() {
        let why = "the keys of a flattened field are sent instead: put it on one of its fields";
        keys.nothing_sent(why, errors);
    }
    keys
}

/// The type that holds the constraints of a field, which is found by the places of its variant and
/// of itself.
fn holder(variant: usize, place: usize) -> Ident {
    format_ident!("__Constraints{variant}_{place}")
}

/// The constraints of the one value that a type is.
fn constraints_of_only(field: &ast::Field<'_>, errors: &mut Errors) -> Constraints {
    let mut keys = keys_of_sent(field, errors);
    keys.no_description("it has no name: write it above the struct", errors);
    keys.constraints(holder(0, 0), errors)
}

/// The types of unnamed fields that are not skipped.
fn unnamed(fields: &[ast::Field<'_>], errors: &mut Errors) -> Vec<syn::Type> {
    let mut types = Vec::new();
    for field in fields {
        check_attributes(field, errors);
        if field.attrs.skip_deserializing() {
            continue;
        }
        if !field.attrs.default().is_none() {
            errors.at(field.original, UNNAMED_DEFAULT);
        }
        types.push(field.ty.clone());
    }
    types
}

/// Named fields. Other keys are refused, and defaults given, as the type says.
fn object(
    all: &[ast::Field<'_>],
    variant: usize,
    container: &ast::Container<'_>,
    errors: &mut Errors,
) -> Object {
    let closed = container.attrs.deny_unknown_fields();
    let mut fields = Vec::new();
    for (place, field) in all.iter().enumerate() {
        let mut keys = keys_of_sent(field, errors);
        let attributes = &field.original.attrs;
        let description = declaration::description(&mut keys, attributes, errors);
        let constraints = keys.constraints(holder(variant, place), errors);
        if field.attrs.skip_deserializing() {
            continue;
        }
        let is_flattened = field.attrs.flatten();
        if is_flattened && closed {
            let message = "serde does not support `flatten` together with `deny_unknown_fields`: \
                           remove one of them";
            errors.at_span(field.member.span(), message);
        }
        if is_flattened && is_foreign(field.ty) {
            let message = "the keys of a type that schemars describes are not known when the \
                           program is compiled, so it cannot be flattened: remove `flatten`";
            errors.at_span(field.member.span(), message);
        }
        let name = field.attrs.name().deserialize_name();
        fields.push(Field {
            span: field.member.span(),
            member: field.member.clone(),
            aliases: aliases(field.attrs.aliases(), name),
            name: name.value.clone(),
            is_renamed: serde_keys::is_renamed(&field.original.attrs),
            ty: field.ty.clone(),
            description,
            default: default_of(field, container.attrs.default()),
            is_skipped_at_times: field.attrs.skip_serializing_if().is_some(),
            is_flattened,
            constraints,
        });
    }
    Object { fields, closed }
}

fn default_of(field: &ast::Field<'_>, container: &Default) -> FieldDefault {
    match (field.attrs.default(), container) {
        (Default::Default, _) => FieldDefault::OfType,
        (Default::Path(function), _) => FieldDefault::Function(Box::new(function.clone())),
        (Default::None, Default::None) => FieldDefault::None,
        (Default::None, _) => FieldDefault::OfContainer(field.member.clone()),
    }
}

/// The other names. serde counts the name itself among them.
fn aliases(all: &BTreeSet<Name>, name: &Name) -> Vec<String> {
    let others = all.iter().filter(|alias| alias.value != name.value);
    others.map(|alias| alias.value.clone()).collect()
}

fn enumeration(
    container: &ast::Container<'_>,
    all: &[ast::Variant<'_>],
    errors: &mut Errors,
) -> Shape {
    let mut variants = Vec::new();
    for (place, variant) in all.iter().enumerate() {
        serde_keys::refuse(&variant.original.attrs, serde_keys::ON_VARIANT, errors);
        Keys::of(Position::VARIANT, &variant.original.attrs, errors);
        if variant.attrs.skip_deserializing() {
            continue;
        }
        if let (TagType::Internal { .. }, [field]) = (container.attrs.tag(), &*variant.fields)
            && matches!(variant.style, Style::Newtype)
            && is_foreign(field.ty)
        {
            let message = "the keys of a type that schemars describes are not known when the \
                           program is compiled, so it cannot stand beside a tag: add `content = \
                           \"…\"` to `#[serde(tag = …)]`";
            errors.at(variant.ident.clone(), message);
        }
        let name = variant.attrs.name().deserialize_name();
        variants.push(Variant {
            span: variant.ident.span(),
            aliases: aliases(variant.attrs.aliases(), name),
            name: name.value.clone(),
            description: docs::text(&variant.original.attrs),
            content: content(variant, place, container, errors),
        });
    }
    let tagging = match container.attrs.tag() {
        TagType::External => Tagging::External,
        TagType::Internal { tag } => Tagging::Internal { tag: tag.clone() },
        TagType::Adjacent { tag, content } => Tagging::Adjacent {
            tag: tag.clone(),
            content: content.clone(),
        },
        TagType::None => Tagging::Untagged,
    };
    let without_data = |variant: &Variant| matches!(variant.content, Content::None);
    if matches!(tagging, Tagging::External) && variants.iter().all(without_data) {
        Shape::Choice(variants)
    } else {
        Shape::Union { tagging, variants }
    }
}

fn content(
    variant: &ast::Variant<'_>,
    place: usize,
    container: &ast::Container<'_>,
    errors: &mut Errors,
) -> Content {
    match (variant.style, variant.fields.as_slice()) {
        (Style::Newtype, [field]) => {
            check_attributes(field, errors);
            // serde reads a variant around a skipped value like one without data.
            if field.attrs.skip_deserializing() {
                Content::None
            } else {
                Content::Value(Box::new(field.ty.clone()))
            }
        }
        (Style::Struct, fields) => Content::Object(object(fields, place, container, errors)),
        (Style::Tuple, fields) => Content::Tuple(unnamed(fields, errors)),
        _ => Content::None,
    }
}
