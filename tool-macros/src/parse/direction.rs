//! Comparison of how serde writes a type with how it reads it: the description covers only reading.

use serde_derive_internals::{
    ast::{Container, Data, Field, Style, Variant},
    attr::TagType,
    name::MultiName,
};

/// Returns true if an attribute of the type itself, a field or a variant is for one direction only.
///
/// `skip_serializing_if` on a field with a name is not such an attribute: an `Option`, and a field that has a
/// default, may be left out as well. The type of the field is checked for that.
pub(super) fn has_asymmetric_serde(container: &Container<'_>) -> bool {
    let attributes = &container.attrs;
    if attributes.type_into().is_some() {
        return true;
    }
    match &container.data {
        // serde writes the tag of a struct, and does not read it.
        Data::Struct(..) if !matches!(attributes.tag(), TagType::External) => true,
        Data::Struct(style, fields) => any(*style, fields),
        Data::Enum(variants) => variants.iter().any(variant),
    }
}

fn variant(variant: &Variant<'_>) -> bool {
    let attributes = &variant.attrs;
    if attributes.skip_serializing() != attributes.skip_deserializing() {
        return true;
    }
    !attributes.skip_serializing()
        && (differs(attributes.name())
            || attributes.serialize_with().is_some()
            || any(variant.style, &variant.fields))
}

fn any(style: Style, fields: &[Field<'_>]) -> bool {
    let has_names = matches!(style, Style::Struct);
    let is_shorter = |field: &Field<'_>| !has_names && field.attrs.skip_serializing_if().is_some();
    fields.iter().any(|own| field(own) || is_shorter(own))
}

fn field(field: &Field<'_>) -> bool {
    let attributes = &field.attrs;
    if attributes.skip_serializing() != attributes.skip_deserializing() {
        return true;
    }
    !attributes.skip_serializing()
        && (differs(attributes.name()) || attributes.serialize_with().is_some())
}

fn differs(name: &MultiName) -> bool {
    name.serialize_name().value != name.deserialize_name().value
}
