//! The providers, and how a model of each is made.

use std::env;

use toolwright::{
    ChatModel, ModelError,
    provider::{
        AnthropicCodec, Codec, GeminiCodec, HttpModel, OllamaCodec, OpenAiChatCodec,
        OpenAiResponsesCodec, Vendor,
    },
};

use crate::tap::{Tap, Tapped};

/// A provider, by its protocol.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Provider {
    Chat(Vendor),
    Responses,
    Anthropic,
    Gemini,
    Ollama,
}

/// How a server is reached.
struct Access {
    keys: Vec<&'static str>,
    base_url: &'static str,
    base_url_variable: &'static str,
    needs_key: bool,
}

/// The key of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Own,
    Wrong,
}

/// Calls a function with the codec of a provider.
macro_rules! with_codec {
    ($provider:expr, $function:expr) => {
        match $provider {
            Provider::Chat(vendor) => $function(OpenAiChatCodec::of(*vendor)),
            Provider::Responses => $function(OpenAiResponsesCodec::new()),
            Provider::Anthropic => $function(AnthropicCodec::new()),
            Provider::Gemini => $function(GeminiCodec::new()),
            Provider::Ollama => $function(OllamaCodec::new()),
        }
    };
}

impl Provider {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let own = [Self::Responses, Self::Anthropic, Self::Gemini, Self::Ollama];
        let vendors = Vendor::ALL.iter().map(|vendor| Self::Chat(*vendor));
        vendors.chain(own)
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Chat(vendor) if vendor.name() == "Ollama" => "Ollama Chat",
            Self::Chat(vendor) => vendor.name(),
            Self::Responses => "OpenAI Responses",
            Self::Anthropic => "Anthropic",
            Self::Gemini => "Gemini",
            Self::Ollama => "Ollama",
        }
    }

    /// The folder of its recordings, which is named after its protocol.
    pub(crate) fn folder(&self) -> &'static str {
        match self {
            Self::Chat(_) => "openai-chat",
            Self::Responses => "openai-responses",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
        }
    }

    fn access(&self) -> Access {
        fn of<C: Codec>(codec: &C) -> Access {
            Access {
                keys: codec.key_variables(),
                base_url: codec.base_url(),
                base_url_variable: codec.base_url_variable(),
                needs_key: codec.needs_key(),
            }
        }
        with_codec!(self, |codec| of(&codec))
    }

    /// The values of its keys.
    pub(crate) fn keys(&self) -> Vec<String> {
        let names = self.access().keys.into_iter();
        let values = names.filter_map(|name| env::var(name).ok());
        // As they are sent. A word that stands in for a key is no secret.
        let values = values.map(|value| value.trim().to_owned());
        values.filter(|value| value.len() >= 8).collect()
    }

    /// Returns true if its key is set, or the address of a server that needs none.
    pub(crate) fn is_on(&self) -> bool {
        let access = self.access();
        let is_reached = !access.base_url.is_empty() || is_set(access.base_url_variable);
        let has_key = access.keys.iter().any(|name| is_set(name));
        is_reached && (has_key || !access.needs_key && is_set(access.base_url_variable))
    }

    /// The variables that switch it on.
    pub(crate) fn needs(&self) -> String {
        let access = self.access();
        match (access.needs_key, access.base_url) {
            (false, _) => access.base_url_variable.to_owned(),
            (true, "") => format!(
                "{} and {}",
                access.keys.join(" or "),
                access.base_url_variable
            ),
            (true, _) => access.keys.join(" or "),
        }
    }

    pub(crate) fn is_on_this_machine(&self) -> bool {
        let set = env::var(self.access().base_url_variable).unwrap_or_default();
        let host = set.split("://").last().unwrap_or_default();
        let host = host.split('/').next().unwrap_or_default();
        let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
        matches!(host, "127.0.0.1" | "localhost" | "[::1]")
    }

    /// A model whose exchanges go through a tap.
    ///
    /// # Errors
    ///
    /// The errors of [`HttpModel::from_env`].
    pub(crate) fn connect(
        &self,
        model: &str,
        key: Key,
        tap: &Tap,
    ) -> Result<Box<dyn ChatModel>, ModelError> {
        with_codec!(self, |codec| connect(codec, model, key, tap))
    }
}

fn connect<C: Codec>(
    codec: C,
    model: &str,
    key: Key,
    tap: &Tap,
) -> Result<Box<dyn ChatModel>, ModelError> {
    let base_url = match env::var(codec.base_url_variable()) {
        Ok(set) if !set.trim().is_empty() => codec.read_base_url(&set)?,
        _ => codec.base_url().to_owned(),
    };
    let codec = Tapped::new(codec, tap);
    Ok(match key {
        Key::Own => Box::new(HttpModel::from_env(codec, model)?),
        Key::Wrong => {
            Box::new(HttpModel::new(codec, model, "wrong-key-of-a-test").with_base_url(base_url))
        }
    })
}

fn is_set(name: &str) -> bool {
    env::var(name).is_ok_and(|value| !value.trim().is_empty())
}
