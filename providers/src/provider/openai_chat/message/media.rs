//! Documents and sound as this API takes them: PDF, and WAV or MP3, by their bytes.

use std::borrow::Cow;

use serde::Serialize;

use super::ContentPart;
use crate::codec::{
    media::{Media, PDF},
    opaque_fields::OpaqueFields,
};

#[derive(Debug, Serialize)]
pub(in super::super) struct File<'a> {
    filename: &'a str,
    /// A `data:` URL.
    file_data: Cow<'a, str>,
}

#[derive(Debug, Serialize)]
pub(in super::super) struct InputAudio<'a> {
    data: &'a str,
    format: &'static str,
}

/// A document or sound as it is sent. What the API does not accept is described in words.
pub(super) fn of(media: Media<'_>) -> ContentPart<'_> {
    match (media, media.data(), format_of(media.media_type())) {
        (Media::Document(_), Some(_), _) if media.media_type() == PDF => ContentPart::File {
            file: File {
                // The API refuses one without a name.
                filename: media.name().unwrap_or("document.pdf"),
                file_data: media.address(),
            },
        },
        (Media::Audio(_), Some(data), Some(format)) => ContentPart::InputAudio {
            input_audio: InputAudio { data, format },
        },
        _ => ContentPart::Text {
            text: Cow::Owned(media.in_words()),
            fields: OpaqueFields::default(),
        },
    }
}

/// Returns true if the API takes a document or sound as such.
pub(in super::super) fn is_sent(media: Media<'_>) -> bool {
    !matches!(of(media), ContentPart::Text { .. })
}

/// The name of a format of sound (openai-python, `chat_completion_content_part_input_audio_param.py`).
fn format_of(media_type: &str) -> Option<&'static str> {
    match media_type {
        "audio/wav" | "audio/x-wav" | "audio/wave" => Some("wav"),
        "audio/mpeg" | "audio/mp3" => Some("mp3"),
        _ => None,
    }
}
