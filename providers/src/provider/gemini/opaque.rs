//! Opaque parts: what goes back to this API unchanged.
//!
//! Their data is a part as it came. Of the parts that others hold already it is what those do not
//! say, such as the signature, beside the word for the part just before, in the field `beside`. With
//! nothing but that word it says where the part ended.

use serde_json::{Map, Value};
use toolwright_core::message::Opaque;

use super::PROVIDER;

/// The field that says what the other fields belong to: one of the words below.
pub(super) const BESIDE: &str = "beside";

/// The text just before.
pub(super) const TEXT: &str = "text";
/// The reasoning just before.
pub(super) const THOUGHT: &str = "thought";
/// The call just before.
pub(super) const CALL: &str = "functionCall";

/// The image, the document or the sound just before.
pub(super) const MEDIA: &str = "media";

/// The fields of `inlineData` and `fileData` that an image, a document or sound says itself, in both forms of their names.
pub(super) const MEDIA_FIELDS: &[&str] = &["mimeType", "mime_type", "data", "fileUri", "file_uri"];

/// The field for what the server alone can read.
pub(super) const SIGNATURE: &str = "thoughtSignature";

/// An opaque part that is a part as it came.
pub(super) fn of_part(part: Map<String, Value>) -> Opaque {
    Opaque {
        provider: PROVIDER.to_owned(),
        data: Value::Object(part),
    }
}

/// An opaque part of what another part does not say.
pub(super) fn beside(what: &str, mut fields: Map<String, Value>) -> Opaque {
    fields.insert(BESIDE.to_owned(), what.into());
    of_part(fields)
}

/// Returns the kind of part that an opaque part belongs to; `None` for one that is a part by itself.
pub(super) fn belongs_to(data: &Value) -> Option<&str> {
    data[BESIDE].as_str()
}
