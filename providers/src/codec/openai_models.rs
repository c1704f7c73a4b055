//! Differences between the generations of OpenAI's models, by the name of a model.

/// How a model reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reasons {
    /// Not at all. It takes no effort, and refuses to be asked for encrypted reasoning: "Encrypted content is not supported
    /// with this model."
    Never,
    /// As it is asked to, or not at all. It takes a temperature only then.
    OrNot,
    /// Always, with this effort or more. It takes no temperature.
    From(&'static str),
    /// In a way that its name does not say, as that of another vendor.
    Unknown,
}

impl Reasons {
    /// Returns true if Chat Completions refuses stop sequences for the model: "Unsupported parameter: 'stop' is not supported
    /// with this model."
    ///
    /// - <https://github.com/huggingface/smolagents/pull/1662>, GPT-5
    /// - <https://github.com/huggingface/smolagents/pull/1868>, GPT-5.1
    /// - <https://github.com/openai/openai-openapi>, `stop`: o3 and o4-mini
    pub(crate) fn refuses_stops(self) -> bool {
        matches!(self, Self::From(_) | Self::OrNot)
    }
}

/// How the models of a prefix reason. The last row that fits holds.
///
/// - Without reasoning: <https://github.com/pydantic/pydantic-ai/issues/2865>,
///   <https://github.com/pydantic/pydantic-ai/issues/3326>
/// - Efforts: <https://platform.openai.com/docs/guides/reasoning>
/// - Temperature: <https://platform.openai.com/docs/guides/latest-model>
const REASONING: [(&str, Reasons); 10] = [
    ("gpt-3.5", Reasons::Never),
    ("gpt-4", Reasons::Never),
    ("chatgpt-4o", Reasons::Never),
    ("o1", Reasons::From("low")),
    ("o3", Reasons::From("low")),
    ("o4", Reasons::From("low")),
    ("gpt-5", Reasons::From("minimal")),
    ("gpt-5-codex", Reasons::From("low")),
    ("gpt-5-chat", Reasons::Never),
    ("gpt-5.", Reasons::OrNot),
];

/// How a model reasons.
pub(crate) fn reasons(model: &str) -> Reasons {
    // A gateway puts the vendor before the name, and fine-tuning `ft:`.
    let name = model.rsplit('/').next().unwrap_or_default();
    let name = name.strip_prefix("ft:").unwrap_or(name);
    let mut rows = REASONING.iter().rev();
    rows.find(|(prefix, _)| name.starts_with(prefix))
        .map_or(Reasons::Unknown, |(_, reasons)| *reasons)
}
