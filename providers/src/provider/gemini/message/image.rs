//! Images, documents and sound: their bytes, or the address of a file.

use std::borrow::Cow;

use serde::Serialize;
use toolwright_core::message::{Image, Opaque, Part};

use super::{
    super::{
        generation,
        opaque::{MEDIA, MEDIA_FIELDS, SIGNATURE, belongs_to},
    },
    Kind,
};
use crate::codec::{
    body_input::BodyInput,
    media::{Media, of_response_in_words},
    opaque_fields::OpaqueFields,
};

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Blob<'a> {
    mime_type: &'a str,
    data: &'a str,
    #[serde(flatten)]
    fields: OpaqueFields<'a>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct File<'a> {
    /// Some servers do not go and see.
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'a str>,
    #[serde(rename = "fileUri")]
    uri: Cow<'a, str>,
    #[serde(flatten)]
    fields: OpaqueFields<'a>,
}

/// Adds what an opaque part says of the bytes or of the file just before, such as its name.
pub(super) fn take_fields<'a>(kind: &mut Kind<'a>, opaque: &'a Opaque) {
    let said = |name| OpaqueFields::new(opaque.data[name].as_object(), MEDIA_FIELDS);
    match kind {
        Kind::InlineData(blob) => blob.fields = said("inlineData"),
        Kind::FileData(file) => file.fields = said("fileData"),
        _ => {}
    }
}

/// An image as it is sent. An address that holds the bytes is none that a server fetches.
pub(super) fn of(image: &Image) -> Kind<'_> {
    match image {
        Image::Base64 { media_type, data } => Kind::InlineData(Blob {
            mime_type: media_type,
            data,
            fields: OpaqueFields::default(),
        }),
        Image::Url { url } => in_address(url).map_or_else(|| in_file(image), Kind::InlineData),
        _ => in_file(image),
    }
}

/// An image of a response as it goes back. Where signatures are asked for, one without is refused ("Image part is missing
/// a `thought_signature`"), as that of another provider is, and the model reads that there was one.
pub(super) fn of_response<'a>(
    (picture, part): (&'a Image, &Part),
    next: Option<&Part>,
    asked: BodyInput<'_>,
) -> Kind<'a> {
    let is_signed = matches!(next, Some(Part::Opaque(opaque)) if opaque.provider == asked.provider
        && belongs_to(&opaque.data) == Some(MEDIA)
        && opaque.data.get(SIGNATURE).is_some());
    let words = (!is_signed && generation::needs_signatures(asked.model))
        .then(|| of_response_in_words(part, &[]))
        .flatten();
    words.map_or_else(|| of(picture), |words| Kind::Text(words.into()))
}

/// A document or sound as it is sent.
pub(super) fn of_media(media: Media<'_>) -> Kind<'_> {
    let mime_type = media.media_type();
    match media.data() {
        Some(data) => Kind::InlineData(Blob {
            mime_type,
            data,
            fields: OpaqueFields::default(),
        }),
        None => Kind::FileData(File {
            mime_type: Some(mime_type).filter(|mime_type| !mime_type.is_empty()),
            uri: media.address(),
            fields: OpaqueFields::default(),
        }),
    }
}

fn in_file(image: &Image) -> Kind<'_> {
    let uri = image.address();
    Kind::FileData(File {
        mime_type: by_extension(&uri),
        uri,
        fields: OpaqueFields::default(),
    })
}

/// The bytes in an address such as `data:image/png;base64,iVBORw==`.
fn in_address(url: &str) -> Option<Blob<'_>> {
    let (kind, data) = url.strip_prefix("data:")?.split_once(',')?;
    let mime_type = kind.strip_suffix(";base64")?;
    Some(Blob {
        mime_type,
        data,
        fields: OpaqueFields::default(),
    })
}

/// The media type that the end of a path stands for.
fn by_extension(url: &str) -> Option<&'static str> {
    let path = url.split(['?', '#']).next()?;
    let (_, extension) = path.rsplit('/').next()?.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "png" => Some("image/png"),
        "jpg" | "jpeg" => Some("image/jpeg"),
        "webp" => Some("image/webp"),
        "gif" => Some("image/gif"),
        "heic" => Some("image/heic"),
        "heif" => Some("image/heif"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use toolwright_core::message::Image;

    use super::of;

    #[test]
    fn an_image_is_its_bytes_or_a_file() {
        let check = |url: &str, expected: Value| {
            let sent = serde_json::to_value(of(&Image::from_url(url))).expect("is JSON");
            assert_eq!(sent, expected, "{url}");
        };
        let file = |uri: &str, mime: &str| json!({"fileData": {"mimeType": mime, "fileUri": uri}});
        let png = "https://h/a.b/c.PNG?x=1.gif#y";
        check(png, file(png, "image/png"));
        check("gs://b/o.jpeg", file("gs://b/o.jpeg", "image/jpeg"));
        for plain in [
            "https://h.png/files/3qsw",
            "https://h/",
            "",
            "data:image/png,x",
        ] {
            check(plain, json!({"fileData": {"fileUri": plain}}));
        }
        check(
            "data:image/webp;base64,iVBORw==",
            json!({"inlineData": {"mimeType": "image/webp", "data": "iVBORw=="}}),
        );
    }
}
