//! Messages of a conversation, and their parts.
//!
//! [`Message`](crate::Message) and [`Conversation`](crate::Conversation) are at the root of the crate.

#[doc(hidden)]
pub use toolwright_core::message::ToolRoundsIter;
pub use toolwright_core::message::{
    AssistantMessage, Audio, Citation, Document, FileSource, Image, Opaque, Part, ProviderActivity,
    SharedVec, Source, ToolActivity, ToolRound, ToolRounds, Turn, UserMessage, calls_of, text_of,
};
pub use toolwright_core::{Compaction, ConversationError, ResultCut};
