//! The protocol over the transport.

use reqwest::header::{AUTHORIZATION, HeaderName};

use super::protocol::ChatCompletions;
use crate::{
    model::ModelError,
    provider::remote::{Endpoint, Remote, Variables, remote_model},
};

/// A model that speaks OpenAI Chat Completions: OpenAI's own, or that of any compatible server.
///
/// It needs a tokio runtime. Nothing is sent twice: [`ModelError`] says whether sending again is
/// safe. Redirects are not followed. The key never stands in `Debug` or in an error.
///
/// ```no_run
/// use toolwright_runtime::{ChatModel, Message, ModelRequest, provider::OpenAiChat};
///
/// # async fn run() -> Result<(), toolwright_runtime::ModelError> {
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
    remote: Remote<ChatCompletions>,
}

impl OpenAiChat {
    /// A model of OpenAI's, by its name and a key. An empty key is not sent.
    pub fn new(model: impl Into<String>, api_key: impl Into<String>) -> Self {
        Self {
            remote: Remote::new(model.into(), api_key.into()),
        }
    }

    /// A model by its name, with the key in `OPENAI_API_KEY` and, if it is set, the base URL in
    /// `OPENAI_BASE_URL`. A server on this machine needs no key.
    ///
    /// # Errors
    ///
    /// `Authentication`, when a key is needed and there is none.
    pub fn from_env(model: impl Into<String>) -> Result<Self, ModelError> {
        let remote = Remote::from_env(model.into())?;
        Ok(Self { remote })
    }
}

remote_model!(OpenAiChat, "/chat/completions");

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
}
