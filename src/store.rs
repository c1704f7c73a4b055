//! Stores, in which runs and conversations survive the process.
//!
//! | Store | Where it keeps runs | For whom |
//! | --- | --- | --- |
//! | [`MemoryStore`] | in memory | tests |

pub use toolwright_runtime::store::{
    Append, ConversationId, ConversationInfo, ConversationRef, ConversationVersion, Entry,
    InboxContent, InboxItem, Lease, LoadedRun, MemoryStore, NewRun, Page, Received, RunFilter,
    RunInfo, RunStatus, RunSummary, Store, StoreError, StoreErrorKind,
};
