//! The events of a run, as they happen.

use serde::{Deserialize, Serialize};

use toolwright_core::{
    model::ModelEvent,
    run::{CallId, Record, RunId},
    tool::CallUpdate,
};

/// An event of a run, as it happens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "content", rename_all = "snake_case")]
#[non_exhaustive]
#[expect(
    clippy::large_enum_variant,
    reason = "an event is moved once, and a box would stand in the way of every match"
)]
pub enum RunEvent {
    /// A new record in the log of the run. The stored records, in order, are the run: see
    /// [`Run::replay`](toolwright_core::Run::replay).
    Recorded {
        /// Its place in the log, from 0.
        sequence: u64,
        /// The record of it.
        record: Record,
    },
    /// A piece of a response that streams. The whole response is recorded at its end. A reader of a
    /// [`RunHandle`](crate::RunHandle) never sees two beginnings of one response: after text was published the request
    /// is not sent again. If a response breaks off before its text begins, the request is sent again:
    /// [`Record::ModelDelayed`] means that its pieces are void, such as reasoning and pieces of calls. A
    /// [`RunReader`](crate::runner::RunReader) may see two beginnings, with [`ResponseReset`](Self::ResponseReset)
    /// between them.
    Delta(ModelEvent),
    /// An update from a running call: its progress, or its output so far. It is not recorded. A reader that
    /// is slower than the tool sees the latest of each, and no update of a call after its result.
    Update {
        /// The call.
        call: CallId,
        /// The name of its tool, as the model wrote it; empty in what older versions stored.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        name: String,
        /// The update.
        update: CallUpdate,
    },
    /// An event of a [sub-agent](super::SubAgent)'s run. It comes between the records of the start of its call and of
    /// the result. It is not recorded in this run. It may be nested again.
    Nested {
        /// The call.
        call: CallId,
        /// The name of the sub-agent, which is that of its tool.
        agent: String,
        /// The id of the run below.
        run_id: RunId,
        /// Its event.
        event: Box<RunEvent>,
    },
    /// The current response so far. It replaces all pieces of it that were read. A
    /// [`RunReader`](crate::runner::RunReader) gives it when it begins in the middle of a response, and when it was too
    /// slow for the single pieces. Later pieces follow it.
    ResponseSnapshot {
        /// The place of the last record before the response.
        after: u64,
        /// The pieces, joined where they follow each other.
        pieces: Vec<ModelEvent>,
    },
    /// The pieces of a response after a record are void: the request is sent again, because the response broke off or
    /// its process died. Only a [`RunReader`](crate::runner::RunReader) gives it.
    ResponseReset {
        /// The place of that record.
        after: u64,
    },
}
