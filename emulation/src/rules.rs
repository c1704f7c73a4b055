//! What a part of a text is that has the form of a call: one table, by which all of this crate decides.

use toolwright_core::tool::Effects;

/// The writer of a text, as far as it says what a call in the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TextSource {
    /// A model that may write its calls in its text. It is the default.
    #[default]
    Other,
    /// A model that is known to call natively: nothing that it writes is a call, and all but its reasoning is given
    /// back as it is.
    Native,
    /// A model that gives an answer in which no call may be: nothing that it writes is a call. The tokens that frame
    /// its message, and what it makes up as the next one, are no part of the answer.
    Answer,
    /// A response to a prompt that asks for calls and nothing else: they need no markers.
    Decision,
}

impl TextSource {
    /// Returns true if something in the text may be a call.
    pub(crate) fn may_call(self) -> bool {
        matches!(self, Self::Other | Self::Decision)
    }
}

/// What stands before a call to show that it is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Nothing, or a code block.
    None,
    /// A tag or a word of a format, such as `<tool_call>` or `Action:`, which a sentence may mention.
    Tag,
    /// A token of a model, or a line that a prompt asked for, such as `[TOOL_CALLS]`.
    Token,
}

/// The way in which a call is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Data that names a tool: JSON, tags, or calls of Python in a list.
    Data,
    /// JSON with more in it than calls, or with the name of a tool as a key.
    Loose,
    /// `f(a=1)`, which is a line of any code.
    Code,
}

/// The place of a call in its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Surroundings {
    /// There is no other text.
    Whole,
    /// On lines of its own.
    Lines,
    /// On a line with sentences that end before it, or begin behind it.
    Beside,
    /// In a sentence, an item of a list, or code within a line.
    Sentence,
    /// Behind the sign of a quotation.
    Quoted,
    /// Behind space that makes it code, or a part of a list.
    Indented,
    /// In a code block with text before and behind it, or with more than the call in it.
    Block,
}

/// The tool that a call names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// One that is on offer and changes nothing.
    Reader,
    /// Another one that is on offer.
    Writer,
    /// One that is not on offer.
    Unknown,
    /// It cannot be read: it is not a call of its format, is cut off, or is too long.
    Unreadable,
    /// None: it says that no tool is called.
    Nothing,
    /// None: it fits the schema of the answer.
    Answer,
}

impl Named {
    pub(crate) fn of(effects: Effects) -> Self {
        match effects {
            Effects::ReadOnly => Self::Reader,
            _ => Self::Writer,
        }
    }
}

/// What a part of a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Is {
    /// A call, or the statement that there is none.
    Call,
    /// A call that is refused, and no text.
    Refused,
    /// Text that was perhaps meant as a call: it is returned as text, and the refused call is
    /// reported.
    Doubt,
    /// Text.
    Text,
}

/// The table. The documentation of `toolwright::emulation` shows it.
#[expect(clippy::match_same_arms, reason = "each row is a rule of its own")]
pub(crate) fn reading(
    source: TextSource,
    mark: Mark,
    form: Form,
    place: Surroundings,
    named: Named,
) -> Is {
    use Named::{Answer, Nothing, Reader, Unknown, Unreadable, Writer};
    use Surroundings::{Block, Indented, Lines, Quoted, Sentence, Whole};

    match (source, mark, form, place, named) {
        (TextSource::Native | TextSource::Answer, ..) => Is::Text,

        // Our own request.
        (TextSource::Decision, Mark::None, Form::Code, Whole, _) if named != Unknown => Is::Call,
        (TextSource::Decision, Mark::None, Form::Code, _, _) => Is::Text,
        (TextSource::Decision, Mark::None, _, Sentence, Unknown) => Is::Text,
        (TextSource::Decision, _, _, _, Reader | Writer | Nothing) => Is::Call,
        (TextSource::Decision, _, _, Sentence, Unreadable) => Is::Text,
        (TextSource::Decision, ..) => Is::Refused,

        (TextSource::Other, _, _, _, Answer) => Is::Text,

        // A marker.
        (TextSource::Other, Mark::Tag | Mark::Token, _, Sentence | Quoted | Block, _) => Is::Text,
        (TextSource::Other, Mark::Tag, _, Indented, _) => Is::Text,
        (TextSource::Other, Mark::Tag | Mark::Token, _, _, Reader | Writer | Nothing) => Is::Call,
        (TextSource::Other, Mark::Tag | Mark::Token, ..) => Is::Refused,

        // None.
        (TextSource::Other, Mark::None, Form::Data, Whole | Lines, Reader) => Is::Call,
        (TextSource::Other, Mark::None, Form::Code, Whole, Reader) => Is::Call,
        (TextSource::Other, Mark::None, Form::Data, Whole | Lines, Unknown | Unreadable) => {
            Is::Doubt
        }
        (TextSource::Other, Mark::None, ..) => Is::Text,
    }
}
