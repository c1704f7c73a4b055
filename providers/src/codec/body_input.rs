//! Input of a body in the codecs of this crate.

use serde_json::Value;
use toolwright_core::model::ModelRequest;

use super::{answer_schema::SentAnswer, quirks::Quirks, tool_list::ToolList};

/// A request, with its tools as they are sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyInput<'a> {
    pub(crate) model: &'a str,
    pub(crate) request: &'a ModelRequest,
    /// The tools of the request, as they are sent.
    pub(crate) tools: &'a ToolList,
    /// The schema of the answer, as it is sent.
    pub(crate) answer: Option<&'a SentAnswer<'a>>,
    /// Whose opaque parts go along.
    pub(crate) provider: &'a str,
    /// The differences of the server from the protocol.
    pub(crate) quirks: &'a Quirks,
    pub(crate) streamed: bool,
}

impl BodyInput<'_> {
    /// Returns true if the user asks the server to store responses.
    pub(crate) fn is_stored(&self) -> bool {
        self.request.settings.extra.get("store") == Some(&Value::Bool(true))
    }
}
