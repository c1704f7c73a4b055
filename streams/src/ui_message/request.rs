//! What a chat client sends, and what of it is believed.

mod approvals;
pub(crate) mod raw_list;
pub(crate) mod user_message;

use serde::Deserialize;
use serde_json::value::RawValue;

pub use approvals::ApprovalClaims;

use crate::claims::Refused;
use toolwright_core::UserMessage;

/// The bounds of a request of a chat client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChatRequestLimits {
    /// The longest body, in bytes; 8 MiB by default. Clients send all messages of the conversation each time.
    pub body_bytes: usize,
    /// The longest text of the new message, in bytes; 256 KiB by default.
    pub text_bytes: usize,
    /// The most images of the new message; 8 by default.
    pub images: usize,
    /// The most documents and recordings of the new message; 4 by default.
    pub files: usize,
    /// The most decisions and outputs of calls in one step; 1024 by default.
    pub claims: usize,
    /// The longest answer of a call of an external tool, in bytes; 1 MiB by default.
    pub answer_bytes: usize,
}

impl Default for ChatRequestLimits {
    fn default() -> Self {
        Self {
            body_bytes: 8 << 20,
            text_bytes: 256 << 10,
            images: 8,
            files: 4,
            claims: 1024,
            answer_bytes: 1 << 20,
        }
    }
}

/// A request of a chat client, such as the default transport of `useChat` sends it.
///
/// Of its messages only the newest is read: the conversation is what the store has. A client can alter everything.
#[doc(alias = "useChat")]
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ChatRequest {
    /// The id of the chat. Check that it is one of the user's own.
    pub chat_id: String,
    /// What the client wants.
    pub content: ChatRequestContent,
}

/// What a chat client wants.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ChatRequestContent {
    /// An answer to a new message.
    Message(NewMessage),
    /// To go on with a run that waits, with decisions about its calls or answers of calls of external tools.
    Approvals(ApprovalClaims),
    /// Another answer to a question.
    ///
    /// A run is made anew by a run with the same question on the version of the conversation that it had. Both are in
    /// its first record and in the entry of it in its store.
    Regenerate {
        /// The id of the message that is to be another one; `None` for the last. It is the id of its run, if that is the id of
        /// the message.
        message_id: Option<String>,
        /// The id of the message of the assistant before the question, as the client has it; `None` if there is none.
        after: Option<String>,
    },
}

/// A new message of the user.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NewMessage {
    /// The id that the client gave it.
    pub id: String,
    /// The message.
    pub message: UserMessage,
    /// The id of the message of the assistant before it, as the client has it; `None` if there is none. If it is not
    /// that of the last run of the conversation, the user has edited an earlier question, or writes in a page that is not up
    /// to date.
    pub after: Option<String>,
    /// The id of the question that it takes the place of, if the user has edited one: all that came after that is gone in
    /// the client.
    pub replaces: Option<String>,
}

/// A request of a chat client that is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChatRequestError {
    /// The body is longer than it may be. Answer with the status 413.
    #[error("the request is longer than {max} bytes")]
    TooLong {
        /// The longest body, in bytes.
        max: usize,
    },
    /// The body is none of a chat client.
    #[error("not a request of a chat client: {0}")]
    Malformed(String),
    /// There is no message.
    #[error("the request has no message")]
    NoMessage,
    /// The new message has a part that is not taken.
    #[error("the message has {0}, which is not accepted")]
    Part(String),
    /// The new message says nothing.
    #[error("the message is empty")]
    Empty,
    /// The decisions are about another message than that of the run. Answer with the status 409.
    #[error("the decisions are for another message")]
    OtherMessage,
    /// A decision is for an approval that was not requested. Respond with the status 409.
    #[error("unknown approval `{0}`")]
    UnknownApproval(String),
    /// Another decision was made before. Respond with the status 409.
    #[error("the approval `{0}` was decided already")]
    DecidedBefore(String),
    /// The call that the client shows is not the one that waits: its id, its tool or its arguments are others.
    #[error("the call of the approval `{0}` differs from the one that the client shows")]
    Altered(String),
    /// There are more decisions and outputs than may be. Answer with the status 413.
    #[error("the request has more than {max} decisions and outputs in one step")]
    TooManyClaims {
        /// The most that may be.
        max: usize,
    },
    /// The answer of a call is too long. Answer with the status 413.
    #[error("the answer of a call is longer than {max} bytes")]
    AnswerTooLong {
        /// The longest answer, in bytes.
        max: usize,
    },
    /// There is nothing that is new.
    #[error("the request has no new decision and no new answer")]
    NothingNew,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    id: String,
    #[serde(borrow)]
    messages: &'a RawValue,
    #[serde(default)]
    trigger: Option<String>,
    #[serde(default)]
    message_id: Option<String>,
}

/// All that is read of the messages before the newest.
#[derive(Deserialize)]
struct Header {
    id: String,
    role: String,
}

#[derive(Deserialize)]
struct Message<'a> {
    id: String,
    role: String,
    #[serde(borrow)]
    parts: &'a RawValue,
}

/// The newest message, and the id of the last message of the assistant before it.
#[derive(Default)]
struct Newest<'a> {
    message: Option<&'a RawValue>,
    after: Option<String>,
}

impl<'a> Newest<'a> {
    fn of(messages: &'a RawValue) -> Result<Self, ChatRequestError> {
        let mut newest = Self::default();
        raw_list::each(messages, |message| {
            if let Some(before) = newest.message.replace(message)
                && let Ok(header) = serde_json::from_str::<Header>(before.get())
                && header.role == "assistant"
            {
                newest.after = Some(header.id);
            }
            Ok(())
        })?;
        Ok(newest)
    }
}

impl ChatRequest {
    /// Reads the body of a request.
    ///
    /// # Errors
    ///
    /// When it is too long, or none of a chat client, and when the new message has parts that are not taken: other ones
    /// than texts and images in `data:` URLs. Addresses of images are not taken, since a provider or this program would
    /// fetch them.
    pub fn from_json(body: &[u8], limits: &ChatRequestLimits) -> Result<Self, ChatRequestError> {
        if body.len() > limits.body_bytes {
            let max = limits.body_bytes;
            return Err(ChatRequestError::TooLong { max });
        }
        let body: Body<'_> = serde_json::from_slice(body).map_err(malformed)?;
        let newest = Newest::of(body.messages)?;
        let after = newest.after;
        let newest = newest.message.ok_or(ChatRequestError::NoMessage)?;
        let newest: Message<'_> = serde_json::from_str(newest.get()).map_err(malformed)?;
        let chat_id = body.id;
        if body.trigger.as_deref() == Some("regenerate-message") {
            let message_id = body.message_id;
            let content = ChatRequestContent::Regenerate { message_id, after };
            return Ok(Self { chat_id, content });
        }
        let content = match newest.role.as_str() {
            "user" => ChatRequestContent::Message(NewMessage {
                message: user_message::of_parts(newest.parts, limits)?,
                after,
                id: newest.id,
                replaces: body.message_id,
            }),
            "assistant" => ChatRequestContent::Approvals(ApprovalClaims::of_parts(
                newest.id,
                newest.parts,
                limits,
            )?),
            role => {
                let message = format!("the newest message has the role `{}`", short(role));
                return Err(ChatRequestError::Malformed(message));
            }
        };
        Ok(Self { chat_id, content })
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is given to `map_err`")]
pub(crate) fn malformed(error: serde_json::Error) -> ChatRequestError {
    ChatRequestError::Malformed(error.to_string())
}

/// The longest reason of a denial, and the longest piece of a request in an error, in bytes.
const SHORT_BYTES: usize = 4096;

/// The error of a claim that is refused, with the id that it is about.
pub(crate) fn refused(id: &str) -> impl FnOnce(Refused) -> ChatRequestError {
    move |why| match why {
        Refused::Decided => ChatRequestError::DecidedBefore(short(id).to_owned()),
        Refused::Unknown => ChatRequestError::UnknownApproval(short(id).to_owned()),
    }
}

pub(crate) fn short(text: &str) -> &str {
    &text[..toolwright_json::char_boundary::floor(text, SHORT_BYTES)]
}
