//! The codec over the transport.

use reqwest::header::{AUTHORIZATION, HeaderName};

use super::{PROVIDER, decode_for, reply::Reply, request::Body, tools::Form};
use crate::{
    model::{ModelError, ModelRequest, ModelResponse},
    provider::remote::{Codec, Remote, Variables, remote_model},
    wire::stream_reader::StreamReader,
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
            remote: Remote::new(ChatCompletions, model.into(), api_key.into()),
        }
    }

    /// A model by its name, with the key in `OPENAI_API_KEY` and, if it is set, the base URL in
    /// `OPENAI_BASE_URL`. A server on this machine needs no key.
    ///
    /// # Errors
    ///
    /// `Authentication`, when a key is needed and there is none.
    pub fn from_env(model: impl Into<String>) -> Result<Self, ModelError> {
        let remote = Remote::from_env(ChatCompletions, model.into())?;
        Ok(Self { remote })
    }
}

remote_model!(OpenAiChat, "/chat/completions");

/// The codec, as the transport uses it.
#[derive(Debug, Clone)]
pub(crate) struct ChatCompletions;

impl Codec for ChatCompletions {
    const PROVIDER: &'static str = PROVIDER;
    const BASE_URL: &'static str = "https://api.openai.com/v1";
    const VARIABLES: Variables = Variables {
        key: "OPENAI_API_KEY",
        base_url: "OPENAI_BASE_URL",
    };

    type Stream = StreamReader<Reply>;

    fn path(&self, _model: &str, _streamed: bool) -> String {
        "chat/completions".to_owned()
    }

    fn key_header(&self, key: &str) -> (HeaderName, String) {
        (AUTHORIZATION, format!("Bearer {key}"))
    }

    fn encode(
        &self,
        model: &str,
        request: &ModelRequest,
        provider: &str,
        streamed: bool,
    ) -> Vec<u8> {
        let body = Body::new(model, request, provider);
        if streamed { body.streamed() } else { body }.into_json()
    }

    fn decode(&self, request: &ModelRequest, body: &[u8]) -> Result<ModelResponse, ModelError> {
        decode_for(&request.tools, body)
    }

    fn stream(&self, request: &ModelRequest) -> Self::Stream {
        StreamReader::for_tools::<Form>(&request.tools)
    }
}
