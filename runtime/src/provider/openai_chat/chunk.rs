//! What comes over the wire: one shape for whole replies and for the chunks of a stream, which
//! differ in `message` and `delta` alone.
//!
//! Fields stay JSON text until they are used: most are repeated in every chunk and looked at once.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::wire::object::object;

object! {
    /// A whole reply, or one chunk of a stream.
    pub(super) struct Chunk<'a> {
        id: &'a RawValue,
        model: &'a RawValue,
        // Known by name because every chunk of many servers has them: `rest` would allocate.
        system_fingerprint: &'a RawValue,
        service_tier: &'a RawValue,
        provider: &'a RawValue,
        choices: Choices<'a>,
        usage: &'a RawValue,
        x_groq: &'a RawValue,
        error: &'a RawValue,
    }
    // `obfuscation` and `p` are padding against eavesdroppers (OpenAI, Mistral).
    skip: object, created, obfuscation, p
}

/// The first choice, and whether there are others: this codec never asks for more than one.
#[derive(Debug, Default)]
pub(super) struct Choices<'a> {
    pub(super) first: Option<Choice<'a>>,
    pub(super) others: bool,
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

impl<'de: 'a, 'a> Deserialize<'de> for Choices<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct First;

        impl<'de> Visitor<'de> for First {
            type Value = Choices<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of choices")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut choices = Choices::default();
                while let Some(choice) = seq.next_element::<Choice<'de>>()? {
                    if choices.first.is_none() && choice.index.unwrap_or(0) == 0 {
                        choices.first = Some(choice);
                    } else {
                        choices.others = true;
                    }
                }
                Ok(choices)
            }
        }

        deserializer.deserialize_seq(First)
    }
}
