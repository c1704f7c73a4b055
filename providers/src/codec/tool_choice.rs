//! A choice of tools for a server that knows none: by the tools that are sent, and by a note to the
//! model.

use std::borrow::Cow;

use serde_json::value::RawValue;
use toolwright_core::model::{ModelRequest, ToolChoice, Warning};
use toolwright_json::JsonText;

/// The tools that are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offer {
    None,
    All,
    /// The one at this position.
    One(usize),
}

/// The replacement for a choice of tools, and for calls one at a time.
#[derive(Debug)]
pub(crate) struct Emulated {
    pub(crate) offer: Offer,
    /// The instructions for the model; empty if there are none.
    pub(crate) words: String,
    pub(crate) warnings: Vec<Warning>,
}

impl Offer {
    /// All tools of a request, if there are any.
    pub(crate) fn all(request: &ModelRequest) -> Self {
        if request.tools.is_empty() {
            Self::None
        } else {
            Self::All
        }
    }

    /// The tool of a name alone; all where there is none of the name.
    pub(crate) fn only(request: &ModelRequest, name: &str) -> Self {
        let mut tools = request.tools.iter();
        match tools.position(|tool| tool.name == name) {
            Some(position) => Self::One(position),
            None => Self::all(request),
        }
    }

    /// Returns the tools of a list that are sent; `None` for none.
    pub(crate) fn of(self, list: &JsonText) -> Option<JsonText> {
        match self {
            Self::None => None,
            Self::All => Some(list.clone()),
            Self::One(position) => {
                let tools: Vec<&RawValue> = serde_json::from_str(list.as_str()).unwrap_or_default();
                let one = tools.get(position).map(|tool| JsonText::of(&[tool]));
                Some(one.and_then(Result::ok).unwrap_or_else(|| list.clone()))
            }
        }
    }
}

/// Emulates a choice of tools: tools that may not be called are not sent, and the model is asked in words for
/// the rest. `server` is the name in the warnings.
pub(crate) fn emulated(request: &ModelRequest, server: &str) -> Emulated {
    let mut done = Emulated {
        offer: Offer::all(request),
        words: String::new(),
        warnings: Vec::new(),
    };
    // A list of the user's own is sent as it is.
    let own_list = request.settings.extra.contains_key("tools");
    if request.tools.is_empty() && !own_list {
        return done;
    }
    match &request.tool_choice {
        ToolChoice::Auto => {}
        ToolChoice::None => {
            done.offer = Offer::None;
            let instead = if own_list {
                done.tell("Answer without calling a tool.");
                "the model is told to call nothing"
            } else {
                "no tool is sent, so that none can be called"
            };
            done.warn_of_choice(server, instead);
            return done;
        }
        ToolChoice::Required => {
            done.tell("Answer with a call of at least one of the tools.");
            done.warn_of_choice(server, "the model is told that it must call a tool");
        }
        ToolChoice::Tool(name) => {
            done.offer = Offer::only(request, name);
            done.tell(&format!("Answer with a call of the tool `{name}`."));
            done.warn_of_choice(
                server,
                "no other tool is sent, and the model is told that it must call this one",
            );
        }
    }
    if request.settings.parallel_tool_calls == Some(false) {
        done.tell("Call at most one tool at a time.");
        done.warnings.push(Warning::new(
            "parallel_tool_calls_emulated",
            format!(
                "{server} cannot forbid several calls in a response; the model is told to make one"
            ),
        ));
    }
    done
}

impl Emulated {
    /// The system text with the notes to the model.
    pub(crate) fn told<'a>(&self, system: Option<&'a str>) -> Option<Cow<'a, str>> {
        match (system, self.words.as_str()) {
            (system, "") => system.map(Cow::Borrowed),
            (Some(system), words) if !system.trim().is_empty() => {
                Some(Cow::Owned(format!("{system}\n\n{words}")))
            }
            (_, words) => Some(Cow::Owned(words.to_owned())),
        }
    }

    fn tell(&mut self, words: &str) {
        if !self.words.is_empty() {
            self.words.push(' ');
        }
        self.words.push_str(words);
    }

    fn warn_of_choice(&mut self, server: &str, instead: &str) {
        let message = format!("{server} accepts no tool choice; {instead}");
        let warning = Warning::new("tool_choice_emulated", message);
        self.warnings.push(warning);
    }
}
