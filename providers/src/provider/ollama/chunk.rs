//! Format of responses: one shape for whole responses and for the lines of a stream.
//!
//! Fields stay JSON text until they are used.

use serde_json::value::RawValue;

use crate::codec::{partial_object::object, pattern::OneText};

object! {
    /// A whole response, or one line of a stream.
    pub(super) struct Chunk<'a> {
        model: &'a RawValue,
        created_at: &'a RawValue,
        message: Message<'a>,
        done: bool,
        done_reason: &'a RawValue,
        prompt_eval_count: &'a RawValue,
        eval_count: &'a RawValue,
        error: &'a RawValue,
    }
    skip:
}

object! {
    /// The message of the model, or the next piece of it.
    pub(super) struct Message<'a> {
        content: &'a RawValue,
        thinking: &'a RawValue,
        tool_calls: Vec<Call<'a>>,
    }
    skip: role
}

object! {
    /// A call, which always comes whole.
    pub(super) struct Call<'a> {
        id: &'a RawValue,
        function: Function<'a>,
    }
    skip: type
}

object! {
    /// The function of a call.
    pub(super) struct Function<'a> {
        name: &'a RawValue,
        arguments: &'a RawValue,
    }
    skip: index
}

impl<'a> Chunk<'a> {
    /// Its text, if it says nothing else.
    pub(super) fn one_text(&self) -> Option<OneText<'a>> {
        let message = self.message.as_ref()?;
        let calls = message.tool_calls.as_ref();
        if self.error.is_some() || calls.is_some_and(|calls| !calls.is_empty()) {
            return None;
        }
        OneText::of([message.content, message.thinking], [self.created_at, None])
    }
}
