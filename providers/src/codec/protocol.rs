//! Definition of a codec: it writes a request and reads the reply.

use serde::Serialize;
use toolwright_runtime::model::ModelRequest;

use super::{
    quirks::Quirks,
    response_reader::ResponseReader,
    tool_list::{ToolForm, ToolList},
};

/// A provider's protocol.
pub(crate) trait Protocol {
    /// The name that marks the opaque parts of the codec.
    const PROVIDER: &'static str;

    /// The form in which tools are sent.
    type Form: ToolForm;

    /// The reader of replies.
    type Reply: ResponseReader;

    /// The body of a request.
    fn body(asked: BodyInput<'_>) -> impl Serialize;

    /// The body of a request, as JSON.
    fn encode(asked: BodyInput<'_>) -> Vec<u8> {
        serde_json::to_vec(&Self::body(asked)).unwrap_or_else(|_| {
            unreachable!(
                "every key of a body is text, and what goes in as JSON has been read as it"
            )
        })
    }
}

/// A request, with all that its body depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyInput<'a> {
    pub(crate) model: &'a str,
    pub(crate) request: &'a ModelRequest,
    /// The tools of the request, as they are sent.
    pub(crate) tools: &'a ToolList,
    /// Whose opaque parts go along.
    pub(crate) provider: &'a str,
    /// The differences of the server from the protocol.
    pub(crate) quirks: &'a Quirks,
    pub(crate) streamed: bool,
}
