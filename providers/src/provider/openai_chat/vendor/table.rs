//! One row a vendor.
//!
//! Where a departure is from stands beside it: the vendor's documentation, a recording, or an error
//! that was seen. What a row does not name is as OpenAI has it.

use super::{KeyHeader, Vendor};
use crate::{
    codec::quirks::{Choosing, Effort, Quirks},
    profile::Profile,
};

/// A row without departures.
const PLAIN: Vendor = Vendor {
    name: "",
    base_url: "",
    key_variable: "",
    base_url_variable: "",
    key_header: KeyHeader::Bearer,
    needs_key: true,
    profile: None,
    quirks: Quirks::NONE,
};

/// The quirks of most servers: they call the limit of output tokens as OpenAI did first.
const MAX_TOKENS: Quirks = Quirks {
    max_tokens: "max_tokens",
    ..Quirks::NONE
};

impl Vendor {
    /// All vendors of the table.
    pub const ALL: &[Self] = &[
        Self::OPENAI,
        Self::AZURE,
        Self::CEREBRAS,
        Self::DEEPSEEK,
        Self::FIREWORKS,
        Self::GROQ,
        Self::HUGGING_FACE,
        Self::LLAMA_CPP,
        Self::LM_STUDIO,
        Self::MISTRAL,
        Self::OLLAMA,
        Self::OPENROUTER,
        Self::TOGETHER,
        Self::VLLM,
        Self::XAI,
    ];

    /// OpenAI itself.
    pub const OPENAI: Self = Self {
        name: "OpenAI",
        base_url: "https://api.openai.com/v1",
        key_variable: "OPENAI_API_KEY",
        base_url_variable: "OPENAI_BASE_URL",
        ..PLAIN
    };

    /// Azure OpenAI. The base URL is that of a resource, such as
    /// `https://NAME.openai.azure.com/openai/v1`; its query, such as an `api-version`, is kept.
    pub const AZURE: Self = Self {
        name: "Azure",
        key_variable: "AZURE_OPENAI_API_KEY",
        base_url_variable: "AZURE_OPENAI_BASE_URL",
        // learn.microsoft.com, Azure OpenAI REST reference: a key, unlike a token, goes in `api-key`.
        key_header: KeyHeader::ApiKey,
        ..PLAIN
    };

    /// Cerebras.
    pub const CEREBRAS: Self = Self {
        name: "Cerebras",
        base_url: "https://api.cerebras.ai/v1",
        key_variable: "CEREBRAS_API_KEY",
        base_url_variable: "CEREBRAS_BASE_URL",
        ..PLAIN
    };

    /// DeepSeek.
    pub const DEEPSEEK: Self = Self {
        name: "DeepSeek",
        base_url: "https://api.deepseek.com",
        key_variable: "DEEPSEEK_API_KEY",
        base_url_variable: "DEEPSEEK_BASE_URL",
        quirks: Quirks {
            // Recorded: `thinking: {type}`, and a 400 for a forced choice while it is on.
            effort: Effort::Switch,
            ..MAX_TOKENS
        },
        ..PLAIN
    };

    /// Fireworks.
    pub const FIREWORKS: Self = Self {
        name: "Fireworks",
        base_url: "https://api.fireworks.ai/inference/v1",
        key_variable: "FIREWORKS_API_KEY",
        base_url_variable: "FIREWORKS_BASE_URL",
        quirks: MAX_TOKENS,
        ..PLAIN
    };

    /// Groq. A call that the model wrote wrongly is the error `tool_use_failed`, which may be sent
    /// again; what the model wrote is in its body.
    pub const GROQ: Self = Self {
        name: "Groq",
        base_url: "https://api.groq.com/openai/v1",
        key_variable: "GROQ_API_KEY",
        base_url_variable: "GROQ_BASE_URL",
        profile: Some(Profile::groq),
        ..PLAIN
    };

    /// The router of Hugging Face, in front of other vendors.
    pub const HUGGING_FACE: Self = Self {
        name: "Hugging Face",
        base_url: "https://router.huggingface.co/v1",
        key_variable: "HF_TOKEN",
        base_url_variable: "HF_BASE_URL",
        quirks: Quirks {
            // Recorded: `{"function": {"name": …}}`, without a type.
            choice: Choosing::All {
                required: "required",
                typed: false,
            },
            ..MAX_TOKENS
        },
        ..PLAIN
    };

    /// The server of llama.cpp, on this machine unless it is set.
    pub const LLAMA_CPP: Self = Self {
        name: "llama.cpp",
        base_url: "http://localhost:8080/v1",
        key_variable: "LLAMA_API_KEY",
        base_url_variable: "LLAMA_BASE_URL",
        needs_key: false,
        profile: Some(Profile::grammar),
        quirks: Quirks {
            // Seen of the server: a named choice is read as `auto`.
            choice: Choosing::Words,
            ..MAX_TOKENS
        },
        ..PLAIN
    };

    /// LM Studio, on this machine unless it is set.
    pub const LM_STUDIO: Self = Self {
        name: "LM Studio",
        base_url: "http://localhost:1234/v1",
        key_variable: "LM_STUDIO_API_KEY",
        base_url_variable: "LM_STUDIO_BASE_URL",
        needs_key: false,
        profile: Some(Profile::grammar),
        quirks: Quirks {
            // Built on llama.cpp, and documented with the words alone.
            choice: Choosing::Words,
            ..MAX_TOKENS
        },
        ..PLAIN
    };

    /// Mistral.
    pub const MISTRAL: Self = Self {
        name: "Mistral",
        base_url: "https://api.mistral.ai/v1",
        key_variable: "MISTRAL_API_KEY",
        base_url_variable: "MISTRAL_BASE_URL",
        profile: Some(Profile::mistral),
        quirks: Quirks {
            // "Tool call id … must be a-z, A-Z, 0-9, with a length of 9."
            is_id: |id| id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            seed: "random_seed",
            // Fields that it does not know are refused; usage comes unasked.
            asks_for_usage: false,
            // Recorded: `any`.
            choice: Choosing::All {
                required: "any",
                typed: true,
            },
            ..MAX_TOKENS
        },
        ..PLAIN
    };

    /// The surface of Ollama that speaks this protocol, on this machine unless it is set. Its own
    /// protocol says more: [`provider::ollama`](crate::provider::ollama).
    pub const OLLAMA: Self = Self {
        name: "Ollama",
        base_url: "http://localhost:11434/v1",
        key_variable: "OLLAMA_API_KEY",
        base_url_variable: "OLLAMA_BASE_URL",
        needs_key: false,
        profile: Some(Profile::ollama),
        quirks: Quirks {
            // docs/openai.md lists `tool_choice` among what is not supported.
            choice: Choosing::None,
            ..MAX_TOKENS
        },
        ..PLAIN
    };

    /// OpenRouter, in front of other vendors.
    pub const OPENROUTER: Self = Self {
        name: "OpenRouter",
        base_url: "https://openrouter.ai/api/v1",
        key_variable: "OPENROUTER_API_KEY",
        base_url_variable: "OPENROUTER_BASE_URL",
        quirks: Quirks {
            // Recorded: `reasoning: {effort}`.
            effort: Effort::Object,
            // Recorded of its Responses: the reasoning of other vendors' models comes last.
            reasoning_last: true,
            ..MAX_TOKENS
        },
        ..PLAIN
    };

    /// Together.
    pub const TOGETHER: Self = Self {
        name: "Together",
        base_url: "https://api.together.xyz/v1",
        key_variable: "TOGETHER_API_KEY",
        base_url_variable: "TOGETHER_BASE_URL",
        quirks: MAX_TOKENS,
        ..PLAIN
    };

    /// vLLM, on this machine unless it is set.
    pub const VLLM: Self = Self {
        name: "vLLM",
        base_url: "http://localhost:8000/v1",
        key_variable: "VLLM_API_KEY",
        base_url_variable: "VLLM_BASE_URL",
        needs_key: false,
        quirks: MAX_TOKENS,
        ..PLAIN
    };

    /// xAI, which enforces every schema.
    pub const XAI: Self = Self {
        name: "xAI",
        base_url: "https://api.x.ai/v1",
        key_variable: "XAI_API_KEY",
        base_url_variable: "XAI_BASE_URL",
        profile: Some(Profile::xai),
        ..PLAIN
    };
}
