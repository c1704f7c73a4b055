//! One row a vendor.
//!
//! Where a departure is from stands beside it: the vendor's documentation, a recording, or an error
//! that was seen. What a row does not name is as OpenAI has it.

use super::{KeyHeader, Vendor};
use crate::{
    codec::{
        answer_schema::AnswerSupport,
        quirks::{Choosing, DocumentForm, Effort, Quirks, SoundForm, is_claude},
    },
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

/// The quirks of a server that takes text and images alone.
const NO_FILES: Quirks = Quirks {
    documents: DocumentForm::None,
    sound: SoundForm::None,
    ..Quirks::NONE
};

/// The quirks of most servers: text and images, and the limit of output tokens as OpenAI called it first.
const MAX_TOKENS: Quirks = Quirks {
    max_tokens: "max_tokens",
    ..NO_FILES
};

/// The quirks of the servers that are run by oneself, which take any number of stop sequences.
const OWN_SERVER: Quirks = Quirks {
    most_stops: usize::MAX,
    ..MAX_TOKENS
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
    pub const OPENAI: Self = PLAIN
        .with_name("OpenAI")
        .with_base_url("https://api.openai.com/v1")
        .with_variables("OPENAI_API_KEY", "OPENAI_BASE_URL");

    /// Azure OpenAI. The base URL is that of a resource, such as
    /// `https://NAME.openai.azure.com/openai/v1`; its query, such as an `api-version`, is kept.
    pub const AZURE: Self = PLAIN
        .with_name("Azure")
        .with_variables("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_BASE_URL")
        // learn.microsoft.com, Azure OpenAI REST reference: a key, unlike a token, goes in `api-key`.
        .with_key_header(KeyHeader::ApiKey);

    /// Cerebras.
    pub const CEREBRAS: Self = PLAIN
        .with_name("Cerebras")
        .with_base_url("https://api.cerebras.ai/v1")
        .with_variables("CEREBRAS_API_KEY", "CEREBRAS_BASE_URL")
        // inference-docs.cerebras.ai/api-reference/chat-completions: no parts of documents or sound.
        .with_quirks(NO_FILES);

    /// DeepSeek.
    pub const DEEPSEEK: Self = PLAIN
        .with_name("DeepSeek")
        .with_base_url("https://api.deepseek.com")
        .with_variables("DEEPSEEK_API_KEY", "DEEPSEEK_BASE_URL")
        .with_quirks(Quirks {
            // Recorded: `thinking: {type}`, and a 400 for a forced choice while it is on.
            effort: Effort::Switch,
            // "This response_format type is unavailable now": `json_object` is all that it has.
            answers: AnswerSupport::No,
            // api-docs.deepseek.com/api/create-chat-completion: "Up to 16 sequences", and text alone.
            most_stops: 16,
            ..MAX_TOKENS
        });

    /// Fireworks.
    pub const FIREWORKS: Self = PLAIN
        .with_name("Fireworks")
        .with_base_url("https://api.fireworks.ai/inference/v1")
        .with_variables("FIREWORKS_API_KEY", "FIREWORKS_BASE_URL")
        // docs.fireworks.ai/api-reference/post-chatcompletions: "up to 4 sequences", no documents, no sound.
        .with_quirks(MAX_TOKENS);

    /// Groq. A call that the model wrote wrongly is the error `tool_use_failed`, which may be sent
    /// again; what the model wrote is in its body.
    pub const GROQ: Self = PLAIN
        .with_name("Groq")
        .with_base_url("https://api.groq.com/openai/v1")
        .with_variables("GROQ_API_KEY", "GROQ_BASE_URL")
        .with_profile(Profile::groq)
        .with_quirks(Quirks {
            // console.groq.com/docs/structured-outputs: `strict: true` for these two.
            strict_answers: |model| model.contains("gpt-oss-20b") || model.contains("gpt-oss-120b"),
            // console.groq.com/docs/api-reference: text and `image_url`; "Up to 4 sequences".
            ..NO_FILES
        });

    /// The router of Hugging Face, in front of other vendors.
    pub const HUGGING_FACE: Self = PLAIN
        .with_name("Hugging Face")
        .with_base_url("https://router.huggingface.co/v1")
        .with_variables("HF_TOKEN", "HF_BASE_URL")
        .with_quirks(Quirks {
            // Recorded: `{"function": {"name": …}}`, without a type.
            choice: Choosing::All {
                required: "required",
                typed: false,
            },
            ..MAX_TOKENS
        });

    /// The server of llama.cpp, on this machine unless it is set.
    pub const LLAMA_CPP: Self = PLAIN
        .with_name("llama.cpp")
        .with_base_url("http://localhost:8080/v1")
        .with_variables("LLAMA_API_KEY", "LLAMA_BASE_URL")
        .with_needs_key(false)
        .with_profile(Profile::grammar)
        .with_quirks(Quirks {
            // Seen of the server: a named choice is read as `auto`.
            choice: Choosing::Words,
            // github.com/ggml-org/llama.cpp, tools/server/README.md: `input_audio`, and no files.
            sound: SoundForm::Object,
            ..OWN_SERVER
        });

    /// LM Studio, on this machine unless it is set.
    pub const LM_STUDIO: Self = PLAIN
        .with_name("LM Studio")
        .with_base_url("http://localhost:1234/v1")
        .with_variables("LM_STUDIO_API_KEY", "LM_STUDIO_BASE_URL")
        .with_needs_key(false)
        .with_profile(Profile::grammar)
        .with_quirks(Quirks {
            // Built on llama.cpp, and documented with the words alone.
            choice: Choosing::Words,
            // lmstudio.ai/docs/app/api/endpoints/openai: text and images.
            ..OWN_SERVER
        });

    /// Mistral.
    pub const MISTRAL: Self = PLAIN
        .with_name("Mistral")
        .with_base_url("https://api.mistral.ai/v1")
        .with_variables("MISTRAL_API_KEY", "MISTRAL_BASE_URL")
        .with_profile(Profile::mistral)
        .with_quirks(Quirks {
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
            // docs.mistral.ai/capabilities/structured-output/custom_structured_output
            strict_answers: |_| true,
            // docs.mistral.ai/capabilities/document_ai/document_qna
            documents: DocumentForm::Url,
            // docs.mistral.ai/capabilities/audio
            sound: SoundForm::Text,
            // docs.mistral.ai/api: a string or a list of any length.
            ..OWN_SERVER
        });

    /// Ollama's endpoint for this protocol, on this machine unless another address is set. Its own protocol supports
    /// more: [`OllamaCodec`](crate::provider::OllamaCodec).
    pub const OLLAMA: Self = PLAIN
        .with_name("Ollama")
        .with_base_url("http://localhost:11434/v1")
        .with_variables("OLLAMA_API_KEY", "OLLAMA_BASE_URL")
        .with_needs_key(false)
        .with_profile(Profile::ollama)
        .with_quirks(Quirks {
            // docs/openai.md lists `tool_choice` among what is not supported.
            choice: Choosing::None,
            // ollama#8095, ollama#13750: with a schema the array of calls stays empty.
            answers: AnswerSupport::WithoutTools,
            // docs/openai.md lists text and images.
            ..OWN_SERVER
        });

    /// OpenRouter, in front of other vendors.
    pub const OPENROUTER: Self = PLAIN
        .with_name("OpenRouter")
        .with_base_url("https://openrouter.ai/api/v1")
        .with_variables("OPENROUTER_API_KEY", "OPENROUTER_BASE_URL")
        .with_quirks(Quirks {
            // Recorded: `reasoning: {effort}`.
            effort: Effort::Object,
            // Recorded of its Responses: the reasoning of other vendors' models comes last.
            reasoning_last: true,
            // openrouter.ai/docs/features/multimodal/pdfs and /audio
            documents: DocumentForm::File,
            sound: SoundForm::Object,
            // openrouter.ai/docs/guides/best-practices/prompt-caching, and `AnthropicCacheControlDirective` of its SDK: at the
            // top it marks the last block that can be cached.
            takes_cache_mark: is_claude,
            ..MAX_TOKENS
        });

    /// Together.
    pub const TOGETHER: Self = PLAIN
        .with_name("Together")
        .with_base_url("https://api.together.xyz/v1")
        .with_variables("TOGETHER_API_KEY", "TOGETHER_BASE_URL")
        // docs.together.ai/reference/chat-completions-1: `stop` is a list of any length; no documents.
        .with_quirks(OWN_SERVER);

    /// vLLM, on this machine unless it is set.
    pub const VLLM: Self = PLAIN
        .with_name("vLLM")
        .with_base_url("http://localhost:8000/v1")
        .with_variables("VLLM_API_KEY", "VLLM_BASE_URL")
        .with_needs_key(false)
        .with_quirks(Quirks {
            // docs.vllm.ai/en/latest/features/multimodal_inputs.html: `input_audio`, and no files.
            sound: SoundForm::Object,
            ..OWN_SERVER
        });

    /// xAI, which enforces every schema.
    pub const XAI: Self = PLAIN
        .with_name("xAI")
        .with_base_url("https://api.x.ai/v1")
        .with_variables("XAI_API_KEY", "XAI_BASE_URL")
        .with_profile(Profile::xai)
        // docs.x.ai/docs/api-reference: text and `image_url`; "Up to 4 sequences".
        .with_quirks(NO_FILES);
}
