//! Images, documents and sound at an address that holds their bytes.

use toolwright_runtime::message::{Audio, Document, FileSource, Image, Part};

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
