//! Format of responses: the events of a stream, the body of a whole response, and its items.
//!
//! Fields stay JSON text until they are used: most items go back as they came.

use toolwright_json::raw::Raw;

use crate::codec::partial_object::{Index, object};

object! {
    /// One event of a stream.
    pub(crate) struct Event<'a> {
        kind or type: Raw<'a>,
        output_index: Index,
        summary_index: Index,
        content_index: Index,
        item_id: Raw<'a>,
        response: Response<'a>,
        item: Raw<'a>,
        delta: Raw<'a>,
        arguments: Raw<'a>,
        input: Raw<'a>,
        text: Raw<'a>,
        refusal: Raw<'a>,
        error: Raw<'a>,
    }
    // What the items say again when they are whole, the number of the event, and padding against eavesdroppers.
    skip: logprobs, part, sequence_number, obfuscation
}

object! {
    /// A response, whole or at its beginning or end.
    pub(crate) struct Response<'a> {
        id: Raw<'a>,
        model: Raw<'a>,
        status: Raw<'a>,
        output: Vec<Raw<'a>>,
        usage: Raw<'a>,
        error: Raw<'a>,
        incomplete_details: Raw<'a>,
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
    pub(crate) struct Item<'a> {
        kind or type: Raw<'a>,
        id: Raw<'a>,
        call_id: Raw<'a>,
        name: Raw<'a>,
        arguments: Raw<'a>,
        input: Raw<'a>,
        content: Raw<'a>,
        summary: Raw<'a>,
    }
    // What tells items apart where they are stored, which none of ours is.
    skip: item_id, output_index, status, role
}

object! {
    /// One part of the content of an item.
    pub(crate) struct Content<'a> {
        kind or type: Raw<'a>,
        text: Raw<'a>,
        refusal: Raw<'a>,
        annotations: Raw<'a>,
        logprobs: Raw<'a>,
    }
    skip:
}
