//! What a client of AG-UI sends, and what of it is believed.

mod claims;

use serde::Deserialize;
use serde_json::value::RawValue;

pub use claims::AgUiClaims;

use crate::AgUiStream;
use crate::ui_message::{
    ChatRequestError, ChatRequestLimits, NewMessage,
    request::{malformed, raw_list, short, user_message::TakenParts},
};
use toolwright_core::UserMessage;

/// A request of a client of AG-UI: its `RunAgentInput`.
///
/// Of its messages only the newest is read: the conversation is what the store has. Its state, its tools, its context and what
/// it forwards are not read. A client can alter everything.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AgUiRequest {
    /// The id of the conversation. Check that it is one of the user's own.
    pub thread_id: String,
    /// The id that the client gave its request. Let the stream of the answer have it.
    pub run_id: String,
    /// The id of the request that it continues, from the client.
    pub parent_run_id: Option<String>,
    /// The version that the client speaks, such as `1.0`; `None` for clients before 1.0, such as that of CopilotKit 1.75.
    pub protocol_version: Option<String>,
    /// What the client wants.
    pub content: AgUiRequestContent,
}

/// What a client of AG-UI wants.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AgUiRequestContent {
    /// An answer to a new message.
    Message(NewMessage),
    /// Decisions or answers for a run that waits.
    Claims(AgUiClaims),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    thread_id: String,
    run_id: String,
    #[serde(default)]
    parent_run_id: Option<String>,
    #[serde(default)]
    protocol_version: Option<String>,
    #[serde(borrow)]
    messages: &'a RawValue,
    #[serde(borrow, default)]
    resume: Option<&'a RawValue>,
}

/// What is read of a message.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a> {
    id: String,
    role: String,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    tool_call_id: Option<String>,
    error: Option<String>,
}

#[derive(Deserialize)]
struct ContentPart<'a> {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    #[serde(borrow, default)]
    source: Option<Source<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Source<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(borrow, default)]
    value: Option<std::borrow::Cow<'a, str>>,
    mime_type: Option<String>,
}

impl AgUiRequest {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// When it is too long, or not a `RunAgentInput`; when it has neither a new user message nor decisions or answers,
    /// or has both; when the new message has parts that are not accepted: anything but text, and images, documents and
    /// sound as bytes. AG-UI has no name of a document.
    pub fn from_json(body: &[u8], limits: &ChatRequestLimits) -> Result<Self, ChatRequestError> {
        if body.len() > limits.body_bytes {
            let max = limits.body_bytes;
            return Err(ChatRequestError::TooLong { max });
        }
        let body: Body<'_> = serde_json::from_slice(body).map_err(malformed)?;
        let mut claims = AgUiClaims::new(limits);
        let (mut newest, mut after) = (None, None);
        raw_list::each(body.messages, |message| {
            let message: Message<'_> = serde_json::from_str(message.get()).map_err(malformed)?;
            match message.role.as_str() {
                "tool" => claims.answered(message)?,
                "user" => {
                    claims.forget_answers();
                    newest = Some((message.id, message.content));
                }
                "assistant" => {
                    claims.forget_answers();
                    newest = None;
                    after = Some(message.id);
                }
                // Reasoning and activities of the run stand between.
                _ => {}
            }
            Ok(())
        })?;
        if let Some(resume) = body.resume {
            claims.resumed(resume)?;
        }
        let content = if claims.is_empty() {
            let (id, content) = newest.ok_or(ChatRequestError::NoMessage)?;
            let message = user_message(content, limits)?;
            AgUiRequestContent::Message(NewMessage {
                id,
                message,
                after,
                replaces: None,
            })
        } else if newest.is_some() && after.is_some() {
            // Before the first message of the assistant it is the question of the run that waits.
            let message = "the request has both a new user message and decisions or answers: send one or the other";
            return Err(ChatRequestError::Malformed(message.to_owned()));
        } else {
            AgUiRequestContent::Claims(claims)
        };
        Ok(Self {
            thread_id: body.thread_id,
            run_id: body.run_id,
            parent_run_id: body.parent_run_id,
            protocol_version: body.protocol_version,
            content,
        })
    }

    /// The stream of the answer: with the ids of the request, in the version that its client speaks.
    pub fn stream(&self) -> AgUiStream {
        let mut stream = AgUiStream::new(&*self.thread_id, &*self.run_id);
        if let Some(parent) = &self.parent_run_id {
            stream = stream.with_parent(parent);
        }
        match self.protocol_version {
            Some(_) => stream.for_version_1(),
            None => stream,
        }
    }
}

fn user_message(
    content: Option<&RawValue>,
    limits: &ChatRequestLimits,
) -> Result<UserMessage, ChatRequestError> {
    let content = content.ok_or(ChatRequestError::Empty)?;
    let mut taken = TakenParts::new(limits);
    if let Ok(text) = serde_json::from_str::<String>(content.get()) {
        taken.text(text)?;
        return taken.message();
    }
    raw_list::each(content, |part| {
        let part: ContentPart<'_> = serde_json::from_str(part.get()).map_err(malformed)?;
        match (part.kind.as_str(), part.text, part.source) {
            ("text", Some(text), _) => taken.text(text),
            ("image", _, Some(source)) => match (source.kind.as_str(), source.value) {
                ("data", Some(data)) => {
                    taken.image(source.mime_type.as_deref().unwrap_or_default(), &data)
                }
                (kind, _) => Err(ChatRequestError::Part(format!(
                    "an image by its `{}`",
                    short(kind)
                ))),
            },
            ("document" | "audio", _, Some(source)) => match (source.kind.as_str(), source.value) {
                ("data", Some(data)) => {
                    let media_type = source.mime_type.as_deref().unwrap_or_default();
                    taken.file(media_type, &data, None)
                }
                (kind, _) => Err(ChatRequestError::Part(format!(
                    "a file by its `{}`",
                    short(kind)
                ))),
            },
            (kind, ..) => Err(TakenParts::other(kind)),
        }
    })?;
    taken.message()
}
