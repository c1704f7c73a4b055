//! Outputs of tools, as a front end takes them.

use serde::Serialize;
use toolwright_json::JsonText;

use toolwright_core::{
    message::Image,
    run::PendingCall,
    tool::{CallUpdate, OutputPart, ToolOutput},
};

/// A piece of an output of several.
#[derive(Serialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
enum Piece<'a> {
    Text { text: &'a str },
    Json { value: JsonText },
    Image { url: String, media_type: &'a str },
    File { url: String, media_type: &'a str },
}

/// An output as JSON: the value or the text itself if it is one, a list of `{"type": "text", "text"}`,
/// `{"type": "json", "value"}`, `{"type": "image", "url", "mediaType"}` and, for a document or sound, `{"type": "file", "url",
/// "mediaType"}` if there are several or one that is no text, `null` if there is nothing.
pub(super) fn of_output(output: &ToolOutput) -> JsonText {
    match output.parts.as_slice() {
        [] => json(&()),
        [OutputPart::Json(text)] => in_one_line(text),
        [OutputPart::Text(text)] => json(text),
        parts => json(&parts.iter().map(piece).collect::<Vec<_>>()),
    }
}

/// A text as JSON.
pub(super) fn of_text(text: &str) -> JsonText {
    json(text)
}

/// The update of a running call as JSON: its progress, or its output so far.
pub(super) fn of_update(update: &CallUpdate) -> JsonText {
    match update {
        CallUpdate::Progress(report) => json(report),
        CallUpdate::Partial(output) => of_output(output),
        _ => json(&()),
    }
}

/// What stands for the result of a call of a run below, which that run has.
pub(super) fn told_to(call: &PendingCall) -> String {
    format!("told to the agent {}", call.agents())
}

fn piece(part: &OutputPart) -> Piece<'_> {
    match part {
        OutputPart::Text(text) => Piece::Text { text },
        OutputPart::Json(text) => Piece::Json {
            value: in_one_line(text),
        },
        OutputPart::Image(image) => Piece::Image {
            url: image.address().into_owned(),
            media_type: media_type(image),
        },
        OutputPart::Document(document) => Piece::File {
            url: document.address().into_owned(),
            media_type: &document.media_type,
        },
        OutputPart::Audio(audio) => Piece::File {
            url: audio.address().into_owned(),
            media_type: &audio.media_type,
        },
        _ => Piece::Json { value: json(&()) },
    }
}

/// The media type of an image; `image/*` if it is not known.
pub(super) fn media_type(image: &Image) -> &str {
    match image {
        Image::Base64 { media_type, .. } => media_type,
        _ => "image/*",
    }
}

/// The value of a JSON text without line breaks, which would end a line of a server-sent event. A text that is no JSON
/// stays a text.
fn in_one_line(text: &str) -> JsonText {
    let value = JsonText::new(text).and_then(|json| JsonText::new(json.to_compact()));
    value.unwrap_or_else(|_| json(text))
}

fn json(value: &(impl Serialize + ?Sized)) -> JsonText {
    JsonText::of(value)
        .unwrap_or_else(|_| unreachable!("it has no maps with other keys than strings"))
}
