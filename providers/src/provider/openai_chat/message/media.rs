//! Documents and sound as servers of this API take them: PDF, and WAV or MP3.

use std::borrow::Cow;

use serde::Serialize;
use toolwright_core::message::FileSource;

use super::ContentPart;
use crate::codec::{
    media::{Media, PDF},
    opaque_fields::OpaqueFields,
    quirks::{DocumentForm, Quirks, SoundForm},
};

#[derive(Debug, Serialize)]
pub(in super::super) struct File<'a> {
    filename: &'a str,
    /// A `data:` URL.
    file_data: Cow<'a, str>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(in super::super) enum InputAudio<'a> {
    Object { data: &'a str, format: &'static str },
    Text(&'a str),
}

/// A document or sound as it is sent. What the server does not accept is described in words.
pub(super) fn of<'a>(media: Media<'a>, quirks: &Quirks) -> ContentPart<'a> {
    let in_form = match media {
        Media::Document(_) if media.media_type() == PDF => of_pdf(media, quirks.documents),
        Media::Document(_) => None,
        Media::Audio(_) => of_sound(media, quirks.sound),
    };
    in_form.unwrap_or_else(|| ContentPart::Text {
        text: Cow::Owned(media.in_words()),
        fields: OpaqueFields::default(),
    })
}

fn of_pdf(media: Media<'_>, form: DocumentForm) -> Option<ContentPart<'_>> {
    match form {
        DocumentForm::File => media.data().map(|_| ContentPart::File {
            file: File {
                // The API refuses one without a name.
                filename: media.name().unwrap_or("document.pdf"),
                file_data: media.address(),
            },
        }),
        DocumentForm::Url => Some(ContentPart::DocumentUrl {
            document_url: media.address(),
            document_name: media.name(),
        }),
        DocumentForm::None => None,
    }
}

fn of_sound(media: Media<'_>, form: SoundForm) -> Option<ContentPart<'_>> {
    let format = format_of(media.media_type())?;
    let input_audio = match (form, media.data(), media.source()) {
        (SoundForm::Object, Some(data), _) => InputAudio::Object { data, format },
        (SoundForm::Text, Some(data), _) => InputAudio::Text(data),
        (SoundForm::Text, None, FileSource::Url { url }) => InputAudio::Text(url),
        _ => return None,
    };
    Some(ContentPart::InputAudio { input_audio })
}

/// Returns true if the server takes a document or sound as such.
pub(in super::super) fn is_sent(media: Media<'_>, quirks: &Quirks) -> bool {
    !matches!(of(media, quirks), ContentPart::Text { .. })
}

/// The name of a format of sound (openai-python, `chat_completion_content_part_input_audio_param.py`).
fn format_of(media_type: &str) -> Option<&'static str> {
    match media_type {
        "audio/wav" | "audio/x-wav" | "audio/wave" => Some("wav"),
        "audio/mpeg" | "audio/mp3" => Some("mp3"),
        _ => None,
    }
}
