//! Settings of a request in the form of a server, and warnings about those that it does not support.

use std::borrow::Cow;

use serde_json::{Value, json};
use toolwright_core::model::{ModelRequest, ToolChoice, Warning};

use crate::codec::{
    openai_models,
    openai_reasoning::Reasoning,
    quirks::{Choosing, Effort, Quirks},
    tool_choice::{Offer, emulated},
};

/// The settings of a request, as they are sent.
#[derive(Debug)]
pub(super) struct Settings<'a> {
    pub(super) system: Option<Cow<'a, str>>,
    pub(super) offer: Offer,
    pub(super) choice: Option<Value>,
    /// How much to reason, with the field that says it.
    pub(super) effort: Option<(&'static str, Value)>,
    pub(super) temperature: Option<f64>,
    /// The number of stop sequences that are sent.
    pub(super) stops: usize,
    /// Warnings about settings that are not supported, and about what is done instead.
    pub(super) warnings: Vec<Warning>,
}

impl<'a> Settings<'a> {
    /// `is_custom` says of the name of a tool whether it is sent as a custom tool.
    pub(super) fn of(
        model: &str,
        request: &'a ModelRequest,
        quirks: &Quirks,
        is_custom: &dyn Fn(&str) -> bool,
    ) -> Self {
        let reasoning = Reasoning::of(model, &request.settings);
        let mut plan = Self {
            system: request.system.as_deref().map(Cow::Borrowed),
            offer: Offer::all(request),
            choice: None,
            effort: None,
            temperature: reasoning.temperature,
            stops: request.settings.stop_sequences.len(),
            warnings: Vec::new(),
        };
        if quirks.choice == Choosing::None {
            let done = emulated(request, quirks.name);
            plan.system = done.told(request.system.as_deref());
            plan.offer = done.offer;
            plan.warnings = done.warnings;
        } else if !request.tools.is_empty() {
            plan.choose(request, quirks, is_custom);
        }
        plan.settle_effort(request, reasoning.effort, quirks);
        plan.warnings.extend(reasoning.warnings);
        plan.count_stops(model, quirks);
        plan
    }

    /// Says that some stop sequences are not sent.
    fn count_stops(&mut self, model: &str, quirks: &Quirks) {
        let most = if openai_models::reasons(model).refuses_stops() {
            0
        } else {
            quirks.most_stops
        };
        let left_out = self.stops.saturating_sub(most);
        if left_out > 0 {
            let message = match most {
                0 => format!("`{model}` takes no stop sequences"),
                most => format!(
                    "{} takes {most} stop sequences; {left_out} after these are not sent",
                    quirks.name
                ),
            };
            let warning = Warning::new("stop_sequence_ignored", message);
            self.warnings.push(warning);
        }
        self.stops -= left_out;
    }

    /// `auto` is what every server does by itself, and some do not know the word.
    fn choose(
        &mut self,
        request: &'a ModelRequest,
        quirks: &Quirks,
        is_custom: &dyn Fn(&str) -> bool,
    ) {
        let (any, typed) = match quirks.choice {
            Choosing::All { required, typed } => (required, Some(typed)),
            Choosing::Words | Choosing::None => ("required", None),
        };
        self.choice = match &request.tool_choice {
            ToolChoice::None => Some("none".into()),
            ToolChoice::Auto | ToolChoice::Required if request.allowed_tools.is_some() => {
                Some(allowed(request, is_custom))
            }
            ToolChoice::Auto => None,
            ToolChoice::Required => Some(any.into()),
            ToolChoice::Tool(name) => Some(match typed {
                Some(true) => named(name, is_custom),
                Some(false) => json!({"function": {"name": name}}),
                None => self.choose_alone(request, name, quirks, any),
            }),
        };
    }

    /// Requires a call, and sends one tool alone.
    fn choose_alone(
        &mut self,
        request: &ModelRequest,
        name: &str,
        quirks: &Quirks,
        any: &'static str,
    ) -> Value {
        self.offer = Offer::only(request, name);
        let message = format!(
            "{} accepts no name in a tool choice; the tool is sent alone and a call is required",
            quirks.name
        );
        let warning = Warning::new("tool_choice_emulated", message);
        self.warnings.push(warning);
        any.into()
    }

    fn settle_effort(&mut self, request: &ModelRequest, effort: Option<&str>, quirks: &Quirks) {
        let Some(effort) = effort else {
            return;
        };
        match quirks.effort {
            Effort::Word => self.effort = Some(("reasoning_effort", effort.into())),
            Effort::Object => self.effort = Some(("reasoning", json!({"effort": effort}))),
            Effort::Switch => {
                let forced = matches!(
                    request.tool_choice,
                    ToolChoice::Required | ToolChoice::Tool(_)
                );
                let is_refused = forced && self.choice.is_some();
                if is_refused && effort != "none" {
                    let message = format!(
                        "{} takes no forced tool choice together with thinking; this response is made \
                         without thinking",
                        quirks.name
                    );
                    self.warnings.push(Warning::new("reasoning_off", message));
                }
                let is_off = is_refused || effort == "none";
                let switch = if is_off { "disabled" } else { "enabled" };
                self.effort = Some(("thinking", json!({"type": switch})));
            }
        }
    }
}

/// The tools that may be called, of those in the list (openai-python, `types/chat/chat_completion_allowed_tools_param.py`).
fn allowed(request: &ModelRequest, is_custom: &dyn Fn(&str) -> bool) -> Value {
    let names = request.allowed_tools.iter().flatten();
    let tools = names.filter(|name| request.tools.iter().any(|tool| tool.name == **name));
    let tools = tools.map(|name| named(name, is_custom));
    let tools: Vec<_> = tools.collect();
    if tools.is_empty() {
        return "none".into();
    }
    let mode = match request.tool_choice {
        ToolChoice::Required => "required",
        _ => "auto",
    };
    json!({"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": tools}})
}

/// A tool by its name.
fn named(name: &str, is_custom: &dyn Fn(&str) -> bool) -> Value {
    let kind = if is_custom(name) {
        "custom"
    } else {
        "function"
    };
    json!({"type": kind, kind: {"name": name}})
}
