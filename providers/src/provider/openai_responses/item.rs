//! The types of items, and the opaque parts that hold them.
//!
//! The data of an opaque part is the item as it came. Of what other parts hold already, it is what
//! those do not say: the phase of the text just before, the caller of the call with its `call_id`. With
//! nothing but its `type` it says where a message ended. A message with content of its own, such as
//! citations, is there as a whole, and counts as long as it says what the text just before says.

use serde_json::{Map, Value};
use toolwright_core::message::Opaque;

use super::PROVIDER;

/// The type of an item of text.
pub(super) const MESSAGE: &str = "message";
/// The type of an item of reasoning.
pub(super) const REASONING: &str = "reasoning";
/// The type of a call.
pub(super) const FUNCTION_CALL: &str = "function_call";
/// The type of a call whose arguments are a text of any form.
pub(super) const CUSTOM_CALL: &str = "custom_tool_call";

/// The type of an image that the model made. Its bytes, in [`RESULT`], are those of the image just before.
pub(super) const IMAGE: &str = "image_generation_call";
/// The field of the bytes of an image.
pub(super) const RESULT: &str = "result";

/// The type of a part of text in a message.
pub(super) const OUTPUT_TEXT: &str = "output_text";

/// The prefix of the ids of custom calls that xAI runs itself. The program must not answer these calls.
pub(super) const RUN_BY_SERVER: &str = "xs_call_";

/// An opaque part of an item.
pub(super) fn opaque(item: Map<String, Value>) -> Opaque {
    Opaque {
        provider: PROVIDER.to_owned(),
        data: Value::Object(item),
    }
}

/// An opaque part of what other parts do not say of an item.
pub(super) fn beside(kind: &str, mut fields: Map<String, Value>) -> Opaque {
    fields.insert("type".to_owned(), kind.into());
    opaque(fields)
}

/// The field that says whether a message is the answer (openai-python, `types/responses/response_output_message.py`).
pub(super) const PHASE: &str = "phase";
/// The phase of a message beside the answer, such as "Let me look." before a call. It is shown as reasoning is, and goes
/// back as it came.
pub(super) const COMMENTARY: &str = "commentary";

/// Returns true for a message beside the answer.
pub(super) fn is_commentary(item: &Value) -> bool {
    item[PHASE] == COMMENTARY
}

/// The type of an item.
pub(super) fn kind_of(item: &Value) -> &str {
    item["type"].as_str().unwrap_or_default()
}

/// The words of an item: its text, or its reasoning.
pub(super) fn words_of(item: &Value) -> impl Iterator<Item = &str> {
    let parts = ["summary", "content"].into_iter();
    let parts = parts.flat_map(|name| item[name].as_array().into_iter().flatten());
    parts.filter_map(|part| part["text"].as_str())
}

/// Returns true if an item asks the program for something that only it can do.
pub(super) fn asks_the_program(kind: &str, item: &Map<String, Value>) -> bool {
    match kind {
        "local_shell_call" | "apply_patch_call" | "computer_call" | "mcp_approval_request" => true,
        // The shell may be in a container of the server.
        "shell_call" => {
            let place = item
                .get("environment")
                .and_then(|place| place["type"].as_str());
            !place.is_some_and(|place| place.starts_with("container"))
        }
        "tool_search_call" => item.get("execution").is_some_and(|who| who == "client"),
        _ => false,
    }
}

/// The separator between the words of two parts of reasoning.
pub(super) const BETWEEN_PARTS: &str = "\n\n";

/// The words of reasoning, with its parts kept apart.
pub(super) fn joined_words(item: &Value) -> String {
    let parts: Vec<_> = words_of(item).filter(|words| !words.is_empty()).collect();
    parts.join(BETWEEN_PARTS)
}

/// Returns true if the words of an item are these.
pub(super) fn says(item: &Value, mut text: &str) -> bool {
    if kind_of(item) == REASONING {
        return joined_words(item) == text.strip_prefix(BETWEEN_PARTS).unwrap_or(text);
    }
    let all = words_of(item).all(|words| match text.strip_prefix(words) {
        Some(rest) => {
            text = rest;
            true
        }
        None => false,
    });
    all && text.is_empty()
}
