//! The protocol over the transport.

use toolwright_core::model::ModelError;

use super::GeminiCodec;
use crate::provider::http_model::{ApiKey, HttpModel, http_model};

/// A model that speaks Google's `generateContent`: Gemini, or that of a compatible server.
///
/// It needs a tokio runtime. No request is sent twice: [`ModelError`] says if sending it again is safe.
/// Redirects are not followed. The key never appears in `Debug` or in an error.
/// [`GeminiCodec`](super::GeminiCodec) describes the fields of the settings.
///
/// ```no_run
/// use toolwright::{ChatModel, Gemini, Message, model::ModelRequest};
///
/// # async fn run() -> Result<(), toolwright::ModelError> {
/// let model = Gemini::from_env("gemini-flash-latest")?;
///
/// let request = ModelRequest::new([Message::user("Hello!")]);
/// println!("{}", model.complete(&request).await?.text);
/// # Ok(())
/// # }
/// ```
///
/// Vertex AI, where a token takes the place of the key, and is renewed from time to time:
///
/// ```no_run
/// # use toolwright::{Gemini, provider::HttpOptions};
/// # async fn token() -> std::io::Result<String> { Ok(String::new()) }
/// let model = Gemini::new("gemini-3-pro-preview", "")
///     .with_base_url(
///         "https://aiplatform.googleapis.com/v1/projects/my-project/locations/global/publishers/google",
///     )
///     .with_http(HttpOptions::new().with_request_hook(async |mut request| {
///         request.set_header("authorization", &format!("Bearer {}", token().await?))?;
///         Ok(request)
///     }));
/// ```
///
/// A base URL without a version anywhere in its path is followed by `/v1beta`. A model whose name has
/// a slash, such as `tunedModels/mine`, does not get `models/` before it.
#[derive(Clone)]
pub struct Gemini {
    http: HttpModel<GeminiCodec>,
}

impl Gemini {
    /// Creates a model of Google from its name and a key. An empty key is not sent.
    pub fn new(model: impl Into<String>, api_key: impl Into<ApiKey>) -> Self {
        Self {
            http: HttpModel::new(GeminiCodec::new(), model, api_key),
        }
    }

    /// Creates a model from its name, with the key in `GEMINI_API_KEY`, or else in `GOOGLE_API_KEY`, and, if it
    /// is set, the base URL in `GEMINI_BASE_URL`. A server on this machine needs no key.
    ///
    /// # Errors
    ///
    /// Returns `Authentication` if a key is needed and there is none.
    pub fn from_env(model: impl Into<String>) -> Result<Self, ModelError> {
        HttpModel::from_env(GeminiCodec::new(), model).map(|http| Self { http })
    }
}

http_model!(Gemini, "/models");
