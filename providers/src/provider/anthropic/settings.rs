//! Settings of a request in the form of this API, and warnings about those that it does not support.

use serde::Serialize;
use toolwright_core::{
    message::{Message, Turn},
    model::{ModelRequest, ToolChoice, Warning},
};

use super::{
    DEFAULT_MAX_TOKENS,
    generation::{self, Generation, Thinks},
    message::is_thinking,
    provider_tools::provider_tool,
};
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
    /// What the model takes.
    generation: Generation,
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

/// The budgets of efforts. With the tokens of the answer the highest stays below the limit of the smallest models, 32,000.
const BUDGETS: [(&str, u32); 3] = [("low", 1024), ("medium", 8192), ("high", 16_384)];

/// The budget of an effort beyond these.
const MOST_OF_AN_EFFORT: u32 = 23_552;

impl<'a> Settings<'a> {
    pub(super) fn of(model: &str, request: &'a ModelRequest) -> Self {
        let settings = &request.settings;
        let mut plan = Self {
            max_tokens: 0,
            temperature: settings.temperature,
            stop_sequences: settings.stop_sequences.iter().map(String::as_str).collect(),
            thinking: None,
            effort: None,
            choice: choice(request),
            generation: generation::of(model),
            warnings: Vec::new(),
        };
        match settings.reasoning_effort.as_deref() {
            None => {}
            Some("none") => plan.settle_off(),
            Some(effort) => match effort.parse() {
                Ok(budget) => plan.settle_tokens(budget),
                Err(_) => plan.settle_effort(effort),
            },
        }
        plan.settle_choice(request);
        plan.settle_budget(request);
        plan.settle_the_rest(request);
        plan
    }

    fn warn(&mut self, code: &str, message: impl Into<String>) {
        self.warnings.push(Warning::new(code, message));
    }

    /// Turns thinking off, as far as the model can do without.
    fn settle_off(&mut self) {
        match self.generation.thinks {
            Thinks::Never | Thinks::ByEffort => {}
            Thinks::ByBudget | Thinks::Either | Thinks::ByItself => {
                self.thinking = Some(Thinking::Disabled);
            }
            Thinks::Always => {
                self.effort = Some("low");
                let message = "the model always thinks; it is asked to with the effort `low`";
                self.warn("reasoning_on", message);
            }
        }
    }

    /// Asks for thinking by a budget, or by the effort that is closest.
    fn settle_tokens(&mut self, budget_tokens: u32) {
        match self.generation.thinks {
            Thinks::Never => self.warn_of_no_thinking(),
            Thinks::ByBudget | Thinks::Either => {
                self.thinking = Some(Thinking::Enabled { budget_tokens });
            }
            Thinks::ByEffort | Thinks::ByItself | Thinks::Always => {
                let of_budget = BUDGETS.iter().find(|(_, most)| budget_tokens <= *most);
                let effort = of_budget.map_or("max", |(effort, _)| effort);
                (self.thinking, self.effort) = (Some(Thinking::Adaptive), Some(effort));
                let message = format!(
                    "the effort `{effort}` instead of {budget_tokens} tokens: the model takes no budget for thinking"
                );
                self.warn("reasoning_budget", message);
            }
        }
    }

    /// Asks for thinking by an effort, or by its budget.
    fn settle_effort(&mut self, effort: &'a str) {
        if self.generation.thinks == Thinks::Never {
            return self.warn_of_no_thinking();
        }
        if self.generation.thinks == Thinks::ByBudget {
            let of_effort = BUDGETS.iter().find(|(name, _)| *name == effort);
            let budget_tokens = match (effort, of_effort) {
                ("minimal", _) => LEAST_BUDGET,
                (_, Some((_, budget))) => *budget,
                (_, None) => MOST_OF_AN_EFFORT,
            };
            self.thinking = Some(Thinking::Enabled { budget_tokens });
            return;
        }
        let instead = match effort {
            "minimal" => Some("low"),
            "xhigh" if !self.generation.xhigh => Some("high"),
            _ => None,
        };
        if let Some(instead) = instead {
            let message = format!(
                "the effort `{instead}` instead of `{effort}`, which the model does not take"
            );
            self.warn("reasoning_effort", message);
        }
        self.thinking = Some(Thinking::Adaptive);
        self.effort = Some(instead.unwrap_or(effort));
    }

    fn warn_of_no_thinking(&mut self) {
        let message = "the model does not think; the reasoning effort is not sent";
        self.warn("reasoning_off", message);
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
        let may_think = self.thinks(request)
            || matches!(self.generation.thinks, Thinks::ByItself | Thinks::Always)
                && self.thinking != Some(Thinking::Disabled);
        if !may_think {
            return;
        }
        let forced = |choice: &&mut Choice<'_>| matches!(choice.r#type, "any" | "tool");
        let Some(choice) = self.choice.as_mut().filter(forced) else {
            return;
        };
        let thinks = self.generation.thinks;
        let is_own = request.settings.extra.contains_key("thinking");
        if is_own || !self.generation.forces {
            (choice.r#type, choice.name) = ("auto", None);
            let message = if is_own {
                "Anthropic takes no forced tool choice together with thinking; the model decides"
            } else {
                "the model takes no forced tool choice, and decides"
            };
            self.warn("tool_choice_ignored", message);
        } else if thinks != Thinks::Always {
            self.thinking = (thinks == Thinks::ByItself).then_some(Thinking::Disabled);
            // Without thinking no more is taken.
            self.effort = self.effort.map(|effort| match effort {
                "xhigh" | "max" if thinks == Thinks::ByItself => "high",
                effort => effort,
            });
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
            let thinks = match (self.thinking, self.generation.thinks) {
                (Some(thinking), _) => thinking == Thinking::Adaptive,
                (None, thinks) => matches!(thinks, Thinks::ByItself | Thinks::Always),
            };
            let thinking = if thinks { DEFAULT_MAX_TOKENS } else { 0 };
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
            if !self.generation.samples {
                self.temperature = Some(1.0).filter(|only| temperature.total_cmp(only).is_eq());
                if self.temperature.is_none() {
                    let message = "the model takes no temperature but 1";
                    self.warn("temperature_ignored", message);
                }
            } else if self.thinks(request) {
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
