//! Images, documents and sound at an address that holds their bytes.

use toolwright_core::{
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
        ("T2dnU", "audio/ogg"),
        ("ZkxhQ", "audio/flac"),
    ];
    let mut known = known.into_iter();
    let found = known.find(|(begin, _)| data.starts_with(begin));
    found.map_or_else(|| framed_type(data), |(_, media_type)| media_type)
}

/// The media type of sound that begins with the header of a frame, if its first bytes can be one. Samples that are
/// almost silent begin like it, with bits that are all set or all clear where a header has its bitrate.
fn framed_type(data: &str) -> &'static str {
    let begin = data.get(..4).and_then(|begin| bytes(begin).bytes());
    let Some(&[0xFF, kind, rates]) = begin.as_deref() else {
        return "audio/pcm";
    };
    let (version, layer) = ((kind >> 3) & 0b11, (kind >> 1) & 0b11);
    let (bitrate, rate) = (rates >> 4, (rates >> 2) & 0b11);
    let is_mpeg = version != 0b01 && layer != 0 && !matches!(bitrate, 0 | 0b1111) && rate != 0b11;
    match kind {
        0xE0.. if is_mpeg => "audio/mpeg",
        // The header of ADTS.
        0xF0 | 0xF1 | 0xF8 | 0xF9 => "audio/aac",
        _ => "audio/pcm",
    }
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

#[cfg(test)]
mod tests {
    use toolwright_core::message::Audio;

    use super::{FileSource, sound_type};

    #[test]
    fn sound_is_mpeg_by_a_frame_header_that_can_be_one() {
        let check = |begin: &[u8], expected: &str| {
            let FileSource::Base64 { data } = Audio::from_bytes("", begin).source else {
                panic!("it has bytes");
            };
            assert_eq!(sound_type(&data), expected, "{begin:x?}");
        };
        check(&[0xFF, 0xFB, 0x90, 0x64], "audio/mpeg");
        check(&[0xFF, 0xF3, 0xE4, 0xC4], "audio/mpeg");
        check(b"ID3\x04", "audio/mpeg");
        check(&[0xFF, 0xF1, 0x50, 0x80], "audio/aac");
        // Samples of 16 bits that are almost silent.
        for samples in [
            [0xFF, 0xFF, 0xFF, 0xFF],
            [0xFF, 0xFF, 0x00, 0x00],
            [0xFF, 0xFF, 0xFE, 0xFF],
            [0xFF, 0xFF, 0x01, 0x00],
        ] {
            check(&samples, "audio/pcm");
        }
        // A version, a rate, and no more than a sync that are none.
        check(&[0xFF, 0xEB, 0x90, 0x64], "audio/pcm");
        check(&[0xFF, 0xFB, 0x9C, 0x64], "audio/pcm");
        check(&[0xFF, 0xFB], "audio/pcm");
        assert_eq!(sound_type("//\u{e9}\u{e9}"), "audio/pcm");
    }
}
