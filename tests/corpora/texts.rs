//! Texts that were written beside the rules and without a look at the parser: calls, and what only looks like them.

use libtest_mimic::Failed;
use serde_json::{Value, json};
use toolwright::{
    ToolDefinition,
    emulation::{TextCalls, TextSource, ToolText},
    schema::Schema,
    tool::{ToolDefinitions, ToolHints},
};

/// The texts that are read otherwise, each with the reason.
const OTHERWISE: [(&str, &str); 1] = [(
    "qwen_flower",
    "a format that is not in the table: its calls are text, and none is run",
)];

/// One text: its calls, those that are refused, and all else as text.
pub(crate) fn check(record: &Value) {
    let id = record["id"].as_str().expect("it has an id");
    let text = record["text"].as_str().expect("there is a text");
    let read = parser(record).parse(text);
    let is_right = is_right(record, &read, text);
    let is_otherwise = OTHERWISE.iter().any(|(other, _)| *other == id);
    assert_eq!(
        is_right, !is_otherwise,
        "{} {text:?}\n{read:?}",
        record["why"]
    );
    if is_otherwise {
        assert_eq!((read.calls.len(), read.text.as_str()), (0, text.trim()));
    }
}

/// The number of texts is the one that is spoken of.
pub(crate) fn count(records: &[(String, Value)]) -> Result<(), Failed> {
    if records.len() == 450 {
        return Ok(());
    }
    Err(format!("{} texts", records.len()).into())
}

fn parser(record: &Value) -> ToolText {
    let tools = record["tools"].as_array().expect("there are tools");
    let tool = |tool: &Value| {
        let name = tool["name"].as_str().expect("has a name").to_owned();
        let schema = Schema::from_value(&json!({"type": "object"}));
        ToolDefinition {
            hints: ToolHints::NONE.with_read_only(tool["read_only"] == true),
            ..ToolDefinition::new(name, "", schema)
        }
    };
    let tools: ToolDefinitions = tools.iter().map(tool).collect();
    let source = match record["who"].as_str() {
        Some("native") => TextSource::Native,
        Some("decision") => TextSource::Decision,
        _ => TextSource::Other,
    };
    let parser = ToolText::new(&tools).with_source(source);
    match record.get("answer_schema") {
        Some(schema) => parser.with_answer_schema(Schema::from_value(schema)),
        None => parser,
    }
}

fn is_right(record: &Value, read: &TextCalls, text: &str) -> bool {
    let arguments = |text: &str| serde_json::from_str::<Value>(text).expect("is JSON");
    let calls: Vec<_> = read
        .calls
        .iter()
        .map(|call| json!({"name": call.name, "arguments": arguments(&call.arguments)}))
        .collect();
    let expected = &record["expect"];
    if expected == "text" {
        return calls.is_empty() && read.text == text.trim();
    }
    let refused: Vec<_> = read
        .refused
        .iter()
        .map(|one| json!({"name": one.name, "arguments": one.arguments.as_deref().map(arguments)}))
        .collect();
    let listed = |key: &str| expected.get(key).cloned().unwrap_or_else(|| json!([]));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let rest = expected["text"].as_str();
    json!(calls) == listed("calls")
        && json!(refused) == listed("refused")
        && rest.is_none_or(|rest| words(rest) == words(&read.text))
}
