//! What providers are sent of a tool.

use std::borrow::Cow;

use serde::Serialize;
use toolwright_core::{Schema, ToolDefinition, testing::PromptLock};
use toolwright_providers::profile::{LossKind, Profile};

use super::ShownTool;

/// A tool with what each provider is sent of it, and what a prompt lock has of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Prepared<'a> {
    #[serde(flatten)]
    tool: ShownTool<'a>,
    providers: Vec<Sent>,
    prompt_lock: String,
}

#[derive(Serialize)]
struct Sent {
    provider: Cow<'static, str>,
    /// `None` if the provider would refuse it.
    definition: Option<SentDefinition>,
    losses: Vec<SentLoss>,
}

#[derive(Serialize)]
struct SentDefinition {
    name: Cow<'static, str>,
    description: Cow<'static, str>,
    parameters: Option<Schema>,
    strict: bool,
}

#[derive(Serialize)]
struct SentLoss {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    keyword: Option<String>,
    kind: &'static str,
    message: String,
}

impl<'a> Prepared<'a> {
    pub(super) fn of(tool: ShownTool<'a>, definition: &ToolDefinition) -> Self {
        Self {
            tool,
            providers: profiles().iter().map(|it| sent(it, definition)).collect(),
            prompt_lock: PromptLock::new([definition]).as_str().to_owned(),
        }
    }
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

fn sent(profile: &Profile, tool: &ToolDefinition) -> Sent {
    let provider = profile.name.clone();
    match profile.render(tool) {
        Ok(rendered) => {
            let losses = rendered.losses.iter().map(|loss| SentLoss {
                path: loss.path.clone(),
                keyword: Some(loss.keyword.clone()),
                kind: kind(loss.kind),
                message: loss.to_string(),
            });
            Sent {
                provider,
                losses: losses.collect(),
                definition: Some(SentDefinition {
                    name: rendered.name,
                    description: rendered.description,
                    parameters: rendered.parameters,
                    strict: rendered.strict,
                }),
            }
        }
        Err(refusal) => Sent {
            provider,
            definition: None,
            losses: vec![SentLoss {
                path: refusal.path.clone(),
                keyword: None,
                kind: "refused",
                message: refusal.to_string(),
            }],
        },
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
