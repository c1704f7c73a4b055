//! Whether serde writes a type as it reads it: the description tells of reading.

use serde_derive_internals::{
    ast::{Container, Data, Field, Variant},
    name::MultiName,
};

/// Whether an attribute of the type itself, a field or a variant is for one direction only.
///
/// `skip_serializing_if` is not among them: with it stands an `Option` or a default, which may be left
/// out as well.
pub(super) fn is_written_otherwise(container: &Container<'_>) -> bool {
    let attributes = &container.attrs;
    if attributes.type_into().is_some() {
        return true;
    }
    match &container.data {
        Data::Struct(_, fields) => fields.iter().any(field),
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
            || variant.fields.iter().any(field))
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
