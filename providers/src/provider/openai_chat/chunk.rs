//! Format of responses: one shape for whole responses and for the chunks of a stream, which differ in `message`
//! and `delta` alone.
//!
//! Fields stay JSON text until they are used: most are repeated in every chunk and looked at once.

use serde_json::value::RawValue;

use crate::codec::{
    alternatives::{Alternatives, Numbered},
    partial_object::{Index, object},
    pattern::OneText,
};

object! {
    /// A whole response, or one chunk of a stream.
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
        // Padding against eavesdroppers (OpenAI, Mistral), of another length in every chunk.
        obfuscation: &'a RawValue,
        p: &'a RawValue,
    }
    skip: object, created
}

object! {
    /// One of the responses to a request.
    pub(super) struct Choice<'a> {
        index: Index,
        message or delta: Message<'a>,
        finish_reason: &'a RawValue,
        logprobs: &'a RawValue,
        error: &'a RawValue,
    }
    skip:
}

object! {
    /// The message of the model, or the next piece of it.
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
        audio: &'a RawValue,
    }
    skip: role, index
}

object! {
    /// A call, or the next piece of it.
    pub(super) struct Call<'a> {
        index: Index,
        kind or type: &'a RawValue,
        id: &'a RawValue,
        function: Function<'a>,
        custom: Custom<'a>,
    }
    skip:
}

object! {
    /// The function of a call.
    pub(super) struct Function<'a> {
        name: &'a RawValue,
        arguments: &'a RawValue,
    }
    skip:
}

object! {
    /// The custom tool of a call, whose input is a string of any form.
    pub(super) struct Custom<'a> {
        name: &'a RawValue,
        input: &'a RawValue,
    }
    skip:
}

impl Numbered for Choice<'_> {
    fn index(&self) -> Option<u64> {
        self.index.and_then(Index::number)
    }
}

impl<'a> Chunk<'a> {
    /// Its text, or its piece of a call's arguments, if it says nothing else.
    pub(super) fn one_text(&self) -> Option<OneText<'a>> {
        let choice = self.choices.as_ref()?.first.as_ref()?;
        let message = choice.message.as_ref()?;
        let more = self.error.or(choice.error).is_some()
            || message.reasoning_details.is_some()
            || message.function_call.is_some()
            || message
                .extra_content
                .or(message.thought_signature)
                .is_some();
        if more {
            return None;
        }
        let noise = [self.obfuscation, self.p];
        let words = [
            message.content,
            message.refusal,
            message.reasoning_content,
            message.reasoning,
        ];
        match message.tool_calls.as_deref() {
            None | Some([]) => OneText::of(words, noise),
            Some([call]) if call.rest.is_empty() && words.into_iter().all(is_nothing) => {
                let function = call.function.as_ref();
                let custom = call.custom.as_ref();
                let texts = [
                    function.and_then(|function| function.arguments),
                    custom.and_then(|custom| custom.input),
                ];
                OneText::of(texts, noise)
            }
            _ => None,
        }
    }
}

fn is_nothing(text: Option<&RawValue>) -> bool {
    text.is_none_or(|text| text.get() == "\"\"")
}
