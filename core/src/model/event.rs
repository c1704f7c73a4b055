//! The events that a model streams.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{FinishReason, Usage, Warning};
use crate::message::{Opaque, Part, ProviderActivity};

/// A piece of a response, whichever provider sent it. An [`Assembler`](super::Assembler) makes a
/// [`ModelResponse`](super::ModelResponse) of them, for streamed responses and for whole ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelEvent {
    /// The model that answers, as the provider names it.
    Model(String),
    /// More visible text.
    Text(String),
    /// More reasoning in words.
    Reasoning(String),
    /// More of a refusal's text.
    Refusal(String),
    /// A call begins. Calls are numbered from 0 in the order in which they begin. It comes a second
    /// time for a call whose id became known only after its name, and then replaces the first.
    CallStarted {
        /// The number of the call.
        index: usize,
        /// The provider's id; empty if it gave none.
        id: String,
        /// The name of the tool; empty if the provider gave none.
        name: String,
    },
    /// More of a call's argument text.
    CallArguments {
        /// The number of the call.
        index: usize,
        /// The next piece, not valid JSON by itself.
        text: String,
    },
    /// An image, a document or sound that the model made, whole and at this place of the response:
    /// [`Part::Image`], [`Part::Document`] or [`Part::Audio`]. A part of another kind is left out.
    Media(Box<Part>),
    /// Something for the provider alone, at this place of the response.
    Opaque(Opaque),
    /// An activity of the provider itself at this place of the response, described for people.
    Activity(Box<ProviderActivity>),
    /// Tokens used so far; a later one replaces an earlier one.
    Usage(Box<Usage>),
    /// The number of requests that this response has taken so far, from 1; a later one replaces an earlier one. Only
    /// models that send several requests for one response yield it.
    Requests(u32),
    /// Something worth a look.
    Warning(Warning),
    /// A fact about the response that has no field of its own, such as its id.
    Metadata {
        /// The name of the fact.
        name: String,
        /// Its value.
        value: Value,
    },
    /// The response is whole.
    Finished {
        /// The reason why it ended.
        reason: FinishReason,
        /// The provider's own word for it.
        raw: Option<String>,
    },
}

/// [`ModelEvent::Usage`]
impl From<Usage> for ModelEvent {
    fn from(usage: Usage) -> Self {
        Self::Usage(Box::new(usage))
    }
}

impl ModelEvent {
    /// Returns true for what the user sees of an answer: text, images, documents and sound. A user who has seen some of
    /// it must not see the response begin a second time.
    pub fn is_seen(&self) -> bool {
        match self {
            Self::Text(text) | Self::Refusal(text) => !text.is_empty(),
            Self::Media(part) => part.is_media(),
            _ => false,
        }
    }

    /// True for events that carry no part of the answer, such as an id or usage.
    #[doc(hidden)]
    pub fn is_beside_the_answer(&self) -> bool {
        matches!(
            self,
            Self::Model(_)
                | Self::Metadata { .. }
                | Self::Usage(_)
                | Self::Requests(_)
                | Self::Warning(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::ModelEvent;

    /// A response is thousands of them, each moved from the decoder to the reader.
    #[test]
    #[cfg(target_pointer_width = "64")]
    fn an_event_is_no_larger_than_a_cache_line() {
        assert!(size_of::<ModelEvent>() <= 64);
    }
}
