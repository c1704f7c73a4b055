//! Format of responses: one shape for whole responses and for the events of a stream.
//!
//! Fields stay JSON text until they are used. Their names come in one of the two forms that Google's
//! servers take themselves.

use toolwright_json::raw::Raw;

use crate::codec::{
    alternatives::{Alternatives, Numbered},
    partial_object::{Index, object},
};

object! {
    /// A whole response, or one event of a stream.
    pub(crate) struct Chunk<'a> {
        candidates: Alternatives<Candidate<'a>>,
        usage_metadata or usageMetadata: Raw<'a>,
        prompt_feedback or promptFeedback: Raw<'a>,
        model_version or modelVersion: Raw<'a>,
        response_id or responseId: Raw<'a>,
        // Known by name because every event of Vertex has it: `rest` would allocate.
        create_time or createTime: Raw<'a>,
        error: Raw<'a>,
    }
    skip:
}

object! {
    /// One of the responses to a request.
    pub(crate) struct Candidate<'a> {
        index: Index,
        content: Content<'a>,
        finish_reason or finishReason: Raw<'a>,
    }
    skip:
}

object! {
    /// The output of the model, or more of it.
    pub(crate) struct Content<'a> {
        parts: Vec<Part<'a>>,
    }
    skip: role
}

object! {
    /// A part of a response.
    pub(crate) struct Part<'a> {
        text: Raw<'a>,
        thought: bool,
        function_call or functionCall: Raw<'a>,
    }
    skip:
}

object! {
    /// A call, or more of it.
    pub(crate) struct FunctionCall<'a> {
        id: Raw<'a>,
        name: Raw<'a>,
        args: Raw<'a>,
        partial_args or partialArgs: Vec<PartialArg<'a>>,
        will_continue or willContinue: bool,
    }
    skip:
}

object! {
    /// A value within the arguments of a call, or more of a text.
    pub(crate) struct PartialArg<'a> {
        json_path or jsonPath: Raw<'a>,
        string_value or stringValue: Raw<'a>,
        number_value or numberValue: Raw<'a>,
        bool_value or boolValue: Raw<'a>,
        null_value or nullValue: Raw<'a>,
    }
    skip: will_continue, willContinue
}

object! {
    /// The feedback of the server about the request.
    pub(crate) struct Feedback<'a> {
        block_reason or blockReason: Raw<'a>,
        block_reason_message or blockReasonMessage: Raw<'a>,
    }
    skip:
}

impl Numbered for Candidate<'_> {
    fn index(&self) -> Option<u64> {
        self.index.and_then(Index::number)
    }
}
