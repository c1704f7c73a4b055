//! The protocol over the transport.

use toolwright_core::model::ModelError;

use super::OllamaCodec;
use crate::provider::http_model::{HttpModel, http_model};

/// A model that an Ollama server runs: on this machine, on another, or the hosted service.
///
/// It needs a tokio runtime. No request is sent twice: [`ModelError`] says if sending it again is safe.
/// A model that does not support tools is an error of the kind `ToolsUnsupported`. Redirects are not
/// followed. The key, if there is one, never appears in `Debug` or in an error.
/// [`OllamaCodec`](super::OllamaCodec) describes the fields of the settings.
///
/// ```no_run
/// use toolwright::{ChatModel, Message, Ollama, model::ModelRequest};
///
/// # async fn run() -> Result<(), toolwright::ModelError> {
/// let model = Ollama::new("qwen3:4b");
/// let hosted = Ollama::new("gpt-oss:120b").with_base_url("https://ollama.com").with_api_key("…");
///
/// let request = ModelRequest::new([Message::user("Hello!")]);
/// println!("{}", model.complete(&request).await?.text);
/// # Ok(())
/// # }
/// ```
///
/// A model that is not loaded yet is loaded first, which can take minutes: see
/// [`HttpOptions::with_first_byte_timeout`](crate::provider::HttpOptions::with_first_byte_timeout).
#[derive(Clone)]
pub struct Ollama {
    http: HttpModel<OllamaCodec>,
}

impl Ollama {
    /// Creates a model from its name, of the server at `http://127.0.0.1:11434`. No key is sent.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            http: HttpModel::new(OllamaCodec::new(), model, ""),
        }
    }

    /// Creates a model from its name, of the server that `OLLAMA_HOST` names, if it is set, in the forms that
    /// Ollama itself takes; with the key in `OLLAMA_API_KEY`, if there is one.
    ///
    /// # Errors
    ///
    /// Returns `InvalidRequest` if `OLLAMA_HOST` holds no address.
    pub fn from_env(model: impl Into<String>) -> Result<Self, ModelError> {
        HttpModel::from_env(OllamaCodec::new(), model).map(|http| Self { http })
    }
}

http_model!(Ollama, "/api/chat");
