//! The fields of a type: the arguments of a prompt, the variables of a template.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use toolwright_core::{
    ToolCall, ToolError, ToolInput,
    schema::{Describe, Ends, Kind, Node, Property, Start},
};

/// A type with named fields that a client can send as strings: a struct that derives [`ToolInput`] and
/// `serde::Deserialize`, or `()` for no fields.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a client sends by name",
    label = "this is not known to have fields that can be read",
    note = "derive `serde::Deserialize` and `toolwright::ToolInput` for `{Self}`, and let it own what it holds; `()` has no fields"
)]
pub trait Fields: ToolInput + DeserializeOwned + 'static {}

#[diagnostic::do_not_recommend]
impl<T> Fields for T
where
    T: ToolInput + DeserializeOwned + 'static,
    T::Body<Start>: Ends,
{
}

/// The fields of a type, in order; `None` for a type that has no known fields.
pub(crate) fn of<T: Fields>() -> Option<Vec<&'static Property>> {
    of_node(<T::Body<Start> as Describe>::node())
}

/// The fields of a node.
pub(crate) fn of_node(node: &'static Node) -> Option<Vec<&'static Property>> {
    let mut all = Vec::new();
    collect(node, &mut all).then_some(all)
}

fn collect(node: &'static Node, into: &mut Vec<&'static Property>) -> bool {
    match node.kind {
        Kind::Null => true,
        Kind::Same { node, .. } | Kind::Constrained { node, .. } => collect(node(), into),
        Kind::Object { properties, .. } => properties.iter().all(|property| {
            if property.is_flattened {
                return collect((property.node)(), into);
            }
            into.push(property);
            true
        }),
        _ => false,
    }
}

/// Reads the fields of a call, whose values are strings.
///
/// # Errors
///
/// `InvalidArguments`, with the field, what was expected and what came.
pub(crate) fn read<T: Fields>(mut call: ToolCall) -> Result<T, ToolError> {
    let node: fn() -> &'static Node = <T::Body<Start> as Describe>::node;
    let fields = of::<T>().unwrap_or_default();
    if matches!(node().kind, Kind::Null) {
        let no_fields = serde_json::from_value(Value::Null);
        return no_fields.map_err(|error| ToolError::internal(error.to_string()));
    }
    if let Ok(mut sent) = serde_json::from_str::<Map<String, Value>>(&call.arguments) {
        for field in fields {
            if let Some(value) = sent.get_mut(field.name)
                && !is_text(value_of(field))
                && let Some(other) = value.as_str().and_then(|it| serde_json::from_str(it).ok())
            {
                *value = other;
            }
        }
        call.arguments = to_json(&sent);
    }
    call.decode_as(node)
}

/// The fields that were sent, as arguments of a call.
pub(crate) fn to_json(fields: &Map<String, Value>) -> String {
    // `Value` has a `Display`, which grows the string byte by byte.
    serde_json::to_string(fields).unwrap_or_default()
}

/// The node of a field's value, without what is around it.
pub(crate) fn value_of(field: &Property) -> &'static Node {
    let mut node = (field.node)();
    while let Kind::Optional(inner)
    | Kind::Same { node: inner, .. }
    | Kind::Constrained { node: inner, .. } = node.kind
    {
        node = inner();
    }
    node
}

/// The description of a field, or else that of its type.
pub(crate) fn description_of(field: &Property) -> Option<&'static str> {
    let own = [field.description, value_of(field).description];
    own.into_iter().find(|text| !text.is_empty())
}

fn is_text(node: &Node) -> bool {
    matches!(
        node.kind,
        Kind::String | Kind::Character | Kind::Formatted(_) | Kind::Choice(_)
    )
}
