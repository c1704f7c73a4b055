//! Format of responses: the events of a stream, and the message that is a whole response.
//!
//! Fields stay JSON text until they are used: a content block goes back as it came.

use serde_json::value::RawValue;

use crate::codec::{
    partial_object::{Index, object},
    pattern::OneText,
};

object! {
    /// One event of a stream.
    pub(super) struct Event<'a> {
        kind or type: &'a RawValue,
        index: Index,
        message: Message<'a>,
        content_block: &'a RawValue,
        delta: Delta<'a>,
        usage: &'a RawValue,
        error: &'a RawValue,
    }
    skip: request_id
}

object! {
    /// A response, whole or at its beginning.
    pub(super) struct Message<'a> {
        id: &'a RawValue,
        model: &'a RawValue,
        content: Vec<&'a RawValue>,
        stop_reason: &'a RawValue,
        usage: &'a RawValue,
        error: &'a RawValue,
    }
    skip: type, role, request_id
}

object! {
    /// The content that an event adds to a content block, or to the message.
    pub(super) struct Delta<'a> {
        kind or type: &'a RawValue,
        text: &'a RawValue,
        thinking: &'a RawValue,
        signature: &'a RawValue,
        partial_json: &'a RawValue,
        citation: &'a RawValue,
        stop_reason: &'a RawValue,
    }
    skip:
}

object! {
    /// A content block, whole or at its beginning.
    pub(super) struct Block<'a> {
        kind or type: &'a RawValue,
        text: &'a RawValue,
        thinking: &'a RawValue,
        signature: &'a RawValue,
        id: &'a RawValue,
        name: &'a RawValue,
        input: &'a RawValue,
    }
    skip:
}

impl<'a> Event<'a> {
    /// The text of a piece that says nothing else.
    pub(super) fn one_text(&self) -> Option<OneText<'a>> {
        let delta = self.delta.as_ref()?;
        let is_piece = self.kind?.get() == "\"content_block_delta\"";
        let more = delta.signature.or(delta.citation).is_some() || !delta.rest.is_empty();
        if !is_piece || more {
            return None;
        }
        let texts = [delta.text, delta.thinking, delta.partial_json];
        OneText::of(texts, [None, None])
    }
}
