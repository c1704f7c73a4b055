//! A request to a model.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{AnswerSchema, ProviderTool};
use crate::{
    message::{Message, Part, SharedVec, UserMessage},
    tool::{ToolDefinition, ToolDefinitions},
};

/// A request to a model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelRequest {
    /// The system text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The conversation so far, oldest first. Clones of a request share them, and requests of one run do.
    pub messages: SharedVec<Message>,
    /// The tools on offer.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub tools: ToolDefinitions,
    /// The names of the tools that the model may call; all of them by default. The others stay in the request, so that
    /// its beginning does not change and providers find it in their caches. A provider without such a list receives
    /// only these tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allowed_tools: Option<Vec<String>>,
    /// The choice of tools that the model may or must call.
    #[serde(default)]
    pub tool_choice: ToolChoice,
    /// The schema that the text of the response has to fit; `None`, the default, if the text is free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_schema: Option<AnswerSchema>,
    /// The settings of the response.
    #[serde(default)]
    pub settings: ModelSettings,
    /// The texts of messages that the application has added, such as one about a limit. They are sent as messages of
    /// the user, but the user did not write them.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// The time that a model has for the whole response; no limit by default. Whoever asks the model holds it, not the
    /// model itself, unless its [capabilities](super::ModelCapabilities::limits_time) say otherwise. Direct calls of
    /// [`ChatModel`](super::ChatModel) are not limited.
    #[serde(skip)]
    pub time_limit: Option<Duration>,
}

impl ModelRequest {
    /// Creates a request of messages.
    pub fn new(messages: impl IntoIterator<Item = Message>) -> Self {
        Self {
            messages: messages.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Sets the system text.
    pub fn with_system(mut self, system: impl Into<String>) -> Self {
        self.system = Some(system.into());
        self
    }

    /// Sets the tools on offer.
    pub fn with_tools(mut self, tools: impl IntoIterator<Item = ToolDefinition>) -> Self {
        self.tools = tools.into_iter().collect();
        self
    }

    /// Lets the model call only the tools of these names.
    pub fn with_allowed_tools<N: Into<String>>(
        mut self,
        names: impl IntoIterator<Item = N>,
    ) -> Self {
        self.allowed_tools = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Sets which tools the model may or must call.
    pub fn with_tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = choice;
        self
    }

    /// Sets the schema that the text of the response has to fit.
    pub fn with_answer_schema(mut self, schema: AnswerSchema) -> Self {
        self.answer_schema = Some(schema);
        self
    }

    /// Adds a message that is from the application and not from the user.
    pub fn push_note(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.notes.push(text.clone());
        self.messages.push(Message::user(text));
    }

    /// Returns true if the application wrote a message, and not the user.
    pub fn is_note(&self, message: &UserMessage) -> bool {
        match &*message.parts {
            [Part::Text(text)] => self.notes.contains(text),
            _ => false,
        }
    }

    /// Sets the time that a model has for the whole response.
    pub fn with_time_limit(mut self, time: Duration) -> Self {
        self.time_limit = Some(time);
        self
    }

    /// Sets the settings of the model.
    pub fn with_settings(mut self, settings: ModelSettings) -> Self {
        self.settings = settings;
        self
    }
}

/// The settings of the model for a request. The provider decides about fields that are not set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ModelSettings {
    /// Randomness, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The limit of output tokens, with reasoning if the provider counts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u32>,
    /// Texts that end the response.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop_sequences: Vec<String>,
    /// The seed of the randomness, for reproducible responses if the provider supports them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<i64>,
    /// True if one response may hold several calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
    /// The amount of reasoning, in the provider's words, such as `low`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<String>,
    /// The time for which the provider caches the beginning of the request, if it caches only on request. Such a
    /// provider charges for writing to the cache, and less for reading from it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt_caching: Option<PromptCaching>,
    /// Tools that the provider runs itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub provider_tools: Vec<ProviderTool>,
    /// Fields of the provider's request that have no name here.
    ///
    /// Beside a field of the same name that is sent anyway, objects are joined, where the fields here win, and arrays
    /// are joined. Any other value replaces it, and so does an object with a `type`. A tool in an array `tools` replaces the
    /// tool of its name. The conversation cannot be replaced: a request with its field here is refused.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl ModelSettings {
    /// Creates settings that leave everything to the provider.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the randomness.
    pub fn with_temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// Sets the limit of output tokens.
    pub fn with_max_output_tokens(mut self, tokens: u32) -> Self {
        self.max_output_tokens = Some(tokens);
        self
    }

    /// Sets the texts that end the response.
    pub fn with_stop_sequences<T: Into<String>>(
        mut self,
        texts: impl IntoIterator<Item = T>,
    ) -> Self {
        self.stop_sequences = texts.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the seed, for reproducible responses.
    pub fn with_seed(mut self, seed: i64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets how much to reason, in the provider's words.
    pub fn with_reasoning_effort(mut self, effort: impl Into<String>) -> Self {
        self.reasoning_effort = Some(effort.into());
        self
    }

    /// Asks the provider to cache the beginning of the request.
    pub fn with_prompt_caching(mut self, caching: PromptCaching) -> Self {
        self.prompt_caching = Some(caching);
        self
    }

    /// Sets whether one response may have several calls.
    pub fn with_parallel_tool_calls(mut self, parallel: bool) -> Self {
        self.parallel_tool_calls = Some(parallel);
        self
    }

    /// Adds a tool that the provider runs itself.
    pub fn with_provider_tool(mut self, tool: impl Into<ProviderTool>) -> Self {
        self.provider_tools.push(tool.into());
        self
    }

    /// Adds a field of the provider's own request.
    pub fn with_extra(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.extra.insert(name.into(), value.into());
        self
    }
}

/// The time for which a provider caches the beginning of a request: tools, system text and conversation. Only Anthropic
/// needs this; others cache automatically.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PromptCaching {
    /// Five minutes from its last use.
    FiveMinutes,
    /// An hour from its last use.
    OneHour,
}

/// The choice of tools that a model may or must call. It is stored as `{"type": "auto"}`, `{"type":
/// "none"}`, `{"type": "required"}` or `{"type": "specific", "name": "…"}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "StoredChoice", into = "StoredChoice")]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// No tool may be called.
    None,
    /// At least one tool must be called. Elsewhere called `any`.
    Required,
    /// The tool of this name must be called.
    Tool(String),
}

#[derive(Serialize, Deserialize, Clone)]
#[serde(tag = "type", rename_all = "snake_case")]
enum StoredChoice {
    Auto,
    None,
    Required,
    Specific { name: String },
}

impl From<ToolChoice> for StoredChoice {
    fn from(choice: ToolChoice) -> Self {
        match choice {
            ToolChoice::Auto => Self::Auto,
            ToolChoice::None => Self::None,
            ToolChoice::Required => Self::Required,
            ToolChoice::Tool(name) => Self::Specific { name },
        }
    }
}

impl From<StoredChoice> for ToolChoice {
    fn from(choice: StoredChoice) -> Self {
        match choice {
            StoredChoice::Auto => Self::Auto,
            StoredChoice::None => Self::None,
            StoredChoice::Required => Self::Required,
            StoredChoice::Specific { name } => Self::Tool(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_stored_by_type_and_name() {
        for (choice, stored) in [
            (ToolChoice::Auto, r#"{"type":"auto"}"#),
            (ToolChoice::None, r#"{"type":"none"}"#),
            (ToolChoice::Required, r#"{"type":"required"}"#),
            (
                ToolChoice::Tool("look".into()),
                r#"{"type":"specific","name":"look"}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&choice).expect("serialises"), stored);
            assert_eq!(
                serde_json::from_str::<ToolChoice>(stored).expect("is a choice"),
                choice
            );
        }
    }
}
