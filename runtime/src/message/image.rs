//! Images in messages and in results.

use serde::{Deserialize, Serialize};

/// An image, by its bytes or by its address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Image {
    /// The bytes in base64, with their media type.
    Base64 {
        /// Such as `image/png`.
        media_type: String,
        /// The bytes in standard base64 with padding.
        data: String,
    },
    /// An address that the provider can fetch.
    Url {
        /// The address.
        url: String,
    },
}
