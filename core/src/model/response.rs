//! The assembled response of a model.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Assembler, ModelEvent, Usage};
use crate::{
    message::{Citation, Part, ProviderActivity, SharedVec, calls_of, text_of},
    tool::ToolCall,
};

/// The assembled response of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelResponse {
    /// The visible text of the parts; empty for a response of calls alone, never absent.
    pub text: String,
    /// The response in order, as it goes back into the conversation.
    pub parts: SharedVec<Part>,
    /// The calls among the parts, in order. They repeat the parts: to change a response, change its parts.
    pub tool_calls: SharedVec<ToolCall>,
    /// The text of the refusal, if the model refused explicitly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The model that answered, as the provider names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Tokens, if the provider reports them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The number of requests for the response: more than 1 only for a model that sends several, such as an emulated
    /// one. [`usage`](Self::usage) is the sum of all.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub requests: u32,
    /// The reason why the response ended.
    pub finish_reason: FinishReason,
    /// The provider's own word for the reason, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_finish_reason: Option<String>,
    /// The warnings about this response.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// Facts that have no field of their own, such as the response's id. The headers of the HTTP answer that name the
    /// request and the rate limits are the object [`HEADERS`](Self::HEADERS).
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
}

/// An empty response of one request.
impl Default for ModelResponse {
    fn default() -> Self {
        Self {
            text: String::new(),
            parts: SharedVec::default(),
            tool_calls: SharedVec::default(),
            refusal: None,
            model: None,
            usage: None,
            requests: 1,
            finish_reason: FinishReason::default(),
            raw_finish_reason: None,
            warnings: Vec::new(),
            metadata: Map::new(),
        }
    }
}

impl ModelResponse {
    /// The name of the [metadata](Self::metadata) with the headers of the HTTP answer that name the request and the rate
    /// limits: `x-request-id`, `x-ratelimit-remaining-requests` and the like, each with its value as a string.
    pub const HEADERS: &'static str = "headers";

    /// Returns the id that the provider gave the request, for its support. It is not that of the response.
    pub fn request_id(&self) -> Option<&str> {
        request_id(self.metadata.get(Self::HEADERS)?.as_object()?)
    }

    /// Creates a response of parts. Its reason is `ToolCalls` if it has a call, and otherwise `Stop`.
    pub fn new(parts: Vec<Part>) -> Self {
        let tool_calls: Vec<_> = calls_of(&parts).cloned().collect();
        let finish_reason = if tool_calls.is_empty() {
            FinishReason::Stop
        } else {
            FinishReason::ToolCalls
        };
        Self {
            text: text_of(&parts),
            parts: parts.into(),
            tool_calls: tool_calls.into(),
            finish_reason,
            ..Self::default()
        }
    }

    /// Creates a response with only text.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self::new(vec![Part::Text(text.into())])
    }

    /// Creates a response with only calls.
    pub fn from_calls(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self::new(calls.into_iter().map(Part::Call).collect())
    }

    /// Sets why the response ended.
    pub fn with_finish_reason(mut self, reason: FinishReason) -> Self {
        self.finish_reason = reason;
        self
    }

    /// Sets the tokens used.
    pub fn with_usage(mut self, usage: Usage) -> Self {
        self.usage = Some(usage);
        self
    }

    /// Sets the number of requests that the response took.
    pub fn with_requests(mut self, requests: u32) -> Self {
        self.requests = requests;
        self
    }

    /// Returns true if the response has calls that should run. Calls of a response that was cut off, filtered or
    /// refused do not run; otherwise they run, whatever the finish reason is.
    pub fn requires_tool_execution(&self) -> bool {
        !self.tool_calls.is_empty() && !self.finish_reason.forbids_execution()
    }

    /// Normalizes the response: its text and its calls repeat the parts, a refusal is visible and comes without an
    /// answer, and citations refer to the text.
    ///
    /// What comes from outside passes here once: from an [`Assembler`], from a model that makes its responses by other
    /// means, from a driver by hand, from a store.
    #[doc(hidden)]
    pub fn normalized(mut self) -> Self {
        self.refusal = self.refusal.filter(|text| !is_blank(text));
        if self.is_refusal() && self.parts.iter().any(is_text) {
            // What cannot be seen is not what it says.
            self.parts.to_mut().retain(|part| !is_text(part));
        }
        if self.refusal.is_some() && self.finish_reason == FinishReason::Stop {
            self.finish_reason = FinishReason::Refusal;
        }
        self.repeat_parts();
        self.bound_citations();
        self
    }

    /// Returns true if the text and the calls repeat the parts.
    pub(crate) fn repeats_parts(&self) -> bool {
        calls_of(&self.parts).eq(&self.tool_calls) && is_text_of(&self.text, &self.parts)
    }

    /// Changes the parts. The text and the calls follow.
    #[doc(hidden)]
    pub fn change_parts(&mut self, change: impl FnOnce(&mut Vec<Part>)) {
        change(self.parts.to_mut());
        self.repeat_parts();
    }

    fn repeat_parts(&mut self) {
        if !calls_of(&self.parts).eq(&self.tool_calls) {
            self.tool_calls = calls_of(&self.parts).cloned().collect();
        }
        if !is_text_of(&self.text, &self.parts) {
            self.text = text_of(&self.parts);
        }
    }

    /// Takes back the ranges of citations that are none of the text: a provider may count otherwise.
    fn bound_citations(&mut self) {
        let Self { text, parts, .. } = self;
        let is_astray = |part: &Part| match part {
            Part::Activity(activity) => match &**activity {
                ProviderActivity::Citation(Citation { range, .. }) => {
                    range.clone().is_some_and(|range| text.get(range).is_none())
                }
                ProviderActivity::Tool(_) => false,
            },
            _ => false,
        };
        if !parts.iter().any(is_astray) {
            return;
        }
        for part in parts.to_mut().iter_mut().filter(|part| is_astray(part)) {
            if let Part::Activity(activity) = part
                && let ProviderActivity::Citation(citation) = &mut **activity
            {
                citation.range = None;
            }
        }
    }

    /// Returns true if the response has something for the user: visible text, or media.
    pub(crate) fn answers(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Text(text) => !is_blank(text),
            part => part.is_media(),
        })
    }

    /// Returns true if the response has an explicit refusal and nothing else for the user.
    pub(crate) fn is_refusal(&self) -> bool {
        let refusal = self.refusal.as_deref();
        refusal.is_some_and(|refusal| !is_blank(refusal)) && !self.answers()
    }

    /// Returns the text, or the refusal if there is no text.
    pub fn text_or_refusal(&self) -> &str {
        match &self.refusal {
            Some(refusal) if self.text.is_empty() => refusal,
            _ => &self.text,
        }
    }

    /// The response as the events that make it: what a model that does not stream yields.
    pub fn into_events(self) -> Vec<ModelEvent> {
        let mut events = Vec::with_capacity(self.parts.len() + 4);
        events.extend(self.model.map(ModelEvent::Model));
        let mut calls = 0;
        for part in self.parts {
            match part {
                Part::Text(text) => events.push(ModelEvent::Text(text)),
                Part::Reasoning(text) => events.push(ModelEvent::Reasoning(text)),
                Part::Opaque(opaque) => events.push(ModelEvent::Opaque(opaque)),
                Part::Activity(activity) => events.push(ModelEvent::Activity(activity)),
                Part::Call(ToolCall {
                    id,
                    name,
                    arguments,
                }) => {
                    events.push(ModelEvent::CallStarted {
                        index: calls,
                        id,
                        name,
                    });
                    events.push(ModelEvent::CallArguments {
                        index: calls,
                        text: arguments,
                    });
                    calls += 1;
                }
                Part::Image(_) | Part::Document(_) | Part::Audio(_) => {
                    events.push(ModelEvent::Media(Box::new(part)));
                }
            }
        }
        events.extend(self.refusal.map(ModelEvent::Refusal));
        events.extend(self.warnings.into_iter().map(ModelEvent::Warning));
        events.extend(
            self.metadata
                .into_iter()
                .map(|(name, value)| ModelEvent::Metadata { name, value }),
        );
        events.extend(self.usage.map(ModelEvent::from));
        if self.requests != 1 {
            events.push(ModelEvent::Requests(self.requests));
        }
        events.push(ModelEvent::Finished {
            reason: self.finish_reason,
            raw: self.raw_finish_reason,
        });
        events
    }
}

/// The headers that name a request.
pub const REQUEST_IDS: [&str; 7] = [
    "x-request-id",
    "request-id",
    "apim-request-id",
    "x-ms-request-id",
    "x-amzn-requestid",
    "mistral-correlation-id",
    "cf-ray",
];

/// The id of a request among the headers of its answer. The first that is there counts: what stands in front of a provider
/// adds its own.
pub(super) fn request_id(headers: &Map<String, Value>) -> Option<&str> {
    let mut values = REQUEST_IDS
        .iter()
        .filter_map(|name| headers.get(*name)?.as_str());
    values.next()
}

fn one() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_one(requests: &u32) -> bool {
    *requests == 1
}

/// Returns true if nothing of a text can be seen.
pub(crate) fn is_blank(text: &str) -> bool {
    let unseen = |char: char| {
        char.is_whitespace()
            || char.is_control()
            || matches!(char, '\u{ad}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
    };
    text.chars().all(unseen)
}

fn is_text(part: &Part) -> bool {
    matches!(part, Part::Text(_))
}

/// Returns true if a string is the visible text of the parts. It does not build that text.
fn is_text_of(text: &str, parts: &[Part]) -> bool {
    let rest = parts.iter().try_fold(text, |rest, part| match part {
        Part::Text(piece) => rest.strip_prefix(piece.as_str()),
        _ => Some(rest),
    });
    rest == Some("")
}

impl FromIterator<ModelEvent> for ModelResponse {
    fn from_iter<I: IntoIterator<Item = ModelEvent>>(events: I) -> Self {
        let mut assembler = Assembler::new();
        events.into_iter().for_each(|event| assembler.push(event));
        assembler.finish()
    }
}

/// The reason why a response ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FinishReason {
    /// The model finished its answer, or wrote a stop sequence.
    Stop,
    /// The model calls tools.
    ToolCalls,
    /// The limit of output tokens, or of the context, cut the response off.
    Length,
    /// The provider's filter stopped it.
    ContentFilter,
    /// The model refused.
    Refusal,
    /// The provider paused a long turn: send the response back to continue it.
    Paused,
    /// The model wrote a call that the provider could not read.
    MalformedCall,
    /// Opaque parts of the response ask the program for an action that no tool has, such as a command of the provider's
    /// shell or an approval of the provider's call.
    ActionRequired,
    /// There is no answer yet: the provider continues in the background.
    Pending,
    /// The provider's reason is unknown, or does not fit a response with calls. The calls do not run.
    Unknown,
    /// Another reason, or none.
    #[default]
    Other,
}

impl FinishReason {
    /// Returns true if calls of a response that ended for this reason must not run: they may be incomplete or
    /// unwanted.
    pub const fn forbids_execution(self) -> bool {
        matches!(
            self,
            Self::Length
                | Self::ContentFilter
                | Self::Refusal
                | Self::MalformedCall
                | Self::Pending
                | Self::Unknown
        )
    }
}

/// A notice about a response: a setting that had no effect, or was replaced by another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Warning {
    /// A short name for programs, such as `unknown_part`.
    pub code: String,
    /// A sentence for people.
    pub message: String,
}

impl Warning {
    /// A warning from its name and its sentence.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}
