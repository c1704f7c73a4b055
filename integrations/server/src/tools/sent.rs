//! What providers are sent of a tool.

use serde_json::{Value, json};
use toolwright_core::{ToolDefinition, testing::PromptLock};
use toolwright_providers::profile::{LossKind, Profile};

/// Adds what each provider is sent of a tool, and what a prompt lock has of it.
pub(super) fn add(shown: &mut Value, tool: &ToolDefinition) {
    shown["providers"] = profiles()
        .iter()
        .map(|profile| sent(profile, tool))
        .collect();
    shown["promptLock"] = PromptLock::new([tool]).as_str().into();
}

fn profiles() -> [Profile; 11] {
    [
        Profile::openai(),
        Profile::openai_strict(),
        Profile::anthropic(),
        Profile::anthropic_strict(),
        Profile::gemini(),
        Profile::gemini_json_schema(),
        Profile::xai(),
        Profile::mistral(),
        Profile::groq(),
        Profile::ollama(),
        Profile::grammar(),
    ]
}

fn sent(profile: &Profile, tool: &ToolDefinition) -> Value {
    match profile.render(tool) {
        Ok(rendered) => {
            let losses = rendered.losses.iter().map(|loss| {
                json!({
                    "path": loss.path,
                    "keyword": loss.keyword,
                    "kind": kind(loss.kind),
                    "message": loss.to_string(),
                })
            });
            json!({
                "provider": profile.name,
                "definition": {
                    "name": rendered.name,
                    "description": rendered.description,
                    "parameters": rendered.parameters,
                    "strict": rendered.strict,
                },
                "losses": losses.collect::<Value>(),
            })
        }
        Err(refusal) => json!({
            "provider": profile.name,
            "definition": null,
            "losses": [{ "path": refusal.path, "kind": "refused", "message": refusal.to_string() }],
        }),
    }
}

fn kind(kind: LossKind) -> &'static str {
    match kind {
        LossKind::InDescription => "inDescription",
        LossKind::Dropped => "dropped",
        LossKind::ImpliedClosed => "impliedClosed",
        LossKind::NullAsAbsent => "nullAsAbsent",
        LossKind::AmbiguousVariant => "ambiguousVariant",
        _ => "other",
    }
}
