//! The messages of a conversation, made of ordered parts.

mod activity;
pub(crate) mod digest;
mod memo;
mod shared_vec;
mod tool_rounds;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use crate::document::{Audio, Document, FileSource};
pub use crate::image::Image;
pub use activity::{Citation, ProviderActivity, Source, ToolActivity};
pub use shared_vec::SharedVec;
pub use tool_rounds::{ToolRounds, ToolRoundsIter};

use crate::tool::{ToolCall, ToolResult};

/// One message of a conversation.
///
/// An assistant message holds its tool rounds and its final response. Results are stored with their calls, in the
/// [`ToolRound`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum Message {
    /// A message of the user.
    User(UserMessage),
    /// The tool rounds and the final response of the model.
    Assistant(AssistantMessage),
}

/// A message of the user.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct UserMessage {
    /// Text, images, documents and sound, in order.
    pub parts: SharedVec<Part>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
}

impl UserMessage {
    /// Creates a message of several parts. A message with only text is made from a string.
    pub fn new(parts: impl IntoIterator<Item = Part>) -> Self {
        Self {
            parts: parts.into_iter().collect(),
            refusal: None,
        }
    }

    /// Returns what the user reads, if a check of the application refused the message. Its parts are then what is
    /// stored in its place.
    pub fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// Marks the message as refused, with what the user reads. A run that begins with it sends no request, and ends with
    /// [`Finish::InputRefused`](crate::run::Finish::InputRefused). In a run under way it is recorded, and the model is
    /// not sent it. The parts have to be free of what was refused.
    pub fn with_refusal(mut self, reply: impl Into<String>) -> Self {
        self.refusal = Some(reply.into());
        self
    }
}

impl<T: Into<String>> From<T> for UserMessage {
    fn from(text: T) -> Self {
        Self::new([Part::Text(text.into())])
    }
}

/// The tool rounds and the final response of the model, in answer to one user message.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct AssistantMessage {
    /// The rounds of tool calls, oldest first.
    #[serde(default, skip_serializing_if = "ToolRounds::is_empty")]
    pub tool_rounds: ToolRounds,
    /// The final response; empty during the rounds, and after a run that ended without one.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub parts: SharedVec<Part>,
}

impl AssistantMessage {
    /// The text of the final response; empty if there is none.
    pub fn text(&self) -> String {
        text_of(&self.parts)
    }
}

/// One model response with at least one call, and the results of its calls.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ToolRound {
    /// The response, in order: text, reasoning, calls and opaque parts.
    pub reply: SharedVec<Part>,
    /// The results, in the order of the calls; empty while the calls wait for them.
    pub results: SharedVec<ToolResult>,
}

impl ToolRound {
    /// The calls of the response, in order.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        calls_of(&self.reply)
    }

    /// Each call with its result; nothing while the calls wait.
    pub fn answered_calls(&self) -> impl Iterator<Item = (&ToolCall, &ToolResult)> {
        self.calls().zip(&self.results)
    }

    /// The text that the model wrote in addition to its calls; empty if there is none.
    pub fn text(&self) -> String {
        text_of(&self.reply)
    }
}

/// A part of a message. The order of the parts never changes: providers that sign their reasoning refuse
/// a response that comes back in another order.
///
/// Results of calls are not parts. They are in their [`ToolRound`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Part {
    /// Visible text.
    Text(String),
    /// Reasoning that the provider shows in words. Elsewhere called thinking.
    Reasoning(String),
    /// A request to run a tool.
    Call(ToolCall),
    /// An image.
    Image(#[serde(with = "Image")] Image),
    /// A document.
    Document(#[serde(with = "Document")] Document),
    /// Recorded sound.
    Audio(#[serde(with = "Audio")] Audio),
    /// Data that only its provider can read.
    Opaque(Opaque),
    /// An activity of the provider, for display. It is sent to no model.
    Activity(Box<ProviderActivity>),
}

impl Part {
    /// Returns true for an image, a document or sound.
    pub fn is_media(&self) -> bool {
        matches!(self, Self::Image(_) | Self::Document(_) | Self::Audio(_))
    }

    /// The media type of an image, a document or sound; `None` where it is not known, and for any other part.
    pub fn media_type(&self) -> Option<&str> {
        match self {
            Self::Image(Image::Base64 { media_type, .. }) => Some(media_type),
            Self::Document(document) => Some(&document.media_type),
            Self::Audio(audio) => Some(&audio.media_type),
            _ => None,
        }
    }

    /// The length of the bytes of an image, a document or sound, in base64, or of its address.
    #[doc(hidden)]
    pub fn media_len(&self) -> usize {
        match self {
            Self::Image(Image::Base64 { data, .. }) => data.len(),
            Self::Image(Image::Url { url }) => url.len(),
            Self::Document(document) => document.source.len(),
            Self::Audio(audio) => audio.source.len(),
            _ => 0,
        }
    }
}

/// Data that only its provider can read and that has to go back to it unchanged: signatures, encrypted reasoning, calls
/// that the provider ran itself. It is sent back in its place, and left out for every other provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opaque {
    /// The codec that made it, such as `openai_chat`.
    pub provider: String,
    /// The content, in that codec's own terms.
    pub data: Value,
}

/// Joins the visible text of a response; pieces follow each other with nothing between.
pub fn text_of(parts: &[Part]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    let mut all = String::with_capacity(texts.clone().map(str::len).sum());
    texts.for_each(|text| all.push_str(text));
    all
}

/// The calls of a response, in order.
pub fn calls_of(parts: &[Part]) -> impl Iterator<Item = &ToolCall> {
    parts.iter().filter_map(|part| match part {
        Part::Call(call) => Some(call),
        _ => None,
    })
}

/// A part of a conversation as it is sent: the history of every provider is a sequence of turns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Turn<'a> {
    /// The parts of a message of the user.
    User(&'a [Part]),
    /// A response of the model, with or without calls.
    Assistant(&'a [Part]),
    /// The results of the calls of the response just before.
    Results(&'a ToolRound),
}

impl Message {
    /// A user's message.
    pub fn user(message: impl Into<UserMessage>) -> Self {
        Self::User(message.into())
    }

    /// A model's response of text alone.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::Assistant(AssistantMessage {
            tool_rounds: ToolRounds::new(),
            parts: [Part::Text(text.into())].into(),
        })
    }

    /// The message as the turns that a provider is sent: for an assistant message each round's
    /// response and results, then the final response. A round whose results are missing is left out
    /// together with its calls.
    pub fn turns(&self) -> impl Iterator<Item = Turn<'_>> {
        let (user, assistant) = match self {
            Self::User(message) => (Some(Turn::User(&message.parts)), None),
            Self::Assistant(message) => (None, Some(message)),
        };
        let rounds = assistant
            .into_iter()
            .flat_map(|message| &message.tool_rounds);
        let last = assistant
            .map(|message| &message.parts[..])
            .filter(|parts| !parts.is_empty());
        user.into_iter()
            .chain(
                rounds
                    .filter(|round| round.results.len() == round.calls().count())
                    .flat_map(|round| [Turn::Assistant(&round.reply), Turn::Results(round)]),
            )
            .chain(last.map(Turn::Assistant))
    }
}
