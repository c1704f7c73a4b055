//! Images at an address that holds their bytes.

use toolwright_runtime::message::Image;

/// The image at an address. Bytes that the address holds itself become an image of bytes, which every provider
/// takes.
pub(crate) fn image_at(url: &str) -> Image {
    bytes_in(url).unwrap_or_else(|| Image::from_url(url))
}

/// The image in an address such as `data:image/png;base64,iVBORw==`; `None` for one that would not be written as
/// it came.
fn bytes_in(url: &str) -> Option<Image> {
    let (media_type, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
    let image = Image::Base64 {
        media_type: media_type.to_owned(),
        data: data.into(),
    };
    Some(image)
}
