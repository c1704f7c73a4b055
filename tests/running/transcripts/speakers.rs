//! What models of each provider, and of vendors that differ, may say: in the wire form of each.

#[path = "speakers/chat.rs"]
mod chat;

use serde_json::{Value, json};
use toolwright::provider::Vendor;

/// A provider with what its model says, one reply after the other.
#[derive(Clone)]
#[allow(
    dead_code,
    reason = "the tests against the double need no marks: it knows what it takes"
)]
pub(crate) struct Speaker {
    pub(crate) name: &'static str,
    pub(crate) codec: &'static str,
    /// Of those that speak Chat Completions.
    pub(crate) vendor: Vendor,
    /// Whole replies: several calls, ids that are none, a reply cut off, a refused one, an answer.
    pub(crate) replies: Vec<Value>,
    /// What only this provider can read, each a text that begins with `only`.
    pub(crate) marks: Vec<String>,
    /// Whether the provider takes an id of a call.
    pub(crate) is_id: fn(&str) -> bool,
}

impl Speaker {
    fn new(name: &'static str, codec: &'static str, replies: Vec<Value>) -> Self {
        let mut marks = Vec::new();
        for reply in &replies {
            find_marks(reply, &mut marks);
        }
        Self {
            name,
            codec,
            vendor: Vendor::OPENAI,
            replies,
            marks,
            is_id: |_| true,
        }
    }

    fn of(vendor: Vendor, replies: Vec<Value>) -> Self {
        let mut speaker = Self::new(vendor.name(), "openai_chat", replies);
        speaker.vendor = vendor;
        speaker
    }

    /// Makes its marks others.
    #[allow(dead_code, reason = "as for the marks")]
    pub(crate) fn rename(&mut self) {
        for reply in &mut self.replies {
            let text = reply.to_string().replace("only", "ther");
            *reply = serde_json::from_str(&text).expect("is still JSON");
        }
        for mark in &mut self.marks {
            *mark = mark.replace("only", "ther");
        }
    }
}

fn find_marks(value: &Value, marks: &mut Vec<String>) {
    match value {
        Value::String(text) if text.starts_with("only") => marks.push(text.clone()),
        Value::Array(items) => {
            for item in items {
                find_marks(item, marks);
            }
        }
        Value::Object(members) => {
            for item in members.values() {
                find_marks(item, marks);
            }
        }
        _ => {}
    }
}

pub(crate) fn speakers() -> Vec<Speaker> {
    vec![
        Speaker::of(Vendor::OPENAI, chat::openai()),
        Speaker {
            is_id: |id| id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric()),
            ..Speaker::of(Vendor::MISTRAL, chat::mistral())
        },
        Speaker::of(Vendor::DEEPSEEK, chat::deepseek()),
        Speaker::of(Vendor::OPENROUTER, chat::openrouter()),
        Speaker::new(
            "Gemini by Chat Completions",
            "openai_chat",
            chat::gemini_surface(),
        ),
        Speaker::new("OpenAI Responses", "openai_responses", responses()),
        Speaker::new("Anthropic", "anthropic", anthropic()),
        Speaker::new("Gemini", "gemini", gemini()),
        Speaker::new("Ollama", "ollama", ollama()),
    ]
}

const OSLO: &str = "{\"city\": \"Oslo\"}";

/// Longer than any provider but its own takes.
const LONG: &str = "call_0123456789012345678901234567890123456789012345678901234567";

fn responses() -> Vec<Value> {
    let reply = |status: &str, output: Value| {
        json!({"id": "resp", "model": "m", "status": status,
        "output": output, "usage": {"input_tokens": 1, "output_tokens": 1}})
    };
    let reasoning = |id: &str, mark: &str| {
        json!({"type": "reasoning", "id": id,
        "summary": [{"type": "summary_text", "text": "I look."}], "encrypted_content": mark})
    };
    let call = |id: &str, arguments: &str| {
        json!({"type": "function_call", "id": "fc", "call_id": id,
        "name": "get_weather", "arguments": arguments, "status": "completed"})
    };
    let message = |content: Value| {
        json!({"type": "message", "id": "msg", "role": "assistant",
        "status": "completed", "content": content})
    };
    let text = |text: &str| json!([{"type": "output_text", "text": text, "annotations": []}]);
    let cited = json!([{"type": "output_text", "text": "A raincoat.",
        "annotations": [{"type": "url_citation", "title": "onlyResponses:cited", "url": "https://example.com",
            "start_index": 0, "end_index": 1}]}]);
    let search = json!({"type": "web_search_call", "id": "onlyResponses:ws", "status": "completed",
            "action": {"type": "search", "query": "raincoats"}});
    let refusal = json!([{"type": "refusal", "refusal": "I will not."}]);
    let mut cut = reply("incomplete", json!([call("call_d", "{\"city\": \"Os")]));
    cut["incomplete_details"] = json!({"reason": "max_output_tokens"});
    vec![
        reply(
            "completed",
            json!([
                reasoning("rs_1", "onlyResponses:gAAA+/=\u{e9}"),
                message(text("One moment.")),
                call("call_1", OSLO),
                call("call_2", OSLO),
                search
            ]),
        ),
        reply(
            "completed",
            json!([
                call("call_1", ""),
                call("", "null"),
                call("", "{}"),
                call(LONG, "{}")
            ]),
        ),
        cut,
        reply("completed", json!([message(refusal)])),
        reply(
            "completed",
            json!([reasoning("rs_2", "onlyResponses:gBBB"), message(cited)]),
        ),
    ]
}

fn anthropic() -> Vec<Value> {
    let reply = |stop: &str, content: Value| {
        json!({"id": "msg", "type": "message", "role": "assistant",
        "model": "m", "stop_reason": stop, "content": content,
        "usage": {"input_tokens": 1, "output_tokens": 1}})
    };
    let call = |id: &str, input: Value| {
        json!({"type": "tool_use", "id": id, "name": "get_weather",
        "input": input})
    };
    let oslo = json!({"city": "Oslo"});
    vec![
        reply(
            "tool_use",
            json!([
            {"type": "thinking", "thinking": "I look.", "signature": "onlyAnthropic:EqRk+/=\u{e9}"},
            {"type": "redacted_thinking", "data": "onlyAnthropic:redacted"},
            {"type": "text", "text": "One moment."},
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search",
                "input": {"query": "onlyAnthropic:query"}},
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
            call("toolu_1", oslo.clone()), call("toolu_2", oslo.clone()), call("toolu_3", json!({}))]),
        ),
        reply(
            "tool_use",
            json!([
                call("toolu_1", oslo.clone()),
                call("", oslo.clone()),
                call(LONG, oslo)
            ]),
        ),
        reply(
            "max_tokens",
            json!([{"type": "text", "text": " "}, call("toolu_4", json!({}))]),
        ),
        reply("refusal", json!([])),
        reply(
            "end_turn",
            json!([{"type": "text", "text": "A raincoat.", "citations": [
            {"type": "web_search_result_location", "encrypted_index": "onlyAnthropic:cited",
                "cited_text": "a", "title": "b", "url": "https://example.com"}]}]),
        ),
    ]
}

fn gemini() -> Vec<Value> {
    let reply = |reason: &str, parts: Value| {
        json!({"candidates": [{"index": 0, "finishReason": reason,
        "content": {"role": "model", "parts": parts}}], "modelVersion": "m", "responseId": "r"})
    };
    let call = |id: Option<&str>| {
        let mut call = json!({"name": "get_weather", "args": {"city": "Oslo"}});
        if let Some(id) = id {
            call["id"] = id.into();
        }
        json!({"functionCall": call})
    };
    let mut signed = call(Some("fc1"));
    signed["thoughtSignature"] = "onlyGeminiCall00".into();
    vec![
        reply(
            "STOP",
            json!([{"text": "I look.", "thought": true}, {"text": "One moment."}, signed,
            call(Some("fc2")), call(None)]),
        ),
        reply(
            "STOP",
            json!([call(None), call(Some("fc1")), call(Some(LONG))]),
        ),
        reply("MAX_TOKENS", json!([call(Some("fc3"))])),
        reply("SAFETY", json!([])),
        reply(
            "STOP",
            json!([{"text": "A raincoat.", "thoughtSignature": "onlyGeminiText00"},
            {"text": "", "thoughtSignature": "onlyGeminiEnd000"}]),
        ),
    ]
}

fn ollama() -> Vec<Value> {
    let reply = |reason: &str, message: Value| {
        json!({"model": "m", "message": message, "done": true,
        "done_reason": reason, "prompt_eval_count": 1, "eval_count": 1})
    };
    let call = |id: Option<&str>, mark: Option<&str>| {
        let mut call = json!({"function": {"name": "get_weather", "arguments": {"city": "Oslo"}}});
        if let Some(id) = id {
            call["id"] = id.into();
        }
        if let Some(mark) = mark {
            call["note"] = mark.into();
        }
        call
    };
    vec![
        reply(
            "stop",
            json!({"role": "assistant", "content": "", "thinking": "I look.", "tool_calls": [
            call(None, None), call(Some("call_1"), Some("onlyOllama")), call(Some("call_1"), None)]}),
        ),
        reply(
            "length",
            json!({"role": "assistant", "content": "Take", "tool_calls": [call(None, None)]}),
        ),
        reply(
            "stop",
            json!({"role": "assistant", "content": "A raincoat."}),
        ),
    ]
}
