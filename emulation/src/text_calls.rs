//! What a text is, after it was read: calls, text, reasoning, and calls that were refused.

use toolwright_core::ToolCall;

/// The content of a text that a model wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TextCalls {
    /// The calls, in order. An id is there if the model wrote one; it is empty otherwise.
    pub calls: Vec<ToolCall>,
    /// The text for the user: all but calls, refused calls, their markup and reasoning, without space around it.
    pub text: String,
    /// The thinking that the model wrote as text, such as `<think>…</think>`.
    pub reasoning: String,
    /// The calls that the model attempted and that are not used, in order. The first 1,000 are kept.
    pub refused: Vec<RefusedCall>,
    /// The name of the format of the first call, or of the first refused one.
    pub format: Option<&'static str>,
}

/// A call that a model attempted and that is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedCall {
    /// The name that the model wrote, if it could be read.
    pub name: Option<String>,
    /// The arguments as JSON, if they could be read.
    pub arguments: Option<String>,
    /// The reason.
    pub reason: RefusalReason,
    /// The text of the attempt, up to 4 KiB of it.
    pub text: String,
    /// True if the attempt is also in the text for the user: it has no marker, and may be none.
    pub is_text: bool,
}

/// The reason why a call is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalReason {
    /// No tool of this name is declared.
    UnknownTool,
    /// The call cannot be read: the fault, in words for a model.
    Malformed(String),
    /// The text ends before the call does.
    CutOff,
    /// The call is longer than the limit.
    TooLong,
}

/// A part of a text that is known before the text ends.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextPiece {
    /// Text for the user.
    Text(String),
    /// Reasoning.
    Reasoning(String),
    /// All text before was reasoning: its end was marked, and its start was not. Templates that write `<think>`
    /// for the model cause it. Calls before it were drafts.
    TextWasReasoning,
}

/// The rest of a text that was read in pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TextEnd {
    /// The last pieces.
    pub pieces: Vec<TextPiece>,
    /// The calls; see [`TextCalls::calls`].
    pub calls: Vec<ToolCall>,
    /// The refused calls; see [`TextCalls::refused`].
    pub refused: Vec<RefusedCall>,
    /// The format; see [`TextCalls::format`].
    pub format: Option<&'static str>,
    /// The text of the calls and the refused calls, with their markers.
    pub(crate) written: String,
}
