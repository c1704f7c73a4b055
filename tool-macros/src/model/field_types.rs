//! The types of the fields that a model may send.

use syn::Type;

use super::{Content, Input, Object, Shape, Tagging};

impl Shape {
    /// The types of all fields, also of those in variants.
    pub(crate) fn field_types(&self) -> Vec<&Type> {
        match self {
            Self::Null | Self::Choice(_) => Vec::new(),
            Self::Same { ty, .. } => vec![ty],
            Self::Tuple(types) => types.iter().collect(),
            Self::Object(object) => object.field_types(),
            Self::Union { variants, .. } => variants
                .iter()
                .flat_map(|variant| variant.content.field_types())
                .collect(),
        }
    }
}

impl Input {
    /// The types of the fields of an enum without a tag; of anything else none.
    pub(crate) fn field_types_without_tag(&self) -> Vec<&Type> {
        match &self.shape {
            Shape::Union {
                tagging: Tagging::Untagged,
                ..
            } => self.shape.field_types(),
            _ => Vec::new(),
        }
    }
}

impl Content {
    fn field_types(&self) -> Vec<&Type> {
        match self {
            Self::None => Vec::new(),
            Self::Value(ty) => vec![ty],
            Self::Tuple(types) => types.iter().collect(),
            Self::Object(object) => object.field_types(),
        }
    }
}

impl Object {
    fn field_types(&self) -> Vec<&Type> {
        self.fields.iter().map(|field| &field.ty).collect()
    }
}
