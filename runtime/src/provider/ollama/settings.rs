//! What the settings of a request mean to this API, and what it cannot do.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    message::{Image, Part, Turn},
    model::{ModelRequest, ToolChoice, Warning},
    tool::ToolResult,
};

/// The settings of a request, as they are sent.
#[derive(Debug)]
pub(super) struct Settings<'a> {
    /// The system text, with what the API has no field for.
    pub(super) system: Option<Cow<'a, str>>,
    pub(super) offer: Offer,
    pub(super) think: Option<Think<'a>>,
    pub(super) options: Map<String, Value>,
    /// What cannot be done, and what is done instead.
    pub(super) warnings: Vec<Warning>,
}

/// Which of the tools are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offer {
    None,
    All,
    /// The one at this position.
    One(usize),
}

/// Whether the model thinks, or how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(super) enum Think<'a> {
    Switch(bool),
    Effort(&'a str),
}

impl<'a> Settings<'a> {
    pub(super) fn of(request: &'a ModelRequest) -> Self {
        let settings = &request.settings;
        let mut plan = Self {
            system: request.system.as_deref().map(Cow::Borrowed),
            offer: if request.tools.is_empty() {
                Offer::None
            } else {
                Offer::All
            },
            think: settings.reasoning_effort.as_deref().map(think),
            options: options(request),
            warnings: Vec::new(),
        };
        plan.settle_choice(request);
        plan.settle_the_rest(request);
        plan
    }

    fn warn(&mut self, code: &str, message: impl Into<String>) {
        self.warnings.push(Warning::new(code, message));
    }

    /// Tells the model what there is no field for.
    fn tell(&mut self, words: &str) {
        match &mut self.system {
            Some(system) if !system.trim().is_empty() => {
                let system = system.to_mut();
                system.push_str("\n\n");
                system.push_str(words);
            }
            system => *system = Some(Cow::Owned(words.to_owned())),
        }
    }

    /// The API has no choice of tools. What may not be called is not sent, and the rest is asked for
    /// in words.
    fn settle_choice(&mut self, request: &ModelRequest) {
        const CODE: &str = "tool_choice_emulated";
        // A list of the user's own is sent as it is.
        let own_list = request.settings.extra.contains_key("tools");
        if request.tools.is_empty() && !own_list {
            return;
        }
        match &request.tool_choice {
            ToolChoice::Auto => {}
            ToolChoice::None if own_list => {
                self.tell("Answer without calling a tool.");
                self.warn(
                    CODE,
                    "Ollama takes no tool choice; the model is told to call nothing",
                );
                return;
            }
            ToolChoice::None => {
                self.offer = Offer::None;
                self.warn(
                    CODE,
                    "Ollama takes no tool choice; no tool is sent, so that none can be called",
                );
                return;
            }
            ToolChoice::Required => {
                self.tell("Answer with a call of at least one of the tools.");
                self.warn(
                    CODE,
                    "Ollama takes no tool choice; the model is told that it must call a tool",
                );
            }
            ToolChoice::Tool(name) => {
                let mut tools = request.tools.iter();
                if let Some(position) = tools.position(|tool| tool.name == *name) {
                    self.offer = Offer::One(position);
                }
                self.tell(&format!("Answer with a call of the tool `{name}`."));
                self.warn(
                    CODE,
                    "Ollama takes no tool choice; no other tool is sent, and the model is told that \
                     it must call this one",
                );
            }
        }
        if request.settings.parallel_tool_calls == Some(false) {
            self.tell("Call at most one tool at a time.");
            self.warn(
                "parallel_tool_calls_emulated",
                "Ollama cannot forbid several calls in a reply; the model is told to make one",
            );
        }
    }

    fn settle_the_rest(&mut self, request: &ModelRequest) {
        let strict = request.tools.iter().filter(|tool| tool.strict.is_some());
        let strict = strict.count();
        if strict > 0 && self.offer != Offer::None {
            self.warn(
                "not_strict",
                format!(
                    "Ollama enforces no schema of a tool; `strict` is not sent ({strict} tools)"
                ),
            );
        }
        let addresses = images(request)
            .filter(|image| matches!(image, Image::Url { .. }))
            .count();
        if addresses > 0 {
            self.warn(
                "image_not_sent",
                format!(
                    "Ollama fetches no images; the model is told the address instead ({addresses} \
                     images)"
                ),
            );
        }
    }
}

/// What an effort is called here: a switch, or a level of the model's own.
fn think(effort: &str) -> Think<'_> {
    match effort {
        "none" | "false" => Think::Switch(false),
        "true" => Think::Switch(true),
        effort => Think::Effort(effort),
    }
}

fn options(request: &ModelRequest) -> Map<String, Value> {
    let settings = &request.settings;
    let stop = &settings.stop_sequences;
    let fields = [
        ("temperature", settings.temperature.map(Value::from)),
        ("num_predict", settings.max_output_tokens.map(Value::from)),
        ("stop", (!stop.is_empty()).then(|| stop.clone().into())),
        ("seed", settings.seed.map(Value::from)),
    ];
    fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect()
}

/// The images that are sent with a request, in messages and in results.
fn images(request: &ModelRequest) -> impl Iterator<Item = &Image> {
    let turns = request.messages.iter().flat_map(|message| message.turns());
    turns.flat_map(|turn| {
        let (parts, results) = match turn {
            Turn::User(parts) => (parts, &[][..]),
            Turn::Assistant(_) => (&[][..], &[][..]),
            Turn::Results(round) => (&[][..], &round.results[..]),
        };
        let said = parts.iter().filter_map(|part| match part {
            Part::Image(image) => Some(image),
            _ => None,
        });
        said.chain(results.iter().flat_map(ToolResult::images))
    })
}
