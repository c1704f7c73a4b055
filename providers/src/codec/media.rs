//! Documents and sound in a request, and what a provider is sent of those that it does not accept.

use std::borrow::Cow;

use toolwright_core::{
    message::{Audio, Document, FileSource, Image, Message, Part, Turn},
    model::{ModelRequest, Warning},
    tool::OutputPart,
};

/// A document or sound.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Media<'a> {
    Document(&'a Document),
    Audio(&'a Audio),
}

/// The media type of PDF.
pub(crate) const PDF: &str = "application/pdf";

/// The part of a result that is the same file as a part of a message.
pub(crate) fn to_output(part: Part) -> Option<OutputPart> {
    match part {
        Part::Document(document) => Some(OutputPart::Document(document)),
        Part::Audio(audio) => Some(OutputPart::Audio(audio)),
        _ => None,
    }
}

impl<'a> Media<'a> {
    /// The document or the sound that a part of a message is.
    pub(crate) fn of_part(part: &'a Part) -> Option<Self> {
        match part {
            Part::Document(document) => Some(Self::Document(document)),
            Part::Audio(audio) => Some(Self::Audio(audio)),
            _ => None,
        }
    }

    /// The document or the sound that a part of a result is.
    pub(crate) fn of_output(part: &'a OutputPart) -> Option<Self> {
        match part {
            OutputPart::Document(document) => Some(Self::Document(document)),
            OutputPart::Audio(audio) => Some(Self::Audio(audio)),
            _ => None,
        }
    }

    pub(crate) fn media_type(self) -> &'a str {
        match self {
            Self::Document(document) => &document.media_type,
            Self::Audio(audio) => &audio.media_type,
        }
    }

    pub(crate) fn source(self) -> &'a FileSource {
        match self {
            Self::Document(document) => &document.source,
            Self::Audio(audio) => &audio.source,
        }
    }

    pub(crate) fn name(self) -> Option<&'a str> {
        match self {
            Self::Document(document) => document.name.as_deref(),
            Self::Audio(_) => None,
        }
    }

    pub(crate) fn address(self) -> Cow<'a, str> {
        match self {
            Self::Document(document) => document.address(),
            Self::Audio(audio) => audio.address(),
        }
    }

    /// The bytes in base64, unless there is only an address.
    pub(crate) fn data(self) -> Option<&'a str> {
        match self.source() {
            FileSource::Base64 { data } => Some(data),
            _ => None,
        }
    }

    /// The text of a document of text.
    pub(crate) fn text(self) -> Option<String> {
        match self {
            Self::Document(document) => document.text(),
            Self::Audio(_) => None,
        }
    }

    /// Returns true if the provider is asked to cite it.
    pub(crate) fn is_cited(self) -> bool {
        matches!(self, Self::Document(document) if document.cited)
    }

    /// What a model reads where the file itself is not sent: its text after its name, or a line that says that
    /// it is there.
    pub(crate) fn in_words(self) -> String {
        // Some providers refuse a text of white space alone.
        if let Some(text) = self.text().filter(|text| !text.trim().is_empty()) {
            return match self.name() {
                Some(name) => format!("{name}:\n{text}"),
                None => text,
            };
        }
        let kind = match self {
            Self::Document(_) => "document",
            Self::Audio(_) => "recording",
        };
        let name = self
            .name()
            .map(|name| format!(" {name}"))
            .unwrap_or_default();
        let media_type = self.media_type();
        match self.source() {
            FileSource::Url { url } => format!("({kind}{name}, {media_type}: {url})"),
            _ => format!("({kind}{name}, {media_type}, which cannot be shown)"),
        }
    }
}

/// What a model reads of an image, a document or sound of a response that its provider does not take back. A transcript
/// of sound is the text of its response, and says it all.
pub(crate) fn of_response_in_words(part: &Part, response: &[Part]) -> Option<String> {
    let has_text = || {
        let mut parts = response.iter();
        parts.any(|part| matches!(part, Part::Text(text) if !text.trim().is_empty()))
    };
    match part {
        Part::Image(Image::Base64 { media_type, .. }) => {
            Some(format!("(image, {media_type}, which cannot be shown)"))
        }
        Part::Image(image) => Some(format!("(image: {})", image.address())),
        Part::Audio(_) if has_text() => None,
        part => Media::of_part(part).map(Media::in_words),
    }
}

/// Returns warnings about documents and sound in a request that a server does not accept.
pub(crate) fn warnings(
    request: &ModelRequest,
    server: &str,
    is_sent: impl Fn(Media<'_>) -> bool,
) -> Vec<Warning> {
    let (mut documents, mut recordings) = (0, 0);
    for turn in request.messages.iter().flat_map(Message::turns) {
        let mut count = |media: Media<'_>| {
            if !is_sent(media) && media.text().is_none() {
                match media {
                    Media::Document(_) => documents += 1,
                    Media::Audio(_) => recordings += 1,
                }
            }
        };
        match turn {
            Turn::User(parts) => parts.iter().filter_map(Media::of_part).for_each(&mut count),
            Turn::Assistant(_) => {}
            Turn::Results(round) => {
                let outputs = round
                    .results
                    .iter()
                    .filter_map(|result| result.outcome.as_ref().ok());
                let parts = outputs.flat_map(|output| &output.parts);
                parts.filter_map(Media::of_output).for_each(&mut count);
            }
        }
    }
    let told = "the model is sent a note in their place";
    let mut warnings = Vec::new();
    if documents > 0 {
        let message =
            format!("{server} does not accept {documents} documents of their type; {told}");
        warnings.push(Warning::new("document_not_sent", message));
    }
    if recordings > 0 {
        let message = format!("{server} does not accept {recordings} recordings; {told}");
        warnings.push(Warning::new("audio_not_sent", message));
    }
    warnings
}
