//! Google's `generateContent`.

mod asked;
mod came;
mod camel_case;
pub(crate) use camel_case::in_camel_case;
mod written;

use serde_json::{Value, json};
use toolwright::{
    ChatModel, Gemini as Model, ModelResponse,
    message::Part,
    provider::{Codec as _, GeminiCodec},
};

use crate::{
    heard::Silent,
    outcome::{Codec, encode},
    protocol::Protocol,
    record::{Expected, Record},
};

/// A run has no place for it.
const SPOKEN_TO: &str = "the user speaks between results and reply";

pub(crate) static PROTOCOL: Protocol = Protocol {
    folder: "gemini",
    correct: |_| {},
    codec: Codec::of::<GeminiCodec>(compare),
    encode: encode::<GeminiCodec>,
    warnings: |_, request| GeminiCodec::new().warnings(request),
    asked: asked::asked,
    tools: asked::tools,
    turns: asked::turns,
    allowed: written::ALLOWED,
    allowed_in_replay: written::IN_REPLAY,
    came: came::parts,
    replies,
    silent: &[Silent {
        reason: "a piece of arguments in which nothing is said, or that ends one",
        is_it: |event| {
            let parts = &event["candidates"][0]["content"]["parts"];
            let call = &parts[0]["functionCall"];
            let is_empty = |piece: &Value| piece["stringValue"] == "";
            let pieces = call["partialArgs"]
                .as_array()
                .map_or(&[][..], Vec::as_slice);
            call["name"].is_null() && call.is_object() && pieces.iter().all(is_empty)
        },
    }],
    silent_fields: &[
        ("it is always of the model", &["candidates.content.role"]),
        ("it is always the first", &["candidates.index"]),
        ("a report without counts", &["usageMetadata"]),
    ],
    unknown_event: "data: {\"something_new\": true}\r\n\r\n",
    model,
    text_response,
    cannot_be_said: &[],
    cannot_be_replayed: &[
        (
            "google-pai-tool-availability-portability-matrix-r2-t5-local-search",
            SPOKEN_TO,
        ),
        (
            "google-vertex-pai-multimodal-tool-return-matrix-tool-return-content-url-im-c81e34",
            SPOKEN_TO,
        ),
    ],
};

fn model(record: &Record, origin: &str) -> Box<dyn ChatModel> {
    Box::new(Model::new(record.model(), "no key").with_base_url(origin))
}

fn text_response(text: &str) -> Value {
    let content = json!({"role": "model", "parts": [{"text": text}]});
    json!({"candidates": [{"content": content, "finishReason": "STOP"}]})
}

fn replies(body: &Value) -> Vec<Vec<Value>> {
    let contents = body["contents"].as_array().expect("is a list").iter();
    let replies = contents.filter(|content| content["role"] == "model");
    let parts = replies.map(|content| content["parts"].as_array().cloned());
    parts.map(Option::unwrap_or_default).collect()
}

fn compare(reply: &ModelResponse, expected: &Expected) {
    let opaque = reply.parts.iter().filter_map(|part| match part {
        Part::Opaque(opaque) => Some(&opaque.data),
        _ => None,
    });
    let of_server = opaque.filter(|data| data["toolCall"].is_object());
    assert_eq!(of_server.count(), expected.server_tool_calls.len());
    let fact = |name: &str| reply.metadata.get(name).cloned().unwrap_or_default();
    assert_eq!(
        fact("finishMessage").as_str(),
        expected.finish_message.as_deref()
    );
    assert_eq!(
        fact("promptFeedback")["blockReason"].as_str(),
        expected.block_reason.as_deref()
    );
    let lost: Vec<_> = reply
        .warnings
        .iter()
        .map(|warning| &*warning.code)
        .filter(|code| !matches!(*code, "other_choices" | "prompt_blocked"))
        .collect();
    assert!(lost.is_empty(), "nothing is left out: {lost:?}");
    if reply.model.is_some() {
        assert!(matches!(fact("id"), Value::String(_)), "there is an id");
    }
}
