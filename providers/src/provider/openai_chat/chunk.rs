//! Format of responses: one shape for whole responses and for the chunks of a stream, which differ in `message`
//! and `delta` alone.
//!
//! Fields stay JSON text until they are used: most are repeated in every chunk and looked at once.

use toolwright_json::raw::Raw;

use crate::codec::{
    alternatives::{Alternatives, Numbered},
    partial_object::{Index, object},
};

object! {
    /// A whole response, or one chunk of a stream.
    pub(crate) struct Chunk<'a> {
        id: Raw<'a>,
        model: Raw<'a>,
        // Known by name because every chunk of many servers has them: `rest` would allocate.
        system_fingerprint: Raw<'a>,
        service_tier: Raw<'a>,
        provider: Raw<'a>,
        choices: Alternatives<Choice<'a>>,
        usage: Raw<'a>,
        x_groq: Raw<'a>,
        error: Raw<'a>,
        base_resp: Raw<'a>,
    }
    // The last two are padding against eavesdroppers (OpenAI, Mistral), of another length in every chunk.
    skip: object, created, obfuscation, p
}

object! {
    /// What Groq adds to a chunk.
    pub(crate) struct Groq<'a> {
        usage: Raw<'a>,
    }
    skip: id, error
}

object! {
    /// One of the responses to a request.
    pub(crate) struct Choice<'a> {
        index: Index,
        message or delta: Message<'a>,
        finish_reason: Raw<'a>,
        logprobs: Raw<'a>,
        // Moonshot's place of it.
        usage: Raw<'a>,
        error: Raw<'a>,
    }
    skip:
}

object! {
    /// The message of the model, or the next piece of it.
    pub(crate) struct Message<'a> {
        content: Raw<'a>,
        refusal: Raw<'a>,
        tool_calls: Vec<Call<'a>>,
        function_call: Function<'a>,
        reasoning_content: Raw<'a>,
        reasoning: Raw<'a>,
        reasoning_details: Raw<'a>,
        extra_content: Raw<'a>,
        thought_signature: Raw<'a>,
        audio: Raw<'a>,
        images: Raw<'a>,
    }
    skip: role, index
}

object! {
    /// Sound, or the next piece of it.
    pub(crate) struct Sound<'a> {
        data: Raw<'a>,
        transcript: Raw<'a>,
    }
    skip:
}

object! {
    /// A call, or the next piece of it.
    pub(crate) struct Call<'a> {
        index: Index,
        kind or type: Raw<'a>,
        id: Raw<'a>,
        function: Function<'a>,
        custom: Custom<'a>,
    }
    skip:
}

object! {
    /// The function of a call.
    pub(crate) struct Function<'a> {
        name: Raw<'a>,
        arguments: Raw<'a>,
    }
    skip:
}

object! {
    /// The custom tool of a call, whose input is a string of any form.
    pub(crate) struct Custom<'a> {
        name: Raw<'a>,
        input: Raw<'a>,
    }
    skip:
}

impl Numbered for Choice<'_> {
    fn index(&self) -> Option<u64> {
        self.index.and_then(Index::number)
    }
}
