//! What the codec of one API has of its own.

use std::fmt;

use serde_json::Value;
use toolwright_core::{
    model::Warning,
    tool::{ToolCall, ToolResult},
};

use super::{
    answer_schema::AnswerRules, body_input::BodyInput, encode_input::EncodeInput, quirks::Quirks,
    response_reader::ResponseReader, server::Server, tool_list::ToolForm,
};
use crate::profile::Profile;

/// An API of a provider: all that differs between the [dialects](super::dialect::Dialect) of this crate.
///
/// A value holds the differences of one server.
pub(crate) trait Api:
    Replies + ToolForm + fmt::Debug + Clone + Default + Send + Sync + 'static
{
    /// Returns how the server is reached.
    fn server(&self) -> Server<'_>;

    /// Returns the path of a request, after the base URL.
    fn path(model: &str, streamed: bool) -> String;

    /// Returns the differences of the server at a host from the API.
    fn quirks(&self, _host: &str) -> Quirks {
        Quirks::NONE
    }

    /// Returns true if the provider itself searches for tools whose definitions are deferred, with this model.
    fn searches_tools(_model: &str) -> bool {
        false
    }

    /// True if a prompt is cached on request.
    const CACHES_ON_REQUEST: bool = false;

    /// True if the provider itself takes the names of the tools that may be called, beside the list of all.
    const TAKES_ALLOWED_TOOLS: bool = false;

    /// Returns the rules for the schema of an answer of a model, where a profile is chosen and where none is.
    fn answer_rules(&self, model: &str, chosen: Option<&Profile>) -> AnswerRules;

    /// The field of a request that holds the conversation.
    const MESSAGES: &'static str;

    /// Returns the reason why the API refuses a request as a whole.
    fn refuses(_input: EncodeInput<'_>) -> Option<String> {
        None
    }

    /// Writes the body of a request.
    fn body(input: BodyInput<'_>) -> Vec<u8>;

    /// Returns the messages, items or parts that answer calls.
    fn results(calls: &[ToolCall], results: &[ToolResult]) -> Vec<Value>;

    /// Returns warnings about the parts of a request that the server does not support, but for the schema of the
    /// answer.
    fn warnings(&self, input: EncodeInput<'_>) -> Vec<Warning>;
}

/// The responses of an API.
///
/// Apart from the rest because the [stream](super::protocol::Codec::Stream) of a dialect names it, so that it
/// may not be called private. Nobody outside can reach it.
#[expect(private_bounds, reason = "the trait is as private as its module")]
pub trait Replies {
    /// The reader of a response.
    type Reply: ResponseReader + 'static;
}
