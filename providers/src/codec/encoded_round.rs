//! Rounds of calls as JSON, which are written once.

use std::{borrow::Cow, sync::Arc};

use serde::{Serialize, Serializer, ser::SerializeSeq};
use serde_json::value::{RawValue, to_raw_value};
use toolwright_core::message::{Part, SharedVec, ToolRound};

use super::{
    body_input::BodyInput,
    exchange::Response,
    quirks::{DocumentForm, SoundForm},
};

/// The messages of a round that is over, as they stand in a body.
///
/// A finished round never changes, and is sent again with each request that follows: its JSON is kept on
/// the round itself, together with all that it depends on.
#[derive(Debug)]
struct EncodedRound {
    json: Vec<Box<RawValue>>,
    /// The response whose results these are. It is held so that it is not changed in place.
    reply: SharedVec<Part>,
    /// The codec and the server whose opaque parts go along.
    provider: String,
    model: String,
    /// The number of the list of tools, which may change the form of arguments.
    tools: u64,
    reasoning_last: bool,
    /// The forms of documents and of sound.
    files: (DocumentForm, SoundForm),
    /// True if the server stores responses, so that an id says enough of an item.
    is_stored: bool,
    ids: Vec<String>,
}

impl EncodedRound {
    /// Returns the messages of a round whose calls are sent under these ids, and writes them by `write` if that
    /// has not been done.
    fn of<T: Serialize>(
        round: &ToolRound,
        ids: &[Cow<'_, str>],
        asked: BodyInput<'_>,
        write: impl FnOnce() -> Vec<T>,
    ) -> Arc<Self> {
        let (tools, reasoning_last) = (asked.tools.number, asked.quirks.reasoning_last);
        let is_stored = asked.is_stored();
        let files = (asked.quirks.documents, asked.quirks.sound);
        let fits = |kept: &Self| {
            kept.tools == tools
                && kept.reasoning_last == reasoning_last
                && kept.files == files
                && kept.is_stored == is_stored
                && (&*kept.provider, &*kept.model) == (asked.provider, asked.model)
                && kept.reply.is_shared_with(&round.reply)
                && kept.ids.iter().eq(ids)
        };
        round.results.memo(fits, || Self {
            json: write().iter().map(json_of).collect(),
            reply: round.reply.clone(),
            provider: asked.provider.to_owned(),
            model: asked.model.to_owned(),
            tools,
            reasoning_last,
            files,
            is_stored,
            ids: ids.iter().map(|id| id.clone().into_owned()).collect(),
        })
    }
}

fn json_of(message: &impl Serialize) -> Box<RawValue> {
    to_raw_value(message)
        .unwrap_or_else(|_| unreachable!("what is sent is JSON, with text for keys"))
}

/// The messages of a request.
#[derive(Debug)]
pub(crate) struct Messages<T>(Vec<Entry<T>>);

#[derive(Debug)]
enum Entry<T> {
    Message(T),
    Round(Arc<EncodedRound>),
}

impl<T> Messages<T> {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, message: T) {
        self.0.push(Entry::Message(message));
    }

    /// The last message; `None` after a response that was added whole.
    pub(crate) fn last_mut(&mut self) -> Option<&mut T> {
        match self.0.last_mut()? {
            Entry::Message(message) => Some(message),
            Entry::Round(_) => None,
        }
    }

    /// Adds a response and what answers its calls, which `write` gives. Nothing is added to these messages
    /// afterwards.
    pub(crate) fn push_response(
        &mut self,
        response: &Response<'_>,
        asked: BodyInput<'_>,
        write: impl FnOnce() -> Vec<T>,
    ) where
        T: Serialize,
    {
        match response.round {
            None => self.extend(write()),
            Some(round) => {
                let round = EncodedRound::of(round, &response.ids, asked, write);
                self.0.push(Entry::Round(round));
            }
        }
    }
}

impl<T> Extend<T> for Messages<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, messages: I) {
        messages.into_iter().for_each(|message| self.push(message));
    }
}

impl<T: Serialize> Serialize for Messages<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for entry in &self.0 {
            match entry {
                Entry::Message(message) => list.serialize_element(message)?,
                Entry::Round(round) => {
                    for message in &round.json {
                        list.serialize_element(message)?;
                    }
                }
            }
        }
        list.end()
    }
}
