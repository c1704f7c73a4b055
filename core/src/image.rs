//! Images in messages and in results.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize};

pub(crate) mod base64;
pub(crate) mod shared_text;

/// An image, by its bytes or by its address.
///
/// A tool returns it as it is, or as a part of a [`ToolOutput`](crate::ToolOutput). That is why it is
/// not `Serialize` by itself: it would be returned as JSON, and a model would read base64.
///
/// ```
/// use toolwright::message::Image;
///
/// let image = Image::from_bytes("image/png", b"\x89PNG");
/// assert_eq!(
///     image,
///     Image::Base64 { media_type: "image/png".into(), data: "iVBORw==".into() }
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Image {
    /// The bytes in base64, with their media type.
    Base64 {
        /// Such as `image/png`.
        media_type: String,
        /// The bytes in standard base64 with padding. Clones of an image share them.
        #[serde(with = "shared_text")]
        data: Arc<str>,
    },
    /// An address that the provider can fetch.
    Url {
        /// The address.
        url: String,
    },
}

impl Image {
    /// An image from its bytes. Every provider takes the media types `image/png`, `image/jpeg`,
    /// `image/gif` and `image/webp`.
    pub fn from_bytes(media_type: impl Into<String>, bytes: impl AsRef<[u8]>) -> Self {
        Self::Base64 {
            media_type: media_type.into(),
            data: base64::encode(bytes.as_ref()).into(),
        }
    }

    /// An image from its bytes in standard base64 with padding, which is not checked here.
    ///
    /// ```
    /// use toolwright::message::Image;
    ///
    /// let image = Image::from_base64("image/png", "iVBORw==");
    /// assert_eq!(image, Image::from_bytes("image/png", b"\x89PNG"));
    /// ```
    pub fn from_base64(media_type: impl Into<String>, data: impl Into<Arc<str>>) -> Self {
        Self::Base64 {
            media_type: media_type.into(),
            data: data.into(),
        }
    }

    /// An image by an address that the provider can fetch.
    pub fn from_url(url: impl Into<String>) -> Self {
        Self::Url { url: url.into() }
    }

    /// Returns the bytes; `None` for an address, and for data that is not base64.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Base64 { data, .. } => base64::decode(data),
            Self::Url { .. } => None,
        }
    }

    /// Gives the address of the image. For an image of bytes this is a `data:` URL.
    pub fn address(&self) -> Cow<'_, str> {
        match self {
            Self::Base64 { media_type, data } => {
                Cow::Owned(format!("data:{media_type};base64,{data}"))
            }
            Self::Url { url } => Cow::Borrowed(url),
        }
    }
}

impl<'de> Deserialize<'de> for Image {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // The function that the derive wrote, which comes before this one.
        Image::deserialize(deserializer)
    }
}
