//! Changes to one request of a run.

use serde::{Deserialize, Serialize};

use crate::model::{ModelSettings, ToolChoice};

/// Changes to the next request of a run, from the hook before the request. Settings that are not set stay as they are.
/// The plan is recorded in the log, and applies to this request and its retries.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RequestPlan {
    /// The names of the tools that are offered; all by default. Unknown names have no effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// The tools that the model may or must call, in the place of
    /// [`RunConfig::tool_choice`](super::RunConfig::tool_choice). A tool that is named here is offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// The name of another model of the runner.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The settings of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<ModelSettings>,
    /// Instructions for this request. The model reads them after the conversation; they are not a part of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
    /// The reason why the run ends here instead: see [`Finish::Stopped`](super::Finish::Stopped).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
}

impl RequestPlan {
    /// A plan that changes nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// A plan that ends the run, for this reason.
    pub fn end(reason: impl Into<String>) -> Self {
        Self {
            end: Some(reason.into()),
            ..Self::default()
        }
    }

    /// Offers only the tools of these names.
    pub fn with_tools<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.tools = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Sets the tools that the model may or must call.
    pub fn with_tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = Some(choice);
        self
    }

    /// Sends the request to another model of the runner.
    pub fn with_model(mut self, name: impl Into<String>) -> Self {
        self.model = Some(name.into());
        self
    }

    /// Sets the settings of the request.
    pub fn with_settings(mut self, settings: ModelSettings) -> Self {
        self.settings = Some(settings);
        self
    }

    /// Adds instructions for this request.
    pub fn with_instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// Returns true if the tool of a name is offered.
    pub fn offers(&self, name: &str) -> bool {
        let is_chosen = matches!(&self.tool_choice, Some(ToolChoice::Tool(tool)) if tool == name);
        let Some(tools) = &self.tools else {
            return true;
        };
        is_chosen || tools.iter().any(|tool| tool == name)
    }
}
