//! Differences between the generations of OpenAI's models, by the name of a model.

/// The prefixes of OpenAI's models that do not reason. They refuse to be asked for encrypted reasoning: "Encrypted content
/// is not supported with this model."
/// (<https://github.com/pydantic/pydantic-ai/issues/2865>, <https://github.com/pydantic/pydantic-ai/issues/3326>)
const WITHOUT_REASONING: [&str; 4] = ["gpt-3.5", "gpt-4", "chatgpt-4o", "gpt-5-chat"];

/// Returns false for a model that is known not to reason. Others ignore what is asked of their reasoning.
pub(super) fn reasons(model: &str) -> bool {
    // A gateway puts the vendor before the name, and fine-tuning `ft:`.
    let name = model.rsplit('/').next().unwrap_or_default();
    let name = name.strip_prefix("ft:").unwrap_or(name);
    !WITHOUT_REASONING
        .iter()
        .any(|prefix| name.starts_with(prefix))
}
