//! What is asked of any text as one in which a model writes calls: no panic, calls of declared tools alone, and the same
//! result in pieces.

use toolwright::{
    ToolDefinition,
    emulation::{TextCalls, TextPiece, ToolText},
    schema::Schema,
};

const SCHEMA: &str = r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}"#;

/// The length of texts that are cut at every character.
const SHORT: usize = 256;

/// Any text, whole, in two pieces, and in single characters.
pub(crate) fn any(text: &str) {
    let tool = |name: &'static str| {
        let schema = Schema::from_text(SCHEMA).expect("is JSON");
        ToolDefinition::new(name, "", schema)
    };
    let parser = ToolText::new(&vec![tool("get_weather"), tool("ping")].into());
    let whole = parser.parse(text);
    for call in &whole.calls {
        assert!(matches!(&*call.name, "get_weather" | "ping"), "{text:?}");
        let arguments = serde_json::from_str::<serde_json::Value>(&call.arguments);
        assert!(
            arguments.is_ok_and(|json| json.is_object()),
            "{text:?}: {call:?}"
        );
    }
    assert!(
        whole.text.len() + whole.reasoning.len() <= text.len(),
        "{text:?}"
    );
    let middle = (text.len() / 2..=text.len()).find(|&at| text.is_char_boundary(at));
    let (start, end) = text.split_at(middle.unwrap_or_default());
    assert_eq!(joined(&parser, [start, end]), whole, "{text:?}");
    if text.len() <= SHORT {
        let pieces = text.split_inclusive(|_: char| true);
        assert_eq!(joined(&parser, pieces), whole, "{text:?}");
    }
}

fn joined<'t>(parser: &ToolText, pieces: impl IntoIterator<Item = &'t str>) -> TextCalls {
    let mut stream = parser.stream();
    let mut all: Vec<_> = pieces
        .into_iter()
        .flat_map(|piece| stream.push(piece))
        .collect();
    let end = stream.finish();
    all.extend(end.pieces);
    let mut calls = TextCalls::default();
    for piece in all {
        match piece {
            TextPiece::Text(text) => calls.text += &text,
            TextPiece::Reasoning(text) => calls.reasoning += &text,
            _ => calls.reasoning = std::mem::take(&mut calls.text),
        }
    }
    (calls.calls, calls.refused, calls.format) = (end.calls, end.refused, end.format);
    calls
}
