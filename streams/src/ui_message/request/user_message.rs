//! The new message of a user.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{ChatRequestError, ChatRequestLimits, malformed, raw_list, short};
use toolwright_core::{
    UserMessage,
    message::{Audio, Document, FileSource, Image, Part},
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UiPart {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    media_type: Option<String>,
    url: Option<String>,
    filename: Option<String>,
}

/// The message of these parts.
pub(super) fn of_parts(
    parts: &RawValue,
    limits: &ChatRequestLimits,
) -> Result<UserMessage, ChatRequestError> {
    let mut taken = TakenParts::new(limits);
    raw_list::each(parts, |part| {
        let part: UiPart = serde_json::from_str(part.get()).map_err(malformed)?;
        match (part.kind.as_str(), part.text, part.url) {
            ("text", Some(text), _) => taken.text(text),
            ("file", _, Some(url)) => {
                let (media_type, data) = of_data_url(&url)?;
                let claimed = part.media_type.as_deref();
                if claimed.is_some_and(|claimed| claimed != media_type) {
                    return Err(no_file());
                }
                taken.file(media_type, data, part.filename)
            }
            // It is between the page and its own components: no model reads it.
            (kind, ..) if kind.starts_with("data-") => Ok(()),
            (kind, ..) => Err(TakenParts::other(kind)),
        }
    })?;
    taken.message()
}

/// The media type and the data of a `data:` URL in base64.
fn of_data_url(url: &str) -> Result<(&str, &str), ChatRequestError> {
    let parts = url
        .strip_prefix("data:")
        .and_then(|rest| rest.split_once(";base64,"));
    parts.ok_or_else(|| {
        let what = "a file that is not in a `data:` URL".to_owned();
        ChatRequestError::Part(what)
    })
}

/// The media types of images, documents and sound that are taken.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const DOCUMENTS: [&str; 5] = [
    "application/pdf",
    "text/plain",
    "text/markdown",
    "text/csv",
    "text/html",
];
const SOUNDS: [&str; 3] = ["audio/wav", "audio/mpeg", "audio/mp3"];

fn no_image() -> ChatRequestError {
    let what = "a file that is not a PNG, JPEG, GIF or WebP image".to_owned();
    ChatRequestError::Part(what)
}

fn no_file() -> ChatRequestError {
    let what =
        "a file that is not an image (PNG, JPEG, GIF, WebP), a PDF, a text, or a sound (WAV, MP3)";
    ChatRequestError::Part(what.to_owned())
}

/// The parts of a new message that are taken, within the limits.
pub(crate) struct TakenParts<'a> {
    limits: &'a ChatRequestLimits,
    parts: Vec<Part>,
    text_bytes: usize,
    images: usize,
    files: usize,
}

impl<'a> TakenParts<'a> {
    pub(crate) fn new(limits: &'a ChatRequestLimits) -> Self {
        Self {
            limits,
            parts: Vec::new(),
            text_bytes: 0,
            images: 0,
            files: 0,
        }
    }

    pub(crate) fn text(&mut self, text: String) -> Result<(), ChatRequestError> {
        self.text_bytes += text.len();
        if self.text_bytes > self.limits.text_bytes {
            let max = self.limits.text_bytes;
            let what = format!("a text of more than {max} bytes");
            return Err(ChatRequestError::Part(what));
        }
        if !text.is_empty() {
            self.parts.push(Part::Text(text));
        }
        Ok(())
    }

    /// An image by its bytes, in base64.
    pub(crate) fn image(&mut self, media_type: &str, data: &str) -> Result<(), ChatRequestError> {
        self.images += 1;
        if self.images > self.limits.images {
            let what = format!("more than {} images", self.limits.images);
            return Err(ChatRequestError::Part(what));
        }
        if !IMAGES.contains(&media_type) || !is_base64(data) {
            return Err(no_image());
        }
        self.parts.push(Part::Image(Image::Base64 {
            media_type: media_type.to_owned(),
            data: data.into(),
        }));
        Ok(())
    }

    /// A file by its bytes, in base64: an image, a document or sound.
    pub(crate) fn file(
        &mut self,
        media_type: &str,
        data: &str,
        name: Option<String>,
    ) -> Result<(), ChatRequestError> {
        if IMAGES.contains(&media_type) {
            return self.image(media_type, data);
        }
        self.count_file()?;
        if !is_base64(data) {
            return Err(no_file());
        }
        let source = FileSource::Base64 { data: data.into() };
        let part = if DOCUMENTS.contains(&media_type) {
            let mut document = Document::new(media_type, source);
            document.name = name.map(|name| short(&name).to_owned());
            Part::Document(document)
        } else if SOUNDS.contains(&media_type) {
            Part::Audio(Audio::new(media_type, source))
        } else {
            return Err(no_file());
        };
        self.parts.push(part);
        Ok(())
    }

    fn count_file(&mut self) -> Result<(), ChatRequestError> {
        self.files += 1;
        if self.files > self.limits.files {
            let what = format!("more than {} documents and recordings", self.limits.files);
            return Err(ChatRequestError::Part(what));
        }
        Ok(())
    }

    /// The error about a part that is not taken.
    pub(crate) fn other(kind: &str) -> ChatRequestError {
        ChatRequestError::Part(format!("a part of the type `{}`", short(kind)))
    }

    pub(crate) fn message(self) -> Result<UserMessage, ChatRequestError> {
        let says = |part: &Part| !matches!(part, Part::Text(text) if text.trim().is_empty());
        if !self.parts.iter().any(says) {
            return Err(ChatRequestError::Empty);
        }
        Ok(UserMessage::new(self.parts))
    }
}

fn is_base64(data: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    !data.is_empty() && data.bytes().all(is_digit)
}
