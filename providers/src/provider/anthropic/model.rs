//! The protocol over the transport.

use toolwright_core::model::ModelError;

use super::AnthropicCodec;
use crate::provider::http_model::{ApiKey, HttpModel, http_model};

/// A model that speaks Anthropic Messages: Anthropic's own, or that of a compatible server.
///
/// It needs a tokio runtime. No request is sent twice: [`ModelError`] says if sending it again is safe.
/// Redirects are not followed. The key never appears in `Debug` or in an error. The version of the API is
/// `2023-06-01`; the header `anthropic-beta` requests a beta. [`AnthropicCodec`](super::AnthropicCodec) describes the
/// fields of the settings.
///
/// ```no_run
/// use toolwright::{Anthropic, ChatModel, Message, model::ModelRequest};
///
/// # async fn run() -> Result<(), toolwright::ModelError> {
/// let model = Anthropic::from_env("claude-sonnet-4-6")?;
///
/// let request = ModelRequest::new([Message::user("Hello!")]);
/// println!("{}", model.complete(&request).await?.text);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Anthropic {
    http: HttpModel<AnthropicCodec>,
}

impl Anthropic {
    /// Creates a model of Anthropic from its name and a key. An empty key is not sent.
    pub fn new(model: impl Into<String>, api_key: impl Into<ApiKey>) -> Self {
        Self {
            http: HttpModel::new(AnthropicCodec::new(), model, api_key),
        }
    }

    /// Creates a model from its name, with the key in `ANTHROPIC_API_KEY` and, if it is set, the base URL in
    /// `ANTHROPIC_BASE_URL`. A server on this machine needs no key.
    ///
    /// # Errors
    ///
    /// Returns `Authentication` if a key is needed and there is none.
    pub fn from_env(model: impl Into<String>) -> Result<Self, ModelError> {
        HttpModel::from_env(AnthropicCodec::new(), model).map(|http| Self { http })
    }
}

http_model!(Anthropic, "/v1/messages");
