//! Settings of a request in the form of a server, and warnings about those that it does not support.

use std::borrow::Cow;

use serde::Serialize;
use toolwright_runtime::model::{ModelRequest, ToolChoice, Warning};

use crate::codec::{
    quirks::{Choosing, Effort, Quirks},
    tool_choice::{Offer, emulated},
};

/// The settings of a request, as they are sent.
#[derive(Debug)]
pub(super) struct Settings<'a> {
    pub(super) system: Option<Cow<'a, str>>,
    pub(super) offer: Offer,
    pub(super) choice: Option<Choice<'a>>,
    pub(super) effort: Option<&'a str>,
    pub(super) reasoning: Option<Reasoning<'a>>,
    pub(super) thinking: Option<Thinking>,
    /// Warnings about settings that are not supported, and about what is done instead.
    pub(super) warnings: Vec<Warning>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Choice<'a> {
    Word(&'static str),
    Named {
        #[serde(skip_serializing_if = "Option::is_none")]
        r#type: Option<&'static str>,
        function: Named<'a>,
    },
}

#[derive(Debug, Serialize)]
pub(super) struct Named<'a> {
    name: &'a str,
}

/// OpenRouter's field.
#[derive(Debug, Serialize)]
pub(super) struct Reasoning<'a> {
    effort: &'a str,
}

/// DeepSeek's field.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Thinking {
    Enabled,
    Disabled,
}

impl<'a> Settings<'a> {
    pub(super) fn of(request: &'a ModelRequest, quirks: &Quirks) -> Self {
        let mut plan = Self {
            system: request.system.as_deref().map(Cow::Borrowed),
            offer: Offer::all(request),
            choice: None,
            effort: None,
            reasoning: None,
            thinking: None,
            warnings: Vec::new(),
        };
        if quirks.choice == Choosing::None {
            let done = emulated(request, quirks.name);
            plan.system = done.told(request.system.as_deref());
            plan.offer = done.offer;
            plan.warnings = done.warnings;
        } else if !request.tools.is_empty() {
            plan.choose(request, quirks);
        }
        plan.settle_effort(request, quirks);
        plan
    }

    /// `auto` is what every server does by itself, and some do not know the word.
    fn choose(&mut self, request: &'a ModelRequest, quirks: &Quirks) {
        let (any, typed) = match quirks.choice {
            Choosing::All { required, typed } => (required, Some(typed)),
            Choosing::Words | Choosing::None => ("required", None),
        };
        self.choice = match &request.tool_choice {
            ToolChoice::Auto => None,
            ToolChoice::None => Some(Choice::Word("none")),
            ToolChoice::Required => Some(Choice::Word(any)),
            ToolChoice::Tool(name) => Some(match typed {
                Some(typed) => Choice::Named {
                    r#type: typed.then_some("function"),
                    function: Named { name },
                },
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
    ) -> Choice<'a> {
        self.offer = Offer::only(request, name);
        let message = format!(
            "{} takes no name in a tool choice; the tool is sent alone and a call is required",
            quirks.name
        );
        let warning = Warning::new("tool_choice_emulated", message);
        self.warnings.push(warning);
        Choice::Word(any)
    }

    fn settle_effort(&mut self, request: &'a ModelRequest, quirks: &Quirks) {
        let Some(effort) = request.settings.reasoning_effort.as_deref() else {
            return;
        };
        match quirks.effort {
            Effort::Word => self.effort = Some(effort),
            Effort::Object => self.reasoning = Some(Reasoning { effort }),
            Effort::Switch if effort == "none" => self.thinking = Some(Thinking::Disabled),
            Effort::Switch => {
                let forced = matches!(
                    request.tool_choice,
                    ToolChoice::Required | ToolChoice::Tool(_)
                );
                if forced && self.choice.is_some() {
                    self.thinking = Some(Thinking::Disabled);
                    let message = format!(
                        "{} takes no forced tool choice together with thinking; this reply is made \
                         without thinking",
                        quirks.name
                    );
                    self.warnings.push(Warning::new("reasoning_off", message));
                } else {
                    self.thinking = Some(Thinking::Enabled);
                }
            }
        }
    }
}
