//! What a tool returns.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{ToolError, message::Image};

mod into;
pub(crate) mod returned;
mod text;

pub use into::IntoToolOutput;

/// What a tool returns: parts in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolOutput {
    /// The parts; none for a tool that has nothing to say.
    pub parts: Vec<OutputPart>,
}

/// A piece of what a tool returns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
#[non_exhaustive]
pub enum OutputPart {
    /// Text, sent as it is.
    Text(String),
    /// JSON text, sent as it is.
    Json(String),
    /// An image.
    Image(Image),
}

impl ToolOutput {
    /// An output of one text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            parts: vec![OutputPart::Text(text.into())],
        }
    }

    /// An output of one value, as JSON.
    ///
    /// # Errors
    ///
    /// `Unknown`, when the value does not serialise: a map whose keys are not text, for example.
    pub fn json(value: &impl Serialize) -> Result<Self, ToolError> {
        let json = serde_json::to_string(value)?;
        Ok(Self {
            parts: vec![OutputPart::Json(json)],
        })
    }

    /// The text that a model reads: every text and JSON part, each on a line of its own. Images are
    /// left out.
    pub fn to_text(&self) -> Cow<'_, str> {
        let mut texts = self.parts.iter().filter_map(|part| match part {
            OutputPart::Text(text) | OutputPart::Json(text) => Some(text.as_str()),
            OutputPart::Image(_) => None,
        });
        let first = texts.next().unwrap_or_default();
        texts.fold(Cow::Borrowed(first), |all, next| {
            Cow::Owned(format!("{all}\n{next}"))
        })
    }
}

/// The stored form is the list of the parts. `ToolOutput` is not `Serialize` by itself: every
/// serialisable type may be returned from a tool as JSON, and this one must not be.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct StoredOutput<'a>(Cow<'a, [OutputPart]>);

impl<'a> From<&'a ToolOutput> for StoredOutput<'a> {
    fn from(output: &'a ToolOutput) -> Self {
        Self(Cow::Borrowed(&output.parts))
    }
}

impl From<StoredOutput<'_>> for ToolOutput {
    fn from(stored: StoredOutput<'_>) -> Self {
        Self {
            parts: stored.0.into_owned(),
        }
    }
}
