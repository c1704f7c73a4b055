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
    /// Something that is now in the log of the run. Store these, in order, and the run can be had
    /// again: [`Run::replay`](toolwright_core::Run::replay).
    Recorded {
        /// Its place in the log, from 0.
        sequence: u64,
        /// The record of it.
        record: Record,
    },
    /// A piece of a response that is still coming. The whole response is recorded when it is there. Whoever reads a
    /// [`RunHandle`](crate::RunHandle) reads no two beginnings of one response: once text was published there, the request is
    /// not sent again. A response that breaks off before its text begins is asked for again: [`Record::ModelDelayed`]
    /// says that what came of it is void, such as reasoning and pieces of calls. A
    /// [`RunReader`](crate::runner::RunReader) may read two beginnings, with [`ResponseReset`](Self::ResponseReset) between.
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
    /// An event of the run of a [sub-agent](super::SubAgent) that a call has started. It comes after the record that the call
    /// has started, and before that of its result. It is not recorded in this run. Its own event may be one of a run further
    /// below.
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
    /// The whole reply under way, as far as it has come: it takes the place of all pieces of it that were read. A
    /// [`RunReader`](crate::runner::RunReader) gives it when it begins in the middle of a reply, and when it was too slow
    /// for the single pieces. Those that come after it follow it.
    ResponseSnapshot {
        /// The place of the last record before the reply.
        after: u64,
        /// The pieces, joined where they follow each other.
        pieces: Vec<ModelEvent>,
    },
    /// Pieces of a reply that were read after a record are void: the model is asked again, because its answer broke off
    /// or because the process that heard it is gone. Only a [`RunReader`](crate::runner::RunReader) gives it.
    ResponseReset {
        /// The place of that record.
        after: u64,
    },
}
