//! The content of a reply, put together without the codec.

use serde_json::{Value, json};

use super::written;
use crate::record::Record;

pub(super) fn content(record: &Record) -> Vec<Value> {
    let mut content = blocks(record);
    // The API sends texts of white space alone, and refuses them.
    let is_blank = |block: &Value| {
        let text = block["text"].as_str();
        text.is_some_and(|text| text.trim().is_empty())
    };
    content.retain(|block| block["type"] != "text" || !is_blank(block));
    // The words of a refusal are all that an empty response says.
    let words = record.expected.stop_details["explanation"].as_str();
    if let Some(words) = words.filter(|_| content.is_empty()) {
        content.push(json!({"type": "text", "text": words}));
    }
    content.into_iter().map(written::block).collect()
}

fn blocks(record: &Record) -> Vec<Value> {
    let body = &record.response.body;
    if record.kind == "json" {
        let body: Value = serde_json::from_str(body).expect("is JSON");
        return body["content"].as_array().cloned().unwrap_or_default();
    }
    let mut content: Vec<(Value, String)> = Vec::new();
    let events = body.lines().filter_map(|line| line.strip_prefix("data:"));
    for event in events.filter_map(|data| serde_json::from_str::<Value>(data).ok()) {
        match event["type"].as_str() {
            Some("content_block_start") => {
                content.push((event["content_block"].clone(), String::new()));
            }
            Some("content_block_delta") => {
                let index = event["index"].as_u64().expect("has one");
                let index = usize::try_from(index).expect("is small");
                let (block, input) = &mut content[index];
                add(block, input, &event["delta"]);
            }
            _ => {}
        }
    }
    let blocks = content.into_iter().map(|(mut block, input)| {
        if !input.is_empty() {
            block["input"] = serde_json::from_str(&input).expect("is whole");
        }
        block
    });
    blocks.collect()
}

fn add(block: &mut Value, input: &mut String, delta: &Value) {
    let mut append = |field: &str| {
        let all = block[field].as_str().unwrap_or_default().to_owned();
        block[field] = (all + delta[field].as_str().expect("is text")).into();
    };
    match delta["type"].as_str().expect("has one") {
        "text_delta" => append("text"),
        "thinking_delta" => append("thinking"),
        "signature_delta" => append("signature"),
        "input_json_delta" => input.push_str(delta["partial_json"].as_str().expect("is text")),
        "citations_delta" => {
            let mut all = block["citations"].as_array().cloned().unwrap_or_default();
            all.push(delta["citation"].clone());
            block["citations"] = all.into();
        }
        other => panic!("{other} is new: say here what it does"),
    }
}
