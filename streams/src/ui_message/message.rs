//! A message as a client of the AI SDK has it.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap};
use toolwright_json::JsonText;

use super::{
    call_places::CallPlaces,
    chunk::{UserPart, of_user},
    partial_json,
};
use toolwright_core::UserMessage;

/// A message as a client of the AI SDK has it: its `UIMessage`, with `id`, `role` and `parts`.
///
/// One of the assistant is put together of the chunks of a [`UiMessageStream`](super::UiMessageStream), by the rules of the
/// client: [`apply`](Self::apply). A server answers with such messages when a page is loaded, of a run by
/// [`UiMessageStream::into_message`](super::UiMessageStream::into_message).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use toolwright::{ModelResponse, Runner, streams::{UiMessageStream, ui_message::UiMessage}, testing::ScriptedModel};
///
/// let model = ScriptedModel::new([ModelResponse::from_text("Hello.")]);
/// let mut run = Runner::builder(model).build()?.start("Say hello.");
///
/// let mut stream = UiMessageStream::new("m1");
/// let mut message = UiMessage::assistant("m1");
/// while let Some(event) = run.next().await {
///     for frame in stream.push(&event) {
///         message.take(&frame)?;
///     }
/// }
/// let json = serde_json::to_value(&message)?;
/// assert_eq!(json["parts"][1], serde_json::json!({"type": "text", "text": "Hello.", "state": "done"}));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UiMessage {
    id: String,
    role: UiRole,
    parts: Vec<UiPart>,
    /// The places of the texts that are open, by their ids.
    #[serde(skip)]
    pub(super) texts: BTreeMap<String, usize>,
    #[serde(skip)]
    pub(super) reasoning: BTreeMap<String, usize>,
    #[serde(skip)]
    pub(super) calls: CallPlaces,
    #[serde(skip)]
    pub(super) is_version_7: bool,
}

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UiRole {
    /// The user.
    User,
    /// The model, with the calls of it and their results.
    Assistant,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum UiPart {
    /// A text.
    Text {
        /// The text.
        text: String,
        /// `None` in a message of the user.
        state: Option<UiTextState>,
    },
    /// Reasoning.
    Reasoning {
        /// The id of it in its stream.
        id: String,
        /// The text.
        text: String,
        /// The state.
        state: UiTextState,
    },
    /// An image, a document or sound.
    File {
        /// Its media type; `image/*` if it is not known.
        media_type: String,
        /// Its name, if it is a document of the user that has one.
        filename: Option<String>,
        /// Its address.
        url: String,
    },
    /// A page that the text before it cites.
    SourceUrl {
        /// The id of the part.
        source_id: String,
        /// Its address.
        url: String,
        /// Its title, if it is known.
        title: Option<String>,
    },
    /// A file without an address that the text before it cites.
    SourceDocument {
        /// The id of the part.
        source_id: String,
        /// Its media type.
        media_type: String,
        /// Its name.
        title: String,
    },
    /// A response of the model begins.
    StepStart,
    /// A call: `tool-<name>`.
    Tool(UiToolPart),
    /// A message of the user during the run, for `ai` 7.
    SteeringMessage {
        /// The id of the message.
        id: String,
        /// The texts and images.
        parts: Vec<UserPart>,
    },
    /// Something of this crate: `data-<name>`.
    Data {
        /// The type, with `data-`.
        kind: &'static str,
        /// The id of the part.
        id: String,
        /// The data.
        data: JsonText,
    },
}

/// The state of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UiTextState {
    /// More may come.
    Streaming,
    /// It is whole.
    Done,
}

/// A call in a message.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct UiToolPart {
    /// The name of the tool.
    pub tool_name: String,
    /// The id of the call.
    pub tool_call_id: String,
    /// The state.
    pub state: UiToolState,
    /// The arguments, once they are whole.
    pub input: Option<JsonText>,
    /// The text of the arguments while they come, and of those that are no JSON.
    pub raw_input: Option<String>,
    /// The output, or the updates of the call so far.
    pub output: Option<JsonText>,
    /// The error.
    pub error_text: Option<String>,
    /// True if the output is not final.
    pub is_preliminary: bool,
    /// True if the provider runs the tool itself.
    pub is_provider_executed: bool,
    /// The approval that was requested last.
    pub approval: Option<UiApproval>,
}

/// The state of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UiToolState {
    /// The arguments come.
    InputStreaming,
    /// The arguments are whole.
    InputAvailable,
    /// It needs an approval.
    ApprovalRequested,
    /// A decision was made.
    ApprovalResponded,
    /// There is an output.
    OutputAvailable,
    /// It failed.
    OutputError,
    /// It was denied.
    OutputDenied,
}

/// An approval in a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct UiApproval {
    /// The id with which the client answers.
    pub id: String,
    /// True if the call was approved; `None` if the stream has no decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved: Option<bool>,
    /// The reason of a denial.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl UiMessage {
    fn new(id: String, role: UiRole, parts: Vec<UiPart>) -> Self {
        Self {
            id,
            role,
            parts,
            texts: BTreeMap::new(),
            reasoning: BTreeMap::new(),
            calls: CallPlaces::default(),
            is_version_7: false,
        }
    }

    /// A message of the user.
    pub fn user(id: impl Into<String>, message: &UserMessage) -> Self {
        let parts = of_user(message).into_iter().map(|part| match part {
            UserPart::Text { text } => UiPart::Text { text, state: None },
            UserPart::File {
                media_type,
                filename,
                url,
            } => UiPart::File {
                media_type,
                filename,
                url,
            },
        });
        Self::new(id.into(), UiRole::User, parts.collect())
    }

    /// A message of the assistant, of which nothing has come yet.
    pub fn assistant(id: impl Into<String>) -> Self {
        Self::new(id.into(), UiRole::Assistant, Vec::new())
    }

    /// Takes chunks as `ai` 7 does, which stores arguments that are not JSON elsewhere.
    #[must_use = "the message is changed by value"]
    pub fn for_version_7(mut self) -> Self {
        self.is_version_7 = true;
        self
    }

    /// The id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The author.
    pub fn role(&self) -> UiRole {
        self.role
    }

    /// The parts, in order.
    pub fn parts(&self) -> &[UiPart] {
        &self.parts
    }

    /// Takes approvals out that `validateUIMessages` refuses beside the state of their call: a call that goes on or has an
    /// output was approved, one that was denied was not.
    pub(super) fn settle_approvals(&mut self) {
        for part in &mut self.parts {
            let UiPart::Tool(part) = part else { continue };
            let approved = part.approval.as_ref().and_then(|it| it.approved);
            let fits = match part.state {
                UiToolState::InputStreaming | UiToolState::InputAvailable => false,
                UiToolState::ApprovalRequested | UiToolState::ApprovalResponded => true,
                UiToolState::OutputAvailable | UiToolState::OutputError => approved == Some(true),
                UiToolState::OutputDenied => approved == Some(false),
            };
            if !fits {
                part.approval = None;
            }
        }
    }

    pub(super) fn set_id(&mut self, id: &str) {
        id.clone_into(&mut self.id);
    }

    pub(super) fn parts_mut(&mut self) -> &mut Vec<UiPart> {
        &mut self.parts
    }
}

impl Serialize for UiPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Text { text, state } => {
                map.serialize_entry("type", "text")?;
                map.serialize_entry("text", text)?;
                entry(&mut map, "state", state.as_ref())?;
            }
            Self::Reasoning { id, text, state } => {
                map.serialize_entry("type", "reasoning")?;
                map.serialize_entry("id", id)?;
                map.serialize_entry("text", text)?;
                map.serialize_entry("state", state)?;
            }
            Self::File {
                media_type,
                filename,
                url,
            } => {
                map.serialize_entry("type", "file")?;
                map.serialize_entry("mediaType", media_type)?;
                entry(&mut map, "filename", filename.as_ref())?;
                map.serialize_entry("url", url)?;
            }
            Self::SourceUrl {
                source_id,
                url,
                title,
            } => {
                map.serialize_entry("type", "source-url")?;
                map.serialize_entry("sourceId", source_id)?;
                map.serialize_entry("url", url)?;
                entry(&mut map, "title", title.as_ref())?;
            }
            Self::SourceDocument {
                source_id,
                media_type,
                title,
            } => {
                map.serialize_entry("type", "source-document")?;
                map.serialize_entry("sourceId", source_id)?;
                map.serialize_entry("mediaType", media_type)?;
                map.serialize_entry("title", title)?;
            }
            Self::StepStart => map.serialize_entry("type", "step-start")?,
            Self::Tool(part) => part.entries(&mut map)?,
            Self::SteeringMessage { id, parts } => {
                map.serialize_entry("type", "steering-message")?;
                map.serialize_entry("id", id)?;
                map.serialize_entry("parts", parts)?;
            }
            Self::Data { kind, id, data } => {
                map.serialize_entry("type", kind)?;
                map.serialize_entry("id", id)?;
                map.serialize_entry("data", data)?;
            }
        }
        map.end()
    }
}

impl UiToolPart {
    /// The arguments as far as they are known. Of those that still come, this is what has come so far.
    pub fn known_input(&self) -> Option<JsonText> {
        match (self.state, &self.raw_input) {
            (UiToolState::InputStreaming, Some(text)) => partial_json::read(text),
            _ => self.input.clone(),
        }
    }

    fn entries<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("type", &format!("tool-{}", self.tool_name))?;
        map.serialize_entry("toolCallId", &self.tool_call_id)?;
        map.serialize_entry("state", &self.state)?;
        entry(map, "input", self.known_input().as_ref())?;
        entry(map, "rawInput", self.raw_input.as_ref())?;
        entry(map, "output", self.output.as_ref())?;
        entry(map, "errorText", self.error_text.as_ref())?;
        entry(map, "preliminary", self.is_preliminary.then_some(&true))?;
        let executed = self.is_provider_executed.then_some(&true);
        entry(map, "providerExecuted", executed)?;
        entry(map, "approval", self.approval.as_ref())
    }
}

fn entry<M: SerializeMap>(
    map: &mut M,
    key: &'static str,
    value: Option<&impl Serialize>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(key, value))
}
