//! Format of responses: one shape for whole responses and for the events of a stream.
//!
//! Fields stay JSON text until they are used. Their names come in one of the two forms that Google's
//! servers take themselves.

use serde_json::value::RawValue;

use crate::codec::{
    alternatives::{Alternatives, Numbered},
    partial_object::{Index, object},
};

object! {
    /// A whole response, or one event of a stream.
    pub(super) struct Chunk<'a> {
        candidates: Alternatives<Candidate<'a>>,
        usage_metadata or usageMetadata: &'a RawValue,
        prompt_feedback or promptFeedback: &'a RawValue,
        model_version or modelVersion: &'a RawValue,
        response_id or responseId: &'a RawValue,
        // Known by name because every event of Vertex has it: `rest` would allocate.
        create_time or createTime: &'a RawValue,
        error: &'a RawValue,
    }
    skip:
}

object! {
    /// One of the responses to a request.
    pub(super) struct Candidate<'a> {
        index: Index,
        content: Content<'a>,
        finish_reason or finishReason: &'a RawValue,
    }
    skip:
}

object! {
    /// The output of the model, or more of it.
    pub(super) struct Content<'a> {
        parts: Vec<Part<'a>>,
    }
    skip: role
}

object! {
    /// A part of a response.
    pub(super) struct Part<'a> {
        text: &'a RawValue,
        thought: bool,
        function_call or functionCall: &'a RawValue,
    }
    skip:
}

object! {
    /// A call, or more of it.
    pub(super) struct FunctionCall<'a> {
        id: &'a RawValue,
        name: &'a RawValue,
        args: &'a RawValue,
        partial_args or partialArgs: Vec<PartialArg<'a>>,
        will_continue or willContinue: bool,
    }
    skip:
}

object! {
    /// A value within the arguments of a call, or more of a text.
    pub(super) struct PartialArg<'a> {
        json_path or jsonPath: &'a RawValue,
        string_value or stringValue: &'a RawValue,
        number_value or numberValue: &'a RawValue,
        bool_value or boolValue: &'a RawValue,
        null_value or nullValue: &'a RawValue,
    }
    skip: will_continue, willContinue
}

object! {
    /// The feedback of the server about the request.
    pub(super) struct Feedback<'a> {
        block_reason or blockReason: &'a RawValue,
        block_reason_message or blockReasonMessage: &'a RawValue,
    }
    skip:
}

impl Numbered for Candidate<'_> {
    fn index(&self) -> Option<u64> {
        self.index.and_then(Index::number)
    }
}
