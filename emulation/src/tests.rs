//! What the parser does with texts of all formats, and with texts of none.

mod reading;

use serde_json::json;
use toolwright_runtime::{ToolDefinition, ToolDefinitions};

use crate::ToolText;

/// A parser that knows three tools.
fn parser() -> ToolText {
    let tool = |name: &'static str, parameters: serde_json::Value| {
        let schema = json!({"type": "object", "properties": parameters});
        let schema = serde_json::from_value(schema).expect("is a schema");
        ToolDefinition::new(name, "", schema)
    };
    let tools: ToolDefinitions = [
        tool(
            "get_weather",
            json!({"city": {"type": "string"}, "days": {"type": "integer"}}),
        ),
        tool(
            "write_file",
            json!({"path": {"type": "string"}, "content": {"type": "string"}}),
        ),
        tool("ping", json!({})),
    ]
    .into_iter()
    .collect();
    ToolText::new(&tools)
}
