//! What the parser does with texts of all formats, and with texts of none.

mod bad_input;
mod cuts;
mod formats;
mod reading;
mod table;
mod written;

use serde_json::json;
use toolwright_core::{ToolDefinition, ToolDefinitions, tool::ToolHints};

use crate::{TextCalls, TextPiece, ToolText};

/// A parser that knows four tools, which change nothing.
fn parser() -> ToolText {
    let tool = |name: &'static str, parameters: serde_json::Value| {
        let schema = json!({"type": "object", "properties": parameters});
        let schema = serde_json::from_value(schema).expect("is a schema");
        let hints = ToolHints::NONE.with_read_only(true);
        ToolDefinition {
            hints,
            ..ToolDefinition::new(name, "", schema)
        }
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
        tool("search", json!({"query": {"type": "string"}})),
    ]
    .into_iter()
    .collect();
    ToolText::new(&tools)
}

/// The same text, in pieces.
fn in_pieces<'t>(parser: &ToolText, pieces: impl Iterator<Item = &'t str>) -> TextCalls {
    let mut stream = parser.stream();
    let mut calls = TextCalls::default();
    let mut add = |pieces| {
        for piece in pieces {
            match piece {
                TextPiece::Text(text) => calls.text += &text,
                TextPiece::Reasoning(text) => calls.reasoning += &text,
                TextPiece::TextWasReasoning => calls.reasoning = std::mem::take(&mut calls.text),
            }
        }
    };
    for piece in pieces {
        add(stream.push(piece));
    }
    let end = stream.finish();
    add(end.pieces);
    (calls.calls, calls.refused, calls.format) = (end.calls, end.refused, end.format);
    calls
}

fn len(piece: &TextPiece) -> usize {
    match piece {
        TextPiece::Text(text) | TextPiece::Reasoning(text) => text.len(),
        TextPiece::TextWasReasoning => 0,
    }
}
