//! What comes over the wire: one shape for whole replies and for the chunks of a stream, which
//! differ in `message` and `delta` alone.
//!
//! Fields stay JSON text until they are used: most are repeated in every chunk and looked at once.

use serde_json::value::RawValue;

use crate::wire::{
    alternatives::{Alternatives, Numbered},
    object::object,
};

object! {
    /// A whole reply, or one chunk of a stream.
    pub(super) struct Chunk<'a> {
        id: &'a RawValue,
        model: &'a RawValue,
        // Known by name because every chunk of many servers has them: `rest` would allocate.
        system_fingerprint: &'a RawValue,
        service_tier: &'a RawValue,
        provider: &'a RawValue,
        choices: Alternatives<Choice<'a>>,
        usage: &'a RawValue,
        x_groq: &'a RawValue,
        error: &'a RawValue,
    }
    // `obfuscation` and `p` are padding against eavesdroppers (OpenAI, Mistral).
    skip: object, created, obfuscation, p
}

object! {
    /// One of the replies to a request.
    pub(super) struct Choice<'a> {
        index: u64,
        message or delta: Message<'a>,
        finish_reason: &'a RawValue,
        error: &'a RawValue,
    }
    skip:
}

object! {
    /// What the model said, or the next piece of it.
    pub(super) struct Message<'a> {
        content: &'a RawValue,
        refusal: &'a RawValue,
        tool_calls: Vec<Call<'a>>,
        function_call: Function<'a>,
        reasoning_content: &'a RawValue,
        reasoning: &'a RawValue,
        reasoning_details: &'a RawValue,
        extra_content: &'a RawValue,
        thought_signature: &'a RawValue,
    }
    skip: role, index
}

object! {
    /// A call, or the next piece of it.
    pub(super) struct Call<'a> {
        index: u64,
        id: &'a RawValue,
        function: Function<'a>,
    }
    skip: type
}

object! {
    /// What a call asks for.
    pub(super) struct Function<'a> {
        name: &'a RawValue,
        arguments: &'a RawValue,
    }
    skip:
}

impl Numbered for Choice<'_> {
    fn index(&self) -> Option<u64> {
        self.index
    }
}
