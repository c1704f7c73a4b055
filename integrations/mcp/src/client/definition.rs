//! The definition of a tool as its server has it.

use std::borrow::Cow;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use toolwright_core::{
    Schema,
    tool::{ToolDefinition, ToolHints},
};

/// The definition as the server has it.
pub(crate) fn of(tool: &Tool) -> ToolDefinition {
    let description = tool.description.clone().unwrap_or_default();
    let mut definition =
        ToolDefinition::new(tool.name.clone(), description, schema(&tool.input_schema));
    definition.hints = hints(tool.annotations.as_ref());
    definition.title = tool.title.clone().map(Cow::Owned);
    definition.output_schema = tool.output_schema.as_deref().map(schema);
    definition
}

fn schema(object: &JsonObject) -> Schema {
    Schema::from_value(&serde_json::Value::Object(object.clone()))
}

/// The number of bytes of the definition as JSON.
pub(crate) fn size(tool: &Tool) -> usize {
    serde_json::to_string(tool).map_or(0, |text| text.len())
}

/// The number of bytes of what a person or a model reads of it.
pub(crate) fn texts(tool: &Tool) -> usize {
    let title = tool.title.as_ref().map_or(0, String::len);
    let description = tool.description.as_ref().map_or(0, |text| text.len());
    tool.name.len() + title + description
}

fn hints(annotations: Option<&ToolAnnotations>) -> ToolHints {
    let mut hints = ToolHints::NONE;
    if let Some(annotations) = annotations {
        hints.read_only = annotations.read_only_hint;
        hints.destructive = annotations.destructive_hint;
        hints.idempotent = annotations.idempotent_hint;
        hints.open_world = annotations.open_world_hint;
    }
    hints
}
