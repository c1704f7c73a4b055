//! The definitions of every recorded request, in the forms of five protocols.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::foreign::load;

/// The recorded requests that define tools.
pub(crate) fn requests(shared: &Path) -> Option<Vec<(String, Value)>> {
    let mut requests = Vec::new();
    for protocol in [
        "openai-chat",
        "openai-responses",
        "anthropic",
        "gemini",
        "ollama",
    ] {
        for entry in shared.join("wire").join(protocol).read_dir().ok()? {
            let path = entry.expect("the folder is readable").path();
            let text = fs::read_to_string(path).expect("a recording is text");
            let record: Value = serde_json::from_str(&text).expect("a recording is JSON");
            if !declarations(&record).is_empty() {
                let id = record["id"].as_str().expect("it has an id").to_owned();
                requests.push((id, record));
            }
        }
    }
    requests.sort_by(|(left, _), (right, _)| left.cmp(right));
    Some(requests)
}

pub(crate) fn check(record: &Value) {
    for declaration in declarations(record) {
        let text = |key: &str| declaration[key].as_str().unwrap_or_default();
        let schema = [
            "input_schema",
            "parameters",
            "parametersJsonSchema",
            "parameters_json_schema",
        ]
        .into_iter()
        .find_map(|key| declaration.get(key))
        .cloned()
        .unwrap_or_else(|| json!({"type": "object"}));
        load(text("name"), text("description"), &lower_case(schema));
    }
}

/// What a request says of each tool that its caller runs.
fn declarations(record: &Value) -> Vec<&Value> {
    let tools = record["request"]["body"]["tools"].as_array();
    let tools = tools.into_iter().flatten();
    let is_ours = |tool: &&Value| {
        let has_schema = tool.get("input_schema").is_some();
        has_schema || tool.get("parameters").is_some() || tool["type"] == "function"
    };
    tools
        .flat_map(|tool| match tool.get("functionDeclarations") {
            Some(all) => all.as_array().into_iter().flatten().collect(),
            None => vec![tool.get("function").unwrap_or(tool)],
        })
        .filter(|tool| {
            is_ours(tool)
                || tool.get("parametersJsonSchema").is_some()
                || tool.get("parameters_json_schema").is_some()
        })
        .collect()
}

/// Gemini's own schemas write the names of types in capitals.
fn lower_case(mut schema: Value) -> Value {
    match &mut schema {
        Value::Object(members) => {
            for (key, value) in members {
                let lower = match (key.as_str(), &value) {
                    ("type", Value::String(name)) => Value::from(name.to_ascii_lowercase()),
                    _ => lower_case(value.take()),
                };
                *value = lower;
            }
        }
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| *item = lower_case(item.take())),
        _ => {}
    }
    schema
}
