//! Format of responses: the events of a stream, the body of a whole response, and its items.
//!
//! Fields stay JSON text until they are used: most items go back as they came.

use serde_json::value::RawValue;

use crate::codec::partial_object::{Index, object};

object! {
    /// One event of a stream.
    pub(super) struct Event<'a> {
        kind or type: &'a RawValue,
        output_index: Index,
        summary_index: Index,
        content_index: Index,
        item_id: &'a RawValue,
        response: Response<'a>,
        item: &'a RawValue,
        delta: &'a RawValue,
        arguments: &'a RawValue,
        input: &'a RawValue,
        text: &'a RawValue,
        refusal: &'a RawValue,
        error: &'a RawValue,
        // They differ from event to event: its number, and padding against eavesdroppers.
        sequence_number: &'a RawValue,
        obfuscation: &'a RawValue,
    }
    // What the items say again when they are whole.
    skip: logprobs, part
}

object! {
    /// A response, whole or at its beginning or end.
    pub(super) struct Response<'a> {
        id: &'a RawValue,
        model: &'a RawValue,
        status: &'a RawValue,
        output: Vec<&'a RawValue>,
        usage: &'a RawValue,
        error: &'a RawValue,
        incomplete_details: &'a RawValue,
    }
    // Times, the request that is said again, and the text of the items, which some servers repeat.
    skip: object, created_at, completed_at, background, frequency_penalty, instructions,
        max_output_tokens, max_tool_calls, metadata, output_text, parallel_tool_calls,
        presence_penalty, previous_response_id, prompt_cache_key, prompt_cache_retention, reasoning,
        safety_identifier, store, temperature, text, tool_choice, tools, top_logprobs, top_p,
        truncation, user
}

object! {
    /// One item of a response, whole or at its beginning.
    pub(super) struct Item<'a> {
        kind or type: &'a RawValue,
        id: &'a RawValue,
        call_id: &'a RawValue,
        name: &'a RawValue,
        arguments: &'a RawValue,
        input: &'a RawValue,
        content: &'a RawValue,
        summary: &'a RawValue,
    }
    // What tells items apart where they are stored, which none of ours is.
    skip: item_id, output_index, status, role
}

object! {
    /// One part of the content of an item.
    pub(super) struct Content<'a> {
        kind or type: &'a RawValue,
        text: &'a RawValue,
        refusal: &'a RawValue,
        annotations: &'a RawValue,
        logprobs: &'a RawValue,
    }
    skip:
}
