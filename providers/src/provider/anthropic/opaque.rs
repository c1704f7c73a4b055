//! Opaque parts: what goes back to this API unchanged.
//!
//! Their data is the content block as it came. Of the blocks that other parts hold already, it is what
//! those do not say: the signature of the reasoning just before, the citations of the text just
//! before, the caller of the call just before. With nothing but its `type` it says where the block
//! ended.

use serde_json::{Map, Value};
use toolwright_core::message::Opaque;

use super::PROVIDER;

/// The type of a block of text.
pub(super) const TEXT: &str = "text";
/// The type of a block of reasoning.
pub(super) const THINKING: &str = "thinking";
/// The type of a call.
pub(super) const TOOL_USE: &str = "tool_use";

/// An opaque part of a block.
pub(super) fn of_block(block: Map<String, Value>) -> Opaque {
    Opaque {
        provider: PROVIDER.to_owned(),
        data: Value::Object(block),
    }
}

/// An opaque part of what other parts do not say of a block.
pub(super) fn beside(kind: &str, mut fields: Map<String, Value>) -> Opaque {
    fields.insert("type".to_owned(), kind.into());
    of_block(fields)
}

/// The type of a block.
pub(super) fn kind_of(block: &Value) -> &str {
    block["type"].as_str().unwrap_or_default()
}
