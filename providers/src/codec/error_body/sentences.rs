//! Meaning of the providers' sentences: many servers have no code for an error, or one that says less.
//!
//! Gateways pass on the errors of others, so that the sentences of all are looked for in every error.

use toolwright_core::model::ModelErrorKind::{
    self, Authentication, ContentFilter, ContextTooLong, RateLimit, ToolsUnsupported,
};

/// What an error means that has these words, in lower case, in its message. It never passes.
#[derive(Debug)]
pub(crate) struct Sentence {
    pub(crate) kind: ModelErrorKind,
    pub(crate) words: &'static str,
    /// Where the sentence stands in public.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "for the reader, and for a test")
    )]
    pub(crate) source: &'static str,
}

const fn row(kind: ModelErrorKind, words: &'static str, source: &'static str) -> Sentence {
    Sentence {
        kind,
        words,
        source,
    }
}

/// What a public agent has met, vendor by vendor.
const PI: &str = "https://github.com/earendil-works/pi/blob/main/packages/ai/src/utils/overflow.ts";
const ANTHROPIC: &str = "https://docs.anthropic.com/en/api/errors";
const GOOGLE: &str = "https://ai.google.dev/gemini-api/docs/troubleshooting";
const XAI: &str = "https://docs.x.ai/docs/key-information/debugging";
const XAI_CREDITS: &str = "https://github.com/continuedev/continue/issues/10373";
const XAI_SAFETY: &str = "https://github.com/UKGovernmentBEIS/inspect_ai/pull/2267";

/// The rows. The first that fits counts.
pub(crate) const SENTENCES: &[Sentence] = &[
    // No money or quota is left.
    row(RateLimit, "credit balance is too low", ANTHROPIC),
    // DeepSeek
    row(
        RateLimit,
        "insufficient balance",
        "https://api-docs.deepseek.com/quick_start/error_codes",
    ),
    // xAI
    row(RateLimit, "used all available credits", XAI_CREDITS),
    row(RateLimit, "monthly spending limit", XAI_CREDITS),
    row(RateLimit, "doesn't have any credits", XAI),
    // OpenRouter: the requests of a day to free models
    row(
        RateLimit,
        "free-models-per-day",
        "https://github.com/cline/cline/issues/5301",
    ),
    // OpenAI, vLLM, DeepSeek, OpenRouter, Z.ai
    row(
        ContextTooLong,
        "maximum context length",
        "https://github.com/run-llama/llama_index/issues/948",
    ),
    row(ContextTooLong, "context length exceeded", PI),
    // OpenAI, MiniMax
    row(ContextTooLong, "context window", PI),
    // llama.cpp
    row(ContextTooLong, "exceeds the available context size", PI),
    // Anthropic, Fireworks
    row(
        ContextTooLong,
        "prompt is too long",
        "https://github.com/stackblitz/bolt.new/issues/1339",
    ),
    row(ContextTooLong, "exceed context limit", ANTHROPIC),
    // Gemini
    row(ContextTooLong, "exceeds the maximum number of tokens", PI),
    // OpenAI and Groq: longer than all that may be sent in a minute, under the code of a rate limit.
    row(
        ContextTooLong,
        "request too large for",
        "https://github.com/assafelovic/gpt-researcher/issues/985",
    ),
    // Groq, Cerebras
    row(ContextTooLong, "reduce the length of the messages", PI),
    // xAI
    row(
        ContextTooLong,
        "maximum prompt length is",
        "https://github.com/cline/cline/issues/3120",
    ),
    // LM Studio
    row(
        ContextTooLong,
        "greater than the context length",
        "https://github.com/Gitlawb/openclaude/issues/353",
    ),
    row(
        ContextTooLong,
        "when context the overflows",
        "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/546",
    ),
    row(
        ContextTooLong,
        "cannot truncate prompt with n_keep",
        "https://github.com/anomalyco/opencode/issues/11141",
    ),
    // Together, Hugging Face
    row(
        ContextTooLong,
        "`inputs` tokens + `max_new_tokens` must be <=",
        "https://github.com/stanford-crfm/helm/pull/2079",
    ),
    // Together, SGLang
    row(ContextTooLong, "longer than the model's context length", PI),
    // vLLM
    row(
        ContextTooLong,
        "longer than the maximum model length",
        "https://docs.vllm.ai/en/latest/",
    ),
    // Moonshot
    row(
        ContextTooLong,
        "exceeded model token limit",
        "https://platform.kimi.com/docs/api/errors",
    ),
    row(
        ContextTooLong,
        "input token length too long",
        "https://platform.kimi.com/docs/api/errors",
    ),
    // Z.ai
    row(
        ContextTooLong,
        "prompt exceeds max length",
        "https://github.com/zeroclaw-labs/zeroclaw/issues/4124",
    ),
    row(
        ContextTooLong,
        "tokens in request more than max tokens allowed",
        "https://github.com/NousResearch/hermes-agent/pull/61728",
    ),
    // Alibaba
    row(
        ContextTooLong,
        "range of input length should be",
        "https://github.com/QwenLM/qwen-code/issues/98",
    ),
    // Mistral
    row(ContextTooLong, "too large for model with", PI),
    // Ollama
    row(ContextTooLong, "prompt too long; exceeded", PI),
    // Amazon Bedrock
    row(ContextTooLong, "input is too long for requested model", PI),
    // OpenRouter, Poolside
    row(ContextTooLong, "maximum allowed input length", PI),
    // GitHub Copilot
    row(ContextTooLong, "prompt token count of", PI),
    // Cohere
    row(
        ContextTooLong,
        "tokens in the prompt cannot exceed",
        "https://docs.cohere.com/reference/errors",
    ),
    // Anthropic
    row(ContentFilter, "blocked by content filtering", ANTHROPIC),
    // OpenRouter
    row(
        ContentFilter,
        "requires moderation and your input was flagged",
        "https://openrouter.ai/docs/api-reference/errors",
    ),
    // xAI, with status 403 and the code of a missing permission
    row(
        ContentFilter,
        "content violates usage guidelines",
        XAI_SAFETY,
    ),
    row(ContentFilter, "failed check: safety_check_type", XAI_SAFETY),
    // DeepSeek
    row(
        ContentFilter,
        "content exists risk",
        "https://github.com/deepseek-ai/awesome-deepseek-integration/issues/13",
    ),
    // Ollama, Groq, Gemini, Mistral, vLLM, llama.cpp
    row(
        ToolsUnsupported,
        "does not support tool",
        "https://github.com/ollama/ollama/blob/main/server/routes.go",
    ),
    row(
        ToolsUnsupported,
        "does not support function calling",
        "https://ai.google.dev/gemini-api/docs/function-calling",
    ),
    row(ToolsUnsupported, "function calling is not enabled", GOOGLE),
    row(
        ToolsUnsupported,
        "support tool use",
        "https://openrouter.ai/docs/features/tool-calling",
    ),
    row(
        ToolsUnsupported,
        "tools is not supported",
        "https://docs.mistral.ai/capabilities/function_calling",
    ),
    row(
        ToolsUnsupported,
        "tool choice requires --enable-auto-tool-choice",
        "https://github.com/QwenLM/Qwen-Agent/issues/344",
    ),
    row(
        ToolsUnsupported,
        "tools param requires --jinja",
        "https://github.com/defilantech/LLMKube/issues/126",
    ),
    // xAI and Gemini answer a wrong key with 400.
    row(Authentication, "incorrect api key", XAI),
    row(Authentication, "api key not valid", GOOGLE),
    row(Authentication, "api key expired", GOOGLE),
];

/// The kind of an error that never passes, by its message in lower case.
pub(super) fn kind_of(message: &str) -> Option<ModelErrorKind> {
    let mut rows = SENTENCES.iter();
    let kind = rows.find(|row| message.contains(row.words))?.kind;
    // A choice of tools that is not taken says nothing of tools.
    let is_choice = kind == ToolsUnsupported && message.contains("tool_choice");
    (!is_choice).then_some(kind)
}
