//! The calls through leniency: as they are, and spoiled in the ways that it is there for.

use std::borrow::Cow;

use serde_json::{Map, Value};
use toolwright::{Tool, ToolCall, arguments::Leniency, dynamic::DynamicTool, tool::Effects};

/// A call that the schema takes stays, byte for byte. Each of its values written as a text, and each
/// list of one as its item, comes back as it was or stays as it came: never as anything else.
pub(crate) fn check(tool: &DynamicTool, arguments: &Value) {
    assert_eq!(prepared(tool, arguments), None, "{arguments}");
    let members = arguments.as_object().expect("arguments are an object");
    let properties = tool.definition().input_schema.to_value();
    for (key, value) in members {
        let schema = &properties["properties"][key];
        let spoiled = |value: Value| {
            let mut spoiled: Map<_, _> = members.clone();
            spoiled.insert(key.clone(), value);
            Value::Object(spoiled)
        };
        // `"42"` for 42, `"[1]"` for [1]: there is one reading, if it is none of its own.
        if !value.is_string() && !value.is_null() && refuses_text(schema) {
            let text = spoiled(Value::String(value.to_string()));
            assert_eq!(prepared(tool, &text).as_ref(), Some(arguments), "{text}");
        }
        if let Some([item]) = value.as_array().map(Vec::as_slice) {
            let single = spoiled(item.clone());
            let back = prepared(tool, &single);
            assert!(back.is_none_or(|back| back == *arguments), "{single}");
        }
        let is_text = schema["type"] == "string" && value.is_string();
        if let Some(number) = value.as_str().filter(|_| is_text).and_then(number) {
            let bare = spoiled(number);
            assert_eq!(prepared(tool, &bare).as_ref(), Some(arguments), "{bare}");
        }
    }
    // The whole once more as a text, as some servers send it.
    let twice = Value::String(arguments.to_string());
    assert_eq!(prepared(tool, &twice).as_ref(), Some(arguments), "{twice}");
}

/// The arguments that leniency makes; `None` if it changes nothing.
fn prepared(tool: &DynamicTool, arguments: &Value) -> Option<Value> {
    let call = ToolCall::new("1", &*tool.definition().name, arguments.to_string());
    let prepared = Leniency::On.prepare(&call, tool.definition(), Effects::Write);
    match prepared.call {
        Cow::Borrowed(_) => {
            assert!(prepared.changes.is_empty(), "{:?}", prepared.changes);
            None
        }
        Cow::Owned(call) => {
            assert!(!prepared.changes.is_empty(), "{arguments}");
            Some(serde_json::from_str(&call.arguments).expect("is JSON"))
        }
    }
}

/// Whether no text may stand here.
fn refuses_text(schema: &Value) -> bool {
    schema["type"].is_string() && schema["type"] != "string"
}

/// The number that a text spells in just these characters.
fn number(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    let written = value.to_string();
    (value.is_number() && written == text && !text.contains('e')).then_some(value)
}
