//! Tools that any client may call, at any time.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use toolwright::{
    ToolContext, ToolDefinition, ToolError, ToolInput, ToolOutput, Toolset,
    dynamic::DynamicTool,
    message::{Audio, Document, Image},
    schema::Schema,
    tool,
    tool::{Json, ProgressReport},
    toolset,
};

/// A PNG of one pixel.
pub(crate) const PIXEL: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
/// The header of a WAV file without samples.
const SILENCE: &[u8] = b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x44\xac\0\0\x88\x58\x01\0\x02\0\x10\0data\0\0\0\0";

pub(crate) fn tools() -> Result<Toolset, Box<dyn std::error::Error>> {
    let tools = toolset![
        test_simple_text,
        test_image_content,
        test_audio_content,
        test_embedded_resource,
        test_multiple_content_types,
        test_structured_content,
        test_error_handling,
        test_tool_with_progress,
        test_reconnection,
        test_logging_tool,
    ];
    Ok(tools.with(schema_of_2020_12()?)?.with(with_header()?)?)
}

/// Return a text.
#[tool(read_only)]
fn test_simple_text() -> &'static str {
    "This is a simple text response for testing."
}

/// Return an image.
#[tool(read_only)]
fn test_image_content() -> Image {
    Image::from_base64("image/png", PIXEL)
}

/// Return sound.
#[tool(read_only)]
fn test_audio_content() -> Audio {
    Audio::from_bytes("audio/wav", SILENCE)
}

/// Return a resource.
#[tool(read_only)]
fn test_embedded_resource() -> Document {
    Document::from_bytes("text/plain", "This is an embedded resource content.")
}

/// Return a text, an image and a resource.
#[tool(read_only)]
fn test_multiple_content_types() -> ToolOutput {
    let resource = Document::from_bytes("application/json", r#"{"test":"data","value":123}"#);
    ToolOutput::text("Multiple content types test:")
        .with_image(Image::from_base64("image/png", PIXEL))
        .with_document(resource)
}

/// A temperature that was measured.
#[derive(Serialize, Deserialize, ToolInput)]
struct Measured {
    /// In degrees Celsius.
    temperature: f64,
}

/// Return an object.
#[tool(title = "Temperature", read_only)]
fn test_structured_content() -> Json<Measured> {
    Json(Measured { temperature: 21.5 })
}

/// Fail with a text.
#[tool(read_only)]
fn test_error_handling() -> Result<(), &'static str> {
    Err("This tool intentionally returns an error for testing")
}

/// Report progress.
#[tool(read_only)]
async fn test_tool_with_progress(#[context] cx: &ToolContext) -> &'static str {
    for progress in [0.0, 50.0, 100.0] {
        cx.progress()
            .report(ProgressReport::new(progress).with_total(100.0));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    "Progress test completed"
}

/// Take a while.
#[tool(read_only)]
async fn test_reconnection() -> &'static str {
    tokio::time::sleep(Duration::from_millis(100)).await;
    "Reconnection test completed"
}

/// Write nothing to the log of a client that asked for none.
#[tool(read_only)]
fn test_logging_tool() -> &'static str {
    "Nothing was logged"
}

/// A tool whose schema has keywords that those of Rust types have not.
fn schema_of_2020_12() -> Result<DynamicTool, Box<dyn std::error::Error>> {
    let schema = Schema::from_text(
        r##"{
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"}
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false
    }"##,
    )?;
    let definition = ToolDefinition::new(
        "json_schema_2020_12_tool",
        "Tool with JSON Schema 2020-12 features",
        schema,
    );
    Ok(DynamicTool::foreign(definition, |_, _| async {
        Ok::<_, ToolError>("accepted")
    })?)
}

/// A tool with a parameter that clients also send as a header.
fn with_header() -> Result<DynamicTool, Box<dyn std::error::Error>> {
    let schema = Schema::from_text(
        r#"{
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        "required": ["region"]
    }"#,
    )?;
    let definition =
        ToolDefinition::new("test_header", "Takes a parameter that is a header", schema);
    Ok(DynamicTool::foreign(definition, |_, _| async {
        Ok::<_, ToolError>("accepted")
    })?)
}
