//! Format of responses: the events of a stream, and the message that is a whole response.
//!
//! Fields stay JSON text until they are used: a content block goes back as it came.

use toolwright_json::raw::Raw;

use crate::codec::partial_object::{Index, object};

object! {
    /// One event of a stream.
    pub(crate) struct Event<'a> {
        kind or type: Raw<'a>,
        index: Index,
        message: Message<'a>,
        content_block: Raw<'a>,
        delta: Delta<'a>,
        usage: Raw<'a>,
        error: Raw<'a>,
    }
    skip: request_id
}

object! {
    /// A response, whole or at its beginning.
    pub(crate) struct Message<'a> {
        id: Raw<'a>,
        model: Raw<'a>,
        content: Vec<Raw<'a>>,
        stop_reason: Raw<'a>,
        usage: Raw<'a>,
        error: Raw<'a>,
    }
    skip: type, role, request_id
}

object! {
    /// The content that an event adds to a content block, or to the message.
    pub(crate) struct Delta<'a> {
        kind or type: Raw<'a>,
        text: Raw<'a>,
        thinking: Raw<'a>,
        signature: Raw<'a>,
        partial_json: Raw<'a>,
        citation: Raw<'a>,
        stop_reason: Raw<'a>,
    }
    skip:
}

impl Delta<'_> {
    /// Returns true if there is more than words in it.
    pub(super) fn says_more(&self) -> bool {
        self.signature.or(self.citation).is_some() || !self.rest.is_empty()
    }
}

object! {
    /// A content block, whole or at its beginning.
    pub(crate) struct Block<'a> {
        kind or type: Raw<'a>,
        text: Raw<'a>,
        thinking: Raw<'a>,
        signature: Raw<'a>,
        id: Raw<'a>,
        name: Raw<'a>,
        input: Raw<'a>,
    }
    skip:
}
