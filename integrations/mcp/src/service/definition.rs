//! Our definition of a tool as theirs.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use toolwright_core::{
    schema::Schema,
    tool::{ToolDefinition, ToolHints},
};

use super::Served;

/// The definition as clients receive it: its name, texts and schemas are those of the tool.
fn of(definition: &ToolDefinition) -> Tool {
    let input = object(&definition.input_schema);
    let mut tool = Tool::new(
        definition.name.clone(),
        definition.description.clone(),
        Arc::new(input),
    );
    tool.title = definition.title.as_deref().map(ToOwned::to_owned);
    // Theirs is an object, too: another form of result has text alone.
    let output = definition.output_schema.as_ref().map(object);
    tool.output_schema = output.filter(is_object).map(Arc::new);
    tool.annotations = annotations(definition.hints);
    tool
}

impl Served {
    /// The definition with what is passed on about the tool.
    pub(crate) fn shown(&self, definition: &ToolDefinition) -> Tool {
        let mut tool = of(definition);
        tool.meta = self.tool_meta.get(&*definition.name).cloned();
        tool
    }
}

/// Whether a call's result has structured content beside its text.
pub(crate) fn is_structured(definition: &ToolDefinition) -> bool {
    let output = definition.output_schema.as_ref();
    output.map(object).is_some_and(|schema| is_object(&schema))
}

fn object(schema: &Schema) -> JsonObject {
    match schema.to_value() {
        serde_json::Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

fn is_object(schema: &JsonObject) -> bool {
    schema.get("type").is_some_and(|kind| kind == "object")
}

/// `None` where nothing is said: a client then expects the worst.
fn annotations(hints: ToolHints) -> Option<ToolAnnotations> {
    let ToolHints {
        read_only,
        destructive,
        idempotent,
        open_world,
        ..
    } = hints;
    (hints != ToolHints::NONE)
        .then(|| ToolAnnotations::from_raw(None, read_only, destructive, idempotent, open_world))
}
