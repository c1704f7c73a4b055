//! Settings of a request in the form of this API, and warnings about those that it does not support.

use serde::Serialize;
use toolwright_core::{
    message::{Message, Turn},
    model::{ModelRequest, ToolChoice, Warning},
};

use super::{DEFAULT_MAX_TOKENS, message::is_thinking, provider_tools::provider_tool};
use crate::codec::provider_tools;

/// The settings of a request, as they are sent.
#[derive(Debug)]
pub(super) struct Settings<'a> {
    pub(super) max_tokens: u32,
    pub(super) temperature: Option<f64>,
    pub(super) stop_sequences: Vec<&'a str>,
    pub(super) thinking: Option<Thinking>,
    pub(super) effort: Option<&'a str>,
    pub(super) choice: Option<Choice<'a>>,
    /// Warnings about settings that are not supported, and about what is done instead.
    pub(super) warnings: Vec<Warning>,
}

/// The setting for thinking: if the model thinks, and how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Thinking {
    Disabled,
    Adaptive,
    Enabled { budget_tokens: u32 },
}

/// The tools that the model may or must call.
#[derive(Debug, Serialize)]
pub(super) struct Choice<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    disable_parallel_tool_use: bool,
}

/// The least budget that is taken.
const LEAST_BUDGET: u32 = 1024;

impl<'a> Settings<'a> {
    pub(super) fn of(request: &'a ModelRequest) -> Self {
        let settings = &request.settings;
        let mut plan = Self {
            max_tokens: 0,
            temperature: settings.temperature,
            stop_sequences: settings.stop_sequences.iter().map(String::as_str).collect(),
            thinking: None,
            effort: None,
            choice: choice(request),
            warnings: Vec::new(),
        };
        match settings.reasoning_effort.as_deref() {
            None => {}
            Some("none") => plan.thinking = Some(Thinking::Disabled),
            Some(effort) => {
                let budget = effort.parse().ok();
                let enabled = |budget_tokens| Thinking::Enabled { budget_tokens };
                plan.thinking = Some(budget.map_or(Thinking::Adaptive, enabled));
                plan.effort = Some(effort).filter(|_| budget.is_none());
            }
        }
        plan.settle_choice(request);
        plan.settle_budget(request);
        plan.settle_the_rest(request);
        plan
    }

    fn warn(&mut self, code: &str, message: impl Into<String>) {
        self.warnings.push(Warning::new(code, message));
    }

    /// Returns true if the model is asked to think, by the setting or by a field of the user's own.
    fn thinks(&self, request: &ModelRequest) -> bool {
        match request.settings.extra.get("thinking") {
            Some(thinking) => thinking["type"] != "disabled",
            None => !matches!(self.thinking, None | Some(Thinking::Disabled)),
        }
    }

    /// The API refuses a forced call together with thinking. The call was asked for of this request,
    /// thinking of all of them: so the call stays, unless thinking is a field of the user's own.
    fn settle_choice(&mut self, request: &ModelRequest) {
        if !self.thinks(request) {
            return;
        }
        let forced = |choice: &&mut Choice<'_>| matches!(choice.r#type, "any" | "tool");
        let Some(choice) = self.choice.as_mut().filter(forced) else {
            return;
        };
        if request.settings.extra.contains_key("thinking") {
            (choice.r#type, choice.name) = ("auto", None);
            self.warn(
                "tool_choice_ignored",
                "Anthropic takes no forced tool choice together with thinking; the model decides",
            );
        } else {
            self.thinking = None;
            self.warn(
                "reasoning_off",
                "Anthropic takes no forced tool choice together with thinking; \
                 this response is made without thinking",
            );
        }
    }

    /// Makes room for thinking: its tokens count among those of the output.
    fn settle_budget(&mut self, request: &ModelRequest) {
        let asked = request.settings.max_output_tokens;
        let Some(Thinking::Enabled { budget_tokens }) = self.thinking else {
            let thinking = match self.thinking {
                Some(Thinking::Adaptive) => DEFAULT_MAX_TOKENS,
                _ => 0,
            };
            self.max_tokens = asked.unwrap_or(DEFAULT_MAX_TOKENS + thinking);
            return;
        };
        let wanted = budget_tokens.max(LEAST_BUDGET);
        self.max_tokens = asked.unwrap_or_else(|| wanted.saturating_add(DEFAULT_MAX_TOKENS));
        let budget = wanted.min(self.max_tokens.saturating_sub(1));
        if budget < LEAST_BUDGET {
            self.thinking = None;
            self.warn(
                "reasoning_off",
                format!(
                    "{} output tokens leave no room for thinking, which takes {LEAST_BUDGET} or more",
                    self.max_tokens
                ),
            );
        } else if !goes_on_thinking(&request.messages) {
            self.thinking = None;
            self.warn(
                "reasoning_off",
                "the calls that were just answered were made without thinking, \
                 and Anthropic takes no thinking in the middle of a turn",
            );
        } else {
            self.thinking = Some(Thinking::Enabled {
                budget_tokens: budget,
            });
            if budget != budget_tokens {
                let message = format!("{budget} tokens for thinking instead of {budget_tokens}");
                self.warn("reasoning_budget", message);
            }
        }
    }

    fn settle_the_rest(&mut self, request: &ModelRequest) {
        if request.settings.seed.is_some() {
            self.warn("seed_ignored", "Anthropic takes no seed");
        }
        let has_own = request.settings.extra.contains_key("temperature");
        if let Some(temperature) = self.temperature.filter(|_| !has_own) {
            if self.thinks(request) {
                // The temperature at which it thinks; any other is refused.
                self.temperature = Some(1.0).filter(|only| temperature.total_cmp(only).is_eq());
                if self.temperature.is_none() {
                    let message = "Anthropic takes no temperature but 1 together with thinking";
                    self.warn("temperature_ignored", message);
                }
            } else if temperature > 1.0 {
                self.temperature = Some(1.0);
                let message = format!("temperature 1 instead of {temperature}: it is the highest");
                self.warn("temperature_lowered", message);
            }
        }
        let asked = self.stop_sequences.len();
        self.stop_sequences.retain(|text| !text.trim().is_empty());
        if self.stop_sequences.len() < asked {
            self.warn(
                "stop_sequence_ignored",
                "Anthropic takes no stop sequence of white space alone",
            );
        }
    }
}

/// Returns the choice of tools that is sent: `None` if the model decides, and without tools.
fn choice(request: &ModelRequest) -> Option<Choice<'_>> {
    let settings = &request.settings;
    let runs_some = provider_tools::has_any(request, provider_tool);
    if request.tools.is_empty() && !runs_some && !settings.extra.contains_key("tools") {
        return None;
    }
    let one_at_a_time = settings.parallel_tool_calls == Some(false);
    let (kind, name) = match &request.tool_choice {
        ToolChoice::Auto if !one_at_a_time => return None,
        ToolChoice::Auto => ("auto", None),
        ToolChoice::Required => ("any", None),
        ToolChoice::Tool(name) => ("tool", Some(name.as_ref())),
        ToolChoice::None => ("none", None),
    };
    Some(Choice {
        r#type: kind,
        name,
        disable_parallel_tool_use: one_at_a_time && kind != "none",
    })
}

/// Returns true if the turn that the request continues began with thinking, or is a new one.
fn goes_on_thinking(messages: &[Message]) -> bool {
    let turns = messages.last().into_iter().flat_map(Message::turns);
    let mut replies = turns
        .filter_map(|turn| match turn {
            Turn::Assistant(parts) => Some(parts.iter().any(is_thinking)),
            _ => None,
        })
        .peekable();
    replies.peek().is_none() || replies.any(|thinks| thinks)
}
