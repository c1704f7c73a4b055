//! Documents and sound in messages and in results.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize};

use crate::image::{base64, shared_text};

/// A document, such as a PDF file or a text, by its bytes or by its address.
///
/// A user sends it as a part of a message, and a tool returns it as it is or as a part of a
/// [`ToolOutput`](crate::ToolOutput). It is not `Serialize` by itself: a tool would return it as JSON, and a model
/// would read base64.
///
/// Providers accept different media types. A document that a provider does not accept is named to the model in a
/// line of text, and the response has the warning `document_not_sent`. A document of text is sent as text where
/// a provider has no other form.
///
/// ```
/// use toolwright::message::Document;
///
/// let document = Document::from_bytes("application/pdf", b"%PDF-1.7").with_name("report.pdf");
/// assert_eq!(document.address(), "data:application/pdf;base64,JVBERi0xLjc=");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[non_exhaustive]
pub struct Document {
    /// Such as `application/pdf` or `text/plain`.
    pub media_type: String,
    /// The name of the file, or a title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The bytes, or where they are.
    pub source: FileSource,
    /// True if the provider is asked to cite it. Anthropic cites a document only then, and takes this of all documents of
    /// a request or of none; others ignore it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cited: bool,
}

/// Recorded sound, by its bytes or by its address.
///
/// Gemini accepts it, and `OpenAI` Chat Completions accepts WAV and MP3 by their bytes. For any other provider, a
/// line of text takes its place, and the response has the warning `audio_not_sent`.
///
/// ```
/// use toolwright::message::Audio;
///
/// let audio = Audio::from_bytes("audio/wav", b"RIFF");
/// assert_eq!(audio.address(), "data:audio/wav;base64,UklGRg==");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
#[non_exhaustive]
pub struct Audio {
    /// Such as `audio/wav` or `audio/mpeg`.
    pub media_type: String,
    /// The bytes, or where they are.
    pub source: FileSource,
}

/// The content of a [`Document`] or of [`Audio`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum FileSource {
    /// The bytes.
    Base64 {
        /// The bytes in standard base64 with padding. Clones share them.
        #[serde(with = "shared_text")]
        data: Arc<str>,
    },
    /// An address that the provider can fetch.
    Url {
        /// The address.
        url: String,
    },
}

impl Document {
    /// A document from its content.
    pub fn new(media_type: impl Into<String>, source: FileSource) -> Self {
        Self {
            media_type: media_type.into(),
            name: None,
            source,
            cited: false,
        }
    }

    /// A document from its bytes.
    pub fn from_bytes(media_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::new(media_type, FileSource::from_bytes(bytes.as_ref()))
    }

    /// A document by an address that the provider can fetch.
    pub fn from_url(media_type: impl Into<String>, url: impl Into<String>) -> Self {
        Self::new(media_type, FileSource::Url { url: url.into() })
    }

    /// Sets the name of the file, or a title.
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Asks the provider to cite it.
    pub fn with_citations(mut self) -> Self {
        self.cited = true;
        self
    }

    /// Gives the address of the document. For one of bytes this is a `data:` URL.
    pub fn address(&self) -> Cow<'_, str> {
        self.source.address(&self.media_type)
    }

    /// Returns the text of a document whose media type begins with `text/`; `None` for any other, for a document
    /// given by its address, and for one that is not UTF-8.
    pub fn text(&self) -> Option<String> {
        let FileSource::Base64 { data } = &self.source else {
            return None;
        };
        let bytes = self
            .media_type
            .starts_with("text/")
            .then(|| base64::decode(data))??;
        String::from_utf8(bytes).ok()
    }
}

impl Audio {
    /// Sound from its content.
    pub fn new(media_type: impl Into<String>, source: FileSource) -> Self {
        Self {
            media_type: media_type.into(),
            source,
        }
    }

    /// Sound from its bytes.
    pub fn from_bytes(media_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::new(media_type, FileSource::from_bytes(bytes.as_ref()))
    }

    /// Sound by an address that the provider can fetch.
    pub fn from_url(media_type: impl Into<String>, url: impl Into<String>) -> Self {
        Self::new(media_type, FileSource::Url { url: url.into() })
    }

    /// Gives the address of the sound. For sound of bytes this is a `data:` URL.
    pub fn address(&self) -> Cow<'_, str> {
        self.source.address(&self.media_type)
    }
}

impl FileSource {
    /// Returns the bytes; `None` for an address, and for data that is not base64.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Base64 { data } => base64::decode(data),
            Self::Url { .. } => None,
        }
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        Self::Base64 {
            data: base64::encode(bytes).into(),
        }
    }

    fn address(&self, media_type: &str) -> Cow<'_, str> {
        match self {
            Self::Base64 { data } => Cow::Owned(format!("data:{media_type};base64,{data}")),
            Self::Url { url } => Cow::Borrowed(url),
        }
    }

    /// The length of the content that is sent.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Base64 { data } => data.len(),
            Self::Url { url } => url.len(),
        }
    }

    /// Changes the address, if that is all there is.
    pub(crate) fn map_url(self, map: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Url { url } => Self::Url { url: map(url) },
            bytes @ Self::Base64 { .. } => bytes,
        }
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The function that the derive wrote, which comes before this one.
        Document::deserialize(deserializer)
    }
}

impl<'de> Deserialize<'de> for Audio {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Audio::deserialize(deserializer)
    }
}

#[cfg(test)]
mod tests {
    use super::{Audio, Document};
    use crate::message::Part;

    #[test]
    fn a_part_is_stored_with_its_media_type_and_its_source() {
        let document = Document::from_bytes("text/plain", "hi").with_name("a.txt");
        for (part, stored) in [
            (
                Part::Document(document),
                r#"{"type":"document","content":{"media_type":"text/plain","name":"a.txt","source":{"type":"base64","data":"aGk="}}}"#,
            ),
            (
                Part::Audio(Audio::from_url("audio/wav", "https://h/a")),
                r#"{"type":"audio","content":{"media_type":"audio/wav","source":{"type":"url","url":"https://h/a"}}}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&part).expect("is stored"), stored);
            assert_eq!(serde_json::from_str::<Part>(stored).expect("is read"), part);
        }
    }

    #[test]
    fn only_a_document_of_text_has_a_text() {
        let text = |media_type: &str, bytes: &[u8]| Document::from_bytes(media_type, bytes).text();
        assert_eq!(text("text/plain", b"hi").as_deref(), Some("hi"));
        assert_eq!(text("text/plain", b"\xff"), None);
        assert_eq!(text("application/pdf", b"hi"), None);
        assert_eq!(Document::from_url("text/plain", "https://h/a").text(), None);
    }
}
