//! The protocol over the transport.

use reqwest::header::{AUTHORIZATION, HeaderName};
use toolwright_runtime::model::{ModelError, ModelRequest, Warning};

use super::{KeyHeader, Vendor, protocol::ChatCompletions, settings::Settings};
use crate::{
    codec::quirks::Quirks,
    provider::http_model::{ApiKey, Endpoint, HttpModel, Place, Variables, http_model},
};

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
    pub(in crate::provider) http: HttpModel<ChatCompletions>,
}

impl OpenAiChat {
    /// Creates a model of OpenAI from its name and a key. An empty key is not sent.
    pub fn new(model: impl Into<String>, api_key: impl Into<ApiKey>) -> Self {
        Self {
            http: HttpModel::new(model.into(), api_key.into()),
        }
    }

    /// Creates a model from its name, with the key in `OPENAI_API_KEY` and, if it is set, the base URL in
    /// `OPENAI_BASE_URL`. A server on this machine needs no key.
    ///
    /// # Errors
    ///
    /// Returns `Authentication` if a key is needed and there is none.
    pub fn from_env(model: impl Into<String>) -> Result<Self, ModelError> {
        let http = HttpModel::from_env(model.into())?;
        Ok(Self { http })
    }

    /// Creates a model of a vendor from its name, with the key and the base URL in the
    /// [variables of the vendor](Vendor::key_variable). A server on this machine needs no key.
    ///
    /// ```no_run
    /// use toolwright::{OpenAiChat, provider::openai_chat::Vendor};
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
        let place = Place {
            base_url: vendor.base_url(),
            variables: Variables {
                key: vendor.key_variable(),
                base_url: vendor.base_url_variable(),
            },
            needs_key: vendor.needs_key(),
        };
        let http = HttpModel::from_place(model.into(), &place)?;
        Ok(Self { http }.for_vendor(vendor))
    }

    /// Sends requests in the form of a vendor's server, to its base URL. Set another
    /// [base URL](Self::with_base_url) or [profile](Self::with_profile) after this.
    pub fn with_vendor(self, vendor: Vendor) -> Self {
        let model = self.for_vendor(vendor);
        match vendor.base_url() {
            "" => model,
            url => model.with_base_url(url),
        }
    }

    fn for_vendor(mut self, vendor: Vendor) -> Self {
        let key_header = match vendor.key_header() {
            KeyHeader::Bearer => ChatCompletions::key_header,
            KeyHeader::ApiKey => api_key,
        };
        self.http = self
            .http
            .with_quirks(vendor.quirks(), vendor.profile(), key_header);
        self
    }
}

/// Azure's header.
fn api_key(key: &str) -> (HeaderName, String) {
    (HeaderName::from_static("api-key"), key.to_owned())
}

http_model!(OpenAiChat, "/chat/completions");

impl Endpoint for ChatCompletions {
    const BASE_URL: &'static str = "https://api.openai.com/v1";
    const VARIABLES: Variables = Variables {
        key: "OPENAI_API_KEY",
        base_url: "OPENAI_BASE_URL",
    };

    fn path(_model: &str, _streamed: bool) -> String {
        "chat/completions".to_owned()
    }

    fn key_header(key: &str) -> (HeaderName, String) {
        (AUTHORIZATION, format!("Bearer {key}"))
    }

    fn warnings_of(request: &ModelRequest, quirks: &Quirks) -> Vec<Warning> {
        Settings::of(request, quirks).warnings
    }
}
