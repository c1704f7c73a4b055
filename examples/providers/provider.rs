//! The providers of the example: where each is found, and what its server says when it is played.

use std::env;

use toolwright::{
    Anthropic, ChatModel, Gemini, ModelError, Ollama, OpenAiChat, OpenAiResponses,
    model::ModelErrorKind, provider::Vendor,
};

use crate::loopback::Traffic;

/// One provider: a row of this example.
pub(crate) struct Provider {
    pub(crate) name: &'static str,
    /// The model at its provider, with the key from the environment.
    pub(crate) live: fn() -> Result<Box<dyn ChatModel>, ModelError>,
    /// The same model at another address.
    pub(crate) offline: fn(&str) -> Box<dyn ChatModel>,
    /// What the server that plays it says.
    pub(crate) traffic: Traffic,
}

pub(crate) fn all() -> [Provider; 6] {
    [
        Provider {
            name: "OpenAI Chat Completions",
            live: || Ok(Box::new(OpenAiChat::from_env(openai())?)),
            offline: |url| Box::new(OpenAiChat::new(openai(), KEY).with_base_url(v1(url))),
            traffic: Traffic::events([
                include_str!("traffic/openai_chat_1.sse"),
                include_str!("traffic/openai_chat_2.sse"),
            ]),
        },
        Provider {
            name: "OpenAI Responses",
            live: || Ok(Box::new(OpenAiResponses::from_env(openai())?)),
            offline: |url| Box::new(OpenAiResponses::new(openai(), KEY).with_base_url(v1(url))),
            traffic: Traffic::events([
                include_str!("traffic/openai_responses_1.sse"),
                include_str!("traffic/openai_responses_2.sse"),
            ]),
        },
        Provider {
            name: "Anthropic Messages",
            live: || Ok(Box::new(Anthropic::from_env(anthropic())?)),
            offline: |url| Box::new(Anthropic::new(anthropic(), KEY).with_base_url(url)),
            traffic: Traffic::events([
                include_str!("traffic/anthropic_1.sse"),
                include_str!("traffic/anthropic_2.sse"),
            ]),
        },
        Provider {
            name: "Gemini",
            live: || Ok(Box::new(Gemini::from_env(gemini())?)),
            offline: |url| Box::new(Gemini::new(gemini(), KEY).with_base_url(url)),
            traffic: Traffic::events([
                include_str!("traffic/gemini_1.sse"),
                include_str!("traffic/gemini_2.sse"),
            ])
            .with_crlf(),
        },
        Provider {
            name: "Ollama",
            live: live_ollama,
            offline: |url| Box::new(Ollama::new(ollama()).with_base_url(url)),
            traffic: Traffic::lines([
                include_str!("traffic/ollama_1.ndjson"),
                include_str!("traffic/ollama_2.ndjson"),
            ]),
        },
        Provider {
            name: "Mistral, a vendor that speaks OpenAI Chat Completions in its own way",
            live: || Ok(Box::new(OpenAiChat::vendor(Vendor::MISTRAL, mistral())?)),
            offline: |url| {
                let model = OpenAiChat::new(mistral(), KEY).with_vendor(Vendor::MISTRAL);
                Box::new(model.with_base_url(v1(url)))
            },
            traffic: Traffic::events([
                include_str!("traffic/mistral_1.sse"),
                include_str!("traffic/mistral_2.sse"),
            ]),
        },
    ]
}

/// What the offline servers are sent for a key, in the header that each wants.
const KEY: &str = "no key";

/// Where the servers of OpenAI's protocols have it.
fn v1(url: &str) -> String {
    format!("{url}/v1")
}

/// It needs no key, so that one on this machine is asked only if its address is set.
fn live_ollama() -> Result<Box<dyn ChatModel>, ModelError> {
    if env::var_os("OLLAMA_HOST").is_none() {
        let message = "no server: set the environment variable OLLAMA_HOST";
        return Err(ModelError::new(ModelErrorKind::Authentication, message));
    }
    Ok(Box::new(Ollama::from_env(ollama())?))
}

fn openai() -> String {
    model("OPENAI_MODEL", "gpt-5.1-mini")
}

fn anthropic() -> String {
    model("ANTHROPIC_MODEL", "claude-sonnet-4-6")
}

fn gemini() -> String {
    model("GEMINI_MODEL", "gemini-3-flash-preview")
}

fn ollama() -> String {
    model("OLLAMA_MODEL", "qwen3:4b")
}

fn mistral() -> String {
    model("MISTRAL_MODEL", "mistral-medium-latest")
}

/// The model of a variable, or one that was there when this was written.
fn model(variable: &str, otherwise: &str) -> String {
    env::var(variable).unwrap_or_else(|_| otherwise.to_owned())
}
