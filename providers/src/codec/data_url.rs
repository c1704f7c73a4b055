//! Images, documents and sound at an address that holds their bytes.

use toolwright_runtime::{
    message::{Audio, Document, FileSource, Image, Part},
    model::ModelEvent,
};

/// The image at an address. Bytes that the address holds itself become an image of bytes, which every provider
/// takes.
pub(crate) fn image_at(url: &str) -> Image {
    bytes_in(url).unwrap_or_else(|| Image::from_url(url))
}

/// The image in an address such as `data:image/png;base64,iVBORw==`; `None` for one that would not be written as
/// it came.
fn bytes_in(url: &str) -> Option<Image> {
    let (media_type, data) = parts_of(url)?;
    let image = Image::Base64 {
        media_type: media_type.to_owned(),
        data: data.into(),
    };
    Some(image)
}

/// The media type and the data of an address that holds bytes.
pub(crate) fn parts_of(url: &str) -> Option<(&str, &str)> {
    url.strip_prefix("data:")?.split_once(";base64,")
}

/// The part for what a model made of a media type: an image, sound, or else a document.
pub(crate) fn made_part(media_type: &str, source: FileSource) -> Part {
    match source {
        FileSource::Base64 { data } if media_type.starts_with("image/") => {
            let media_type = media_type.to_owned();
            Part::Image(Image::Base64 { media_type, data })
        }
        FileSource::Url { url } if media_type.starts_with("image/") => {
            Part::Image(Image::from_url(url))
        }
        source => file_part(media_type, source, None),
    }
}

/// The event for what a model made; `None` for one without bytes and without an address, which is nothing that anybody
/// could see.
pub(crate) fn made_event(part: Part) -> Option<ModelEvent> {
    let source: &str = match &part {
        Part::Image(Image::Base64 { data, .. }) => data,
        Part::Image(Image::Url { url }) => url,
        Part::Document(Document { source, .. }) | Part::Audio(Audio { source, .. }) => match source
        {
            FileSource::Base64 { data } => data,
            FileSource::Url { url } => url,
            _ => return None,
        },
        _ => return None,
    };
    let is_there = !source.trim().is_empty();
    is_there.then(|| ModelEvent::Media(Box::new(part)))
}

/// The media type of an image, by the first of its bytes in base64.
pub(crate) fn image_type(data: &str) -> &'static str {
    match data.as_bytes() {
        [b'/', b'9', b'j', b'/', ..] => "image/jpeg",
        [b'R', b'0', b'l', b'G', ..] => "image/gif",
        [b'U', b'k', b'l', b'G', ..] => "image/webp",
        _ => "image/png",
    }
}

/// The media type of sound, by the first of its bytes in base64. Sound that does not say it is samples alone.
pub(crate) fn sound_type(data: &str) -> &'static str {
    let known = [
        ("UklGR", "audio/wav"),
        ("SUQz", "audio/mpeg"),
        ("//", "audio/mpeg"),
        ("T2dnU", "audio/ogg"),
        ("ZkxhQ", "audio/flac"),
    ];
    let mut known = known.into_iter();
    let found = known.find(|(begin, _)| data.starts_with(begin));
    found.map_or("audio/pcm", |(_, media_type)| media_type)
}

/// The part for a file of a media type: sound, or else a document.
pub(crate) fn file_part(media_type: &str, source: FileSource, name: Option<&str>) -> Part {
    if media_type.starts_with("audio/") {
        return Part::Audio(Audio::new(media_type, source));
    }
    let document = Document::new(media_type, source);
    Part::Document(match name {
        Some(name) => document.with_name(name),
        None => document,
    })
}

/// The source of a file whose bytes are here.
pub(crate) fn bytes(data: &str) -> FileSource {
    FileSource::Base64 { data: data.into() }
}
