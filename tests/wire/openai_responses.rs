//! OpenAI Responses, by OpenAI and by the servers that speak it.

mod asked;
mod came;
mod written;

use serde_json::{Value, json};
use toolwright::{
    ChatModel, ModelResponse, OpenAiResponses as Model,
    message::Part,
    model::FinishReason,
    provider::{Codec as _, OpenAiResponsesCodec},
};

use crate::{
    heard::Silent,
    outcome::{Codec, encode},
    protocol::Protocol,
    record::{Expected, Record},
};

/// A reply that was edited by hand: its pieces say less than it says when it is whole.
const COMMENTARY: &str = r#""phase":"commentary""#;
const EDITED: &str = "resp_0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b1c2d3e4f";

pub(crate) static PROTOCOL: Protocol = Protocol {
    folder: "openai-responses",
    correct,
    codec: Codec::of::<OpenAiResponsesCodec>(compare),
    encode: encode::<OpenAiResponsesCodec>,
    warnings: |_, request| OpenAiResponsesCodec::new().warnings(request),
    asked: asked::asked,
    tools: asked::tools,
    turns: asked::turns,
    allowed: written::ALLOWED,
    allowed_in_replay: written::IN_REPLAY,
    came: came::items,
    replies,
    silent: &[
        Silent {
            reason: "the end has been said before",
            is_it: Value::is_null,
        },
        Silent {
            reason: "the end says again what reply it is",
            is_it: |event| {
                let kind = event["type"].as_str().unwrap_or_default();
                matches!(kind, "response.created" | "response.in_progress")
            },
        },
        Silent {
            reason: "items and arguments come more than once: begun, in pieces and whole",
            is_it: |event| {
                let kind = event["type"].as_str().unwrap_or_default();
                kind.starts_with("response.output_item.")
                    || kind.starts_with("response.function_call_arguments.")
            },
        },
        Silent {
            reason: "the item says it again when it is whole",
            is_it: |event| {
                let kind = event["type"].as_str().unwrap_or_default();
                let of_items = ["_call", "mcp_list_tools", "_part.", "annotation"];
                kind.ends_with("_text.done") || of_items.iter().any(|of| kind.contains(of))
            },
        },
        Silent {
            reason: "a text of one piece is whole in its item as well",
            is_it: |event| event["type"] == "response.output_text.delta",
        },
        Silent {
            reason: "the last piece of a reasoning text is in its whole as well",
            is_it: |event| {
                let kind = event["type"].as_str().unwrap_or_default();
                kind.starts_with("response.reasoning_") && kind.ends_with("_text.delta")
            },
        },
    ],
    silent_fields: &[
        (
            "the server repeats what it was asked, and what goes without saying of that",
            &[
                "background",
                "frequency_penalty",
                "instructions",
                "max_output_tokens",
                "metadata",
                "parallel_tool_calls",
                "presence_penalty",
                "prompt_cache_retention",
                "reasoning",
                "safety_identifier",
                "store",
                "temperature",
                "text",
                "tool_choice",
                "tools",
                "top_logprobs",
                "top_p",
                "truncation",
            ],
        ),
        (
            "it is always a response of the model",
            &["object", "output.role", "output.content.type"],
        ),
        (
            "a server that stores nothing knows no ids of items",
            &["output.id", "output.item_id", "output.status"],
        ),
        ("the order says it", &["output.output_index"]),
        (
            "the time is known to who asked",
            &["created_at", "completed_at"],
        ),
    ],
    unknown_event: "event: response.something_new\ndata: {\"type\": \"response.something_new\"}\n\n",
    model,
    text_response,
    cannot_be_said: &[],
    cannot_be_replayed: &[],
};

fn model(record: &Record, origin: &str) -> Box<dyn ChatModel> {
    Box::new(Model::new(record.model(), "no key").with_base_url(format!("{origin}/v1")))
}

fn text_response(text: &str) -> Value {
    let content = json!([{"type": "output_text", "text": text}]);
    let item = json!({"type": "message", "role": "assistant", "content": content});
    json!({"status": "completed", "output": [item]})
}

fn replies(body: &Value) -> Vec<Vec<Value>> {
    let items = body["input"].as_array().expect("is a list");
    let is_ours = |item: &Value| {
        let kind = item["type"].as_str().unwrap_or_default();
        item["role"] == "user"
            || kind == "function_call_output"
            || kind == "custom_tool_call_output"
    };
    let replies = items.split(is_ours).filter(|items| !items.is_empty());
    replies.map(<[_]>::to_vec).collect()
}

fn correct(record: &mut Record) {
    if record.response.body.contains(EDITED) {
        // Nobody can take back what has been told.
        "The command ran successfully.".clone_into(&mut record.expected.text);
    }
    if record.response.body.contains(COMMENTARY) {
        part_commentary(record);
    }
}

/// The corpus joins all messages to one text. A message of the phase `commentary` is no part of the answer, and is told as
/// reasoning is.
fn part_commentary(record: &mut Record) {
    let body: Value = serde_json::from_str(&record.response.body).expect("is whole");
    let (mut text, mut reasoning) = (String::new(), String::new());
    for item in body["output"].as_array().into_iter().flatten() {
        let parts = item["content"].as_array().into_iter().flatten();
        let words: String = parts.filter_map(|part| part["text"].as_str()).collect();
        match (item["type"].as_str(), item["phase"].as_str()) {
            (Some("message"), Some("commentary")) | (Some("reasoning"), _) => reasoning += &words,
            (Some("message"), _) => text += &words,
            _ => {}
        }
    }
    (record.expected.text, record.expected.reasoning_text) = (text, reasoning);
}

fn compare(reply: &ModelResponse, expected: &Expected) {
    let items = reply.parts.iter().filter_map(|part| match part {
        Part::Opaque(opaque) => Some(&opaque.data),
        _ => None,
    });
    let items: Vec<_> = items.collect();
    for call in &expected.server_tool_calls {
        let is_it = |item: &&&Value| {
            item["type"] == call["type"] && [&item["id"], &item["call_id"]].contains(&&call["id"])
        };
        let kept = items.iter().filter(is_it).count();
        assert_eq!(kept, 1, "{call} is among {items:?}");
    }
    let ours = ["reasoning", "message", "function_call", "custom_tool_call"];
    let kept = items.iter().filter(|item| {
        let kind = item["type"].as_str().expect("has one");
        !ours.contains(&kind)
    });
    assert_eq!(kept.count(), expected.server_tool_calls.len());

    let fact = |name: &str| reply.metadata.get(name).cloned().unwrap_or_default();
    assert_eq!(
        fact("incomplete_details")["reason"].as_str(),
        expected.incomplete_reason.as_deref()
    );
    let ended_with_calls = reply.finish_reason == FinishReason::ToolCalls;
    if expected.complete && expected.error.is_none() && expected.refusal.is_none() {
        assert_eq!(ended_with_calls, !expected.tool_calls.is_empty());
    }
    if expected.error.is_none() {
        let lost: Vec<_> = reply
            .warnings
            .iter()
            .map(|warning| &*warning.code)
            .collect();
        assert!(lost.is_empty(), "nothing is left out: {lost:?}");
    }
    if reply.model.is_some() {
        assert!(matches!(fact("id"), Value::String(_)), "there is an id");
    }
}
