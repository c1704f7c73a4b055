//! The protocol over the transport.

use toolwright_core::model::ModelError;

use super::{OpenAiChatCodec, Vendor};
use crate::provider::http_model::{ApiKey, HttpModel, http_model};

/// A model that speaks OpenAI Chat Completions: OpenAI's own, or that of any compatible server.
///
/// It needs a tokio runtime. No request is sent twice: [`ModelError`] says if sending it again is safe.
/// Redirects are not followed. The key never appears in `Debug` or in an error.
///
/// ```no_run
/// use toolwright::{ChatModel, Message, OpenAiChat, model::ModelRequest};
///
/// # async fn run() -> Result<(), toolwright::ModelError> {
/// let model = OpenAiChat::from_env("gpt-5.1-mini")?;
/// let local = OpenAiChat::new("qwen3", "").with_base_url("http://localhost:11434/v1");
///
/// let request = ModelRequest::new([Message::user("Hello!")]);
/// println!("{}", local.complete(&request).await?.text);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct OpenAiChat {
    pub(in crate::provider) http: HttpModel<OpenAiChatCodec>,
}

impl OpenAiChat {
    /// Creates a model of OpenAI from its name and a key. An empty key is not sent.
    pub fn new(model: impl Into<String>, api_key: impl Into<ApiKey>) -> Self {
        Self {
            http: HttpModel::new(OpenAiChatCodec::new(), model, api_key),
        }
    }

    /// Creates a model from its name, with the key in `OPENAI_API_KEY` and, if it is set, the base URL in
    /// `OPENAI_BASE_URL`. A server on this machine needs no key.
    ///
    /// # Errors
    ///
    /// Returns `Authentication` if a key is needed and there is none.
    pub fn from_env(model: impl Into<String>) -> Result<Self, ModelError> {
        HttpModel::from_env(OpenAiChatCodec::new(), model).map(|http| Self { http })
    }

    /// Creates a model of a vendor from its name, with the key and the base URL in the
    /// [variables of the vendor](Vendor::key_variable). A server on this machine needs no key.
    ///
    /// ```no_run
    /// use toolwright::{OpenAiChat, provider::Vendor};
    ///
    /// let model = OpenAiChat::vendor(Vendor::GROQ, "openai/gpt-oss-120b")?;
    /// # Ok::<(), toolwright::ModelError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns `Authentication` if a key is needed and there is none; `InvalidRequest` if there is no base
    /// URL.
    pub fn vendor(vendor: Vendor, model: impl Into<String>) -> Result<Self, ModelError> {
        HttpModel::from_env(OpenAiChatCodec::of(vendor), model).map(|http| Self { http })
    }

    /// Sends requests in the form of a vendor's server, to its base URL. Set another
    /// [base URL](Self::with_base_url) or [profile](Self::with_profile) after this.
    pub fn with_vendor(self, vendor: Vendor) -> Self {
        let http = self.http.map_codec(|_| OpenAiChatCodec::of(vendor));
        let http = match vendor.base_url() {
            "" => http,
            url => http.with_base_url(url),
        };
        Self { http }
    }
}

http_model!(OpenAiChat, "/chat/completions");
