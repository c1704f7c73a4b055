//! A protocol: what differs from one to the next. A further one is a file with one of these.

use serde_json::Value;
use toolwright::{
    ChatModel, ToolDefinition,
    model::{ModelRequest, Warning},
};

use crate::{allowed::Allowed, heard::Silent, outcome::Codec, record::Record, turn::Turn};

/// Names, each with a reason.
pub(crate) type Reasons = &'static [(&'static str, &'static str)];

/// What the tests of recordings need to know of a protocol.
pub(crate) struct Protocol {
    /// The folder of its recordings.
    pub(crate) folder: &'static str,
    /// Corrects what a recording says of itself.
    pub(crate) correct: fn(&mut Record),
    /// How replies are read.
    pub(crate) codec: Codec,
    /// The body of a request to the server that was recorded.
    pub(crate) encode: fn(&Record, &ModelRequest) -> Vec<u8>,
    /// What of a request that server cannot do.
    pub(crate) warnings: fn(&Record, &ModelRequest) -> Vec<Warning>,
    /// What a recorded body asks for, as a request of ours, without the conversation.
    pub(crate) asked: fn(&Value) -> ModelRequest,
    /// The tools that the recorded client ran, also where a request of ours has another way to say
    /// all that was sent of them.
    pub(crate) tools: fn(&Value) -> Vec<ToolDefinition>,
    /// The conversation in a recorded body.
    pub(crate) turns: fn(&Value) -> Vec<Turn>,
    /// The differences that are allowed between a recorded body and the same request of ours.
    pub(crate) allowed: &'static [Allowed],
    /// Those that are allowed besides in a replay, where the replies in our requests are what the
    /// server sent, and those in the recorded ones what the client made of them.
    pub(crate) allowed_in_replay: &'static [Allowed],
    /// The content of a recorded reply as it goes back, put together without the codec.
    pub(crate) came: fn(&Record) -> Vec<Value>,
    /// The content of each reply in a body of ours.
    pub(crate) replies: fn(&Value) -> Vec<Vec<Value>>,
    /// The events of a stream that say nothing to a caller.
    pub(crate) silent: &'static [Silent],
    /// The fields of a whole reply that say nothing to a caller: a reason, and names on the way to
    /// each, with points between.
    pub(crate) silent_fields: &'static [(&'static str, &'static [&'static str])],
    /// An event of a kind that nobody knows, with the field or of the type `something_new`.
    pub(crate) unknown_event: &'static str,
    /// The model that sends to a server at this address, which has no path.
    pub(crate) model: fn(&Record, &str) -> Box<dyn ChatModel>,
    /// The body of a whole reply of text alone.
    pub(crate) text_response: fn(&str) -> Value,
    /// Recordings of requests that none of ours can say.
    pub(crate) cannot_be_said: Reasons,
    /// Conversations that cannot be replayed.
    pub(crate) cannot_be_replayed: Reasons,
}
