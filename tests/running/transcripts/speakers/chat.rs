//! What models say that speak Chat Completions, each vendor's in its own way.

use serde_json::{Value, json};

use super::{LONG, OSLO};

fn choice(message: Value, finish_reason: &str) -> Value {
    let mut message = message;
    message["role"] = "assistant".into();
    json!({"id": "r", "model": "m", "choices": [
        {"index": 0, "message": message, "finish_reason": finish_reason}]})
}

fn call(id: &str, arguments: &str) -> Value {
    let function = json!({"name": "get_weather", "arguments": arguments});
    json!({"id": id, "type": "function", "function": function})
}

pub(super) fn openai() -> Vec<Value> {
    let ids = ["call_a", "call_b", "call_c"].map(|id| call(id, OSLO));
    let odd = ["", "", "call_a", "call_a", LONG, "functions.look:0"].map(|id| call(id, ""));
    let cut = [call("call_d", OSLO), call("call_e", "{\"city\": \"Os")];
    vec![
        choice(
            json!({"content": "Let me look.", "tool_calls": ids}),
            "tool_calls",
        ),
        choice(json!({"content": null, "tool_calls": odd}), "stop"),
        choice(json!({"content": null, "tool_calls": cut}), "length"),
        choice(json!({"content": null, "refusal": "I will not."}), "stop"),
        choice(json!({"content": "Take a raincoat."}), "stop"),
    ]
}

pub(super) fn mistral() -> Vec<Value> {
    let thinking = json!({"type": "thinking", "thinking": [{"type": "text", "text": "I look."}]});
    let content = json!([thinking, {"type": "text", "text": "One moment."}]);
    let calls = ["gSIMJiOkT", "gSIMJiOkU"].map(|id| call(id, OSLO));
    let odd = [call("gSIMJiOkT", "{}"), call("null", "null")];
    let other = json!({"type": "reference", "reference_ids": [1], "note": "onlyMistral"});
    vec![
        choice(
            json!({"content": content, "tool_calls": calls}),
            "tool_calls",
        ),
        choice(json!({"content": "", "tool_calls": odd}), "tool_calls"),
        choice(
            json!({"content": "Take a", "tool_calls": null}),
            "model_length",
        ),
        choice(
            json!({"content": [{"type": "text", "text": "A raincoat."}, other]}),
            "stop",
        ),
    ]
}

pub(super) fn deepseek() -> Vec<Value> {
    let calls = ["call_00_x", "call_01_x"].map(|id| call(id, OSLO));
    let cut = [call("call_00_y", "")];
    let thought = "I should look.";
    vec![
        choice(
            json!({"content": "", "reasoning_content": thought, "tool_calls": calls}),
            "tool_calls",
        ),
        choice(
            json!({"content": "", "reasoning_content": thought, "tool_calls": cut}),
            "length",
        ),
        choice(
            json!({"content": "A raincoat.", "reasoning_content": thought}),
            "stop",
        ),
    ]
}

pub(super) fn openrouter() -> Vec<Value> {
    let details = json!([
        {"type": "reasoning.text", "text": "I look.", "signature": "onlyOpenRouter:sig+/=", "index": 0},
        {"type": "reasoning.encrypted", "data": "onlyOpenRouter:data\u{e9}\\\"", "index": 1}]);
    let calls = ["a", "b"].map(|id| call(id, OSLO));
    let more = ["a", "b"].map(|id| call(id, "[]"));
    vec![
        choice(
            json!({"content": "", "reasoning": "I look.", "reasoning_details": details,
            "tool_calls": calls}),
            "tool_calls",
        ),
        choice(
            json!({"content": "Again.", "tool_calls": more}),
            "tool_calls",
        ),
        choice(json!({"content": "", "reasoning": "Hm."}), "content_filter"),
        choice(json!({"content": "A raincoat."}), "stop"),
    ]
}

pub(super) fn gemini_surface() -> Vec<Value> {
    let mut calls = ["", ""].map(|id| call(id, OSLO));
    let signature = json!({"google": {"thought_signature": "onlyByChat:EqRk+/="}});
    calls[0]["extra_content"] = signature;
    let extra = json!({"google": {"thought_signature": "onlyByChat:text"}});
    vec![
        choice(json!({"content": null, "tool_calls": calls}), "tool_calls"),
        choice(
            json!({"content": "A raincoat.", "extra_content": extra}),
            "stop",
        ),
    ]
}
