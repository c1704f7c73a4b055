//! The output of a tool.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};

use crate::{
    ToolError,
    document::{Audio, Document},
    image::Image,
};

mod deliver;
mod into;
mod json;
pub(crate) mod returned;
pub(crate) mod schema;
pub(crate) mod stored;
mod text;
mod updates;

pub use deliver::Deliver;
pub(crate) use deliver::yield_once;
pub use into::IntoToolOutput;
pub use json::Json;
pub use updates::Updates;

/// The output of a tool: parts in order.
///
/// ```
/// use toolwright::{ToolOutput, message::Image};
///
/// let output = ToolOutput::text("The sales of this year:")
///     .with_json(&[3, 5, 8])?
///     .with_image(Image::from_url("https://example.com/sales.png"));
/// assert_eq!(output.parts.len(), 3);
/// # Ok::<(), toolwright::ToolError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolOutput {
    /// The parts; none for a tool that has nothing to say.
    pub parts: Vec<OutputPart>,
}

/// A piece of what a tool returns. A tool may return one as it is.
///
/// Like [`ToolOutput`] it is not `Serialize` by itself, so that it is never returned as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    remote = "Self",
    tag = "type",
    content = "content",
    rename_all = "snake_case"
)]
#[non_exhaustive]
pub enum OutputPart {
    /// Text, sent as it is.
    Text(String),
    /// JSON text, sent as it is.
    Json(String),
    /// An image.
    Image(#[serde(with = "Image")] Image),
    /// A document.
    Document(#[serde(with = "Document")] Document),
    /// Recorded sound.
    Audio(#[serde(with = "Audio")] Audio),
}

impl OutputPart {
    /// Returns true for an image, a document and sound.
    pub fn is_media(&self) -> bool {
        !matches!(self, Self::Text(_) | Self::Json(_))
    }

    /// The same part, with its texts, addresses and names changed, and its JSON by a way of its own.
    #[doc(hidden)]
    pub fn with_texts(
        self,
        text: impl Fn(String) -> String,
        json: impl FnOnce(String) -> Self,
    ) -> Self {
        match self {
            Self::Text(words) => Self::Text(text(words)),
            Self::Json(value) => json(value),
            Self::Image(Image::Url { url }) => Self::Image(Image::Url { url: text(url) }),
            Self::Image(image @ Image::Base64 { .. }) => Self::Image(image),
            Self::Document(mut document) => {
                document.source = document.source.map_url(&text);
                document.name = document.name.map(text);
                Self::Document(document)
            }
            Self::Audio(mut audio) => {
                audio.source = audio.source.map_url(text);
                Self::Audio(audio)
            }
        }
    }
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
        Self::default().with_json(value)
    }

    /// An output of one image.
    pub fn image(image: Image) -> Self {
        Self::default().with_image(image)
    }

    /// Adds a text.
    pub fn with_text(self, text: impl Into<String>) -> Self {
        self.with_part(OutputPart::Text(text.into()))
    }

    /// Adds a value, as JSON.
    ///
    /// # Errors
    ///
    /// `Unknown`, when the value does not serialise: a map whose keys are not text, for example.
    pub fn with_json(self, value: &impl Serialize) -> Result<Self, ToolError> {
        let json = text::json_text(value)?;
        Ok(self.with_part(OutputPart::Json(json)))
    }

    /// Adds an image.
    pub fn with_image(self, image: Image) -> Self {
        self.with_part(OutputPart::Image(image))
    }

    /// Adds a document.
    pub fn with_document(self, document: Document) -> Self {
        self.with_part(OutputPart::Document(document))
    }

    /// Adds sound.
    pub fn with_audio(self, audio: Audio) -> Self {
        self.with_part(OutputPart::Audio(audio))
    }

    /// Adds a part.
    pub fn with_part(mut self, part: OutputPart) -> Self {
        self.parts.push(part);
        self
    }

    /// The images, in order.
    pub fn images(&self) -> impl Iterator<Item = &Image> {
        self.parts.iter().filter_map(|part| match part {
            OutputPart::Image(image) => Some(image),
            _ => None,
        })
    }

    /// Returns true if there is an image, a document or sound.
    pub fn has_media(&self) -> bool {
        self.parts.iter().any(OutputPart::is_media)
    }

    /// The value that the text is the JSON of, for a program that reads what a tool returned: a
    /// middleware, or a test.
    ///
    /// # Errors
    ///
    /// When the text is not JSON, or not of this type.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.to_text())
    }

    /// The text that a model reads: every text and JSON part, each on a line of its own. Images,
    /// documents and sound are left out.
    pub fn to_text(&self) -> Cow<'_, str> {
        let mut texts = self.parts.iter().filter_map(|part| match part {
            OutputPart::Text(text) | OutputPart::Json(text) => Some(text.as_str()),
            _ => None,
        });
        let mut all = Cow::Borrowed(texts.next().unwrap_or_default());
        for next in texts {
            let all = all.to_mut();
            all.push('\n');
            all.push_str(next);
        }
        all
    }
}

impl From<OutputPart> for ToolOutput {
    fn from(part: OutputPart) -> Self {
        Self { parts: vec![part] }
    }
}

impl From<Image> for ToolOutput {
    fn from(image: Image) -> Self {
        Self::image(image)
    }
}

impl From<Document> for ToolOutput {
    fn from(document: Document) -> Self {
        Self::default().with_document(document)
    }
}

impl From<Audio> for ToolOutput {
    fn from(audio: Audio) -> Self {
        Self::default().with_audio(audio)
    }
}

impl FromIterator<OutputPart> for ToolOutput {
    fn from_iter<I: IntoIterator<Item = OutputPart>>(parts: I) -> Self {
        Self {
            parts: parts.into_iter().collect(),
        }
    }
}

impl Extend<OutputPart> for ToolOutput {
    fn extend<I: IntoIterator<Item = OutputPart>>(&mut self, parts: I) {
        self.parts.extend(parts);
    }
}

impl<'de> Deserialize<'de> for OutputPart {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The function that the derive wrote, which comes before this one.
        OutputPart::deserialize(deserializer)
    }
}

impl<'de> Deserialize<'de> for ToolOutput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        stored::StoredOutput::deserialize(deserializer).map(Self::from)
    }
}
