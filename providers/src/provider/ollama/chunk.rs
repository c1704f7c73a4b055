//! Format of responses: one shape for whole responses and for the lines of a stream.
//!
//! Fields stay JSON text until they are used.

use toolwright_json::raw::Raw;

use crate::codec::partial_object::object;

object! {
    /// A whole response, or one line of a stream.
    pub(crate) struct Chunk<'a> {
        model: Raw<'a>,
        message: Message<'a>,
        done: bool,
        done_reason: Raw<'a>,
        prompt_eval_count: Raw<'a>,
        eval_count: Raw<'a>,
        error: Raw<'a>,
    }
    skip: created_at
}

object! {
    /// The message of the model, or the next piece of it.
    pub(crate) struct Message<'a> {
        content: Raw<'a>,
        thinking: Raw<'a>,
        tool_calls: Vec<Call<'a>>,
        images: Raw<'a>,
    }
    skip: role
}

object! {
    /// A call, which always comes whole.
    pub(crate) struct Call<'a> {
        id: Raw<'a>,
        function: Function<'a>,
    }
    skip: type
}

object! {
    /// The function of a call.
    pub(crate) struct Function<'a> {
        name: Raw<'a>,
        arguments: Raw<'a>,
    }
    skip: index
}
