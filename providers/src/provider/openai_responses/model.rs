//! The protocol over the transport.

use toolwright_core::model::ModelError;

use super::OpenAiResponsesCodec;
use crate::provider::http_model::{ApiKey, HttpModel, http_model};

/// A model that speaks OpenAI Responses: OpenAI's own, or that of a compatible server.
///
/// It needs a tokio runtime. No request is sent twice: [`ModelError`] says if sending it again is safe.
/// Redirects are not followed. The key never appears in `Debug` or in an error. The server is asked to
/// store nothing; [`OpenAiResponsesCodec`](super::OpenAiResponsesCodec) describes the fields that are sent instead.
///
/// ```no_run
/// use toolwright::{ChatModel, Message, OpenAiResponses, model::ModelRequest};
///
/// # async fn run() -> Result<(), toolwright::ModelError> {
/// let model = OpenAiResponses::from_env("gpt-5.1-mini")?;
///
/// let request = ModelRequest::new([Message::user("Hello!")]);
/// println!("{}", model.complete(&request).await?.text);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct OpenAiResponses {
    http: HttpModel<OpenAiResponsesCodec>,
}

impl OpenAiResponses {
    /// Creates a model of OpenAI from its name and a key. An empty key is not sent.
    pub fn new(model: impl Into<String>, api_key: impl Into<ApiKey>) -> Self {
        Self {
            http: HttpModel::new(OpenAiResponsesCodec::new(), model, api_key),
        }
    }

    /// Creates a model from its name, with the key in `OPENAI_API_KEY` and, if it is set, the base URL in
    /// `OPENAI_BASE_URL`. A server on this machine needs no key.
    ///
    /// # Errors
    ///
    /// Returns `Authentication` if a key is needed and there is none.
    pub fn from_env(model: impl Into<String>) -> Result<Self, ModelError> {
        HttpModel::from_env(OpenAiResponsesCodec::new(), model).map(|http| Self { http })
    }

    /// Sends reasoning back at the position where it came, also after a message or a call: see
    /// [`OpenAiResponsesCodec::with_reasoning_last`](super::OpenAiResponsesCodec::with_reasoning_last). With the base URL of
    /// OpenRouter it is set.
    pub fn with_reasoning_last(mut self) -> Self {
        self.http = self
            .http
            .map_codec(OpenAiResponsesCodec::with_reasoning_last);
        self
    }
}

http_model!(OpenAiResponses, "/responses");
