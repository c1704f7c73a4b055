//! The log of a run, read as a whole.

use toolwright_core::{Record, UserMessage, run::RunId};
use toolwright_runtime::{
    RunEvent,
    store::{ConversationVersion, Entry, LoadedRun, StoreError, StoreErrorKind, TimedStore},
};

/// The records of a run as its readers get them, from the first one on.
pub(crate) async fn events(
    store: &TimedStore,
    run: &RunId,
    loaded: &LoadedRun,
) -> Result<Vec<RunEvent>, StoreError> {
    let mut events = Vec::with_capacity(loaded.entries.len());
    for (sequence, text) in (0..).zip(&loaded.entries) {
        let mut entry = Entry::from_text(text, run, sequence)?;
        if let (Record::Started { conversation, .. }, Some(continued)) =
            (&mut entry.record, &entry.conversation)
        {
            // Empty if it was deleted, and is another owner's now.
            let versions = store.conversation(&continued.id, Some(continued.version));
            *conversation = ConversationVersion::join(&versions.await?)?;
        }
        let record = entry.record;
        events.push(RunEvent::Recorded { sequence, record });
    }
    Ok(events)
}

/// What was read of a run; `None` if its log is damaged. One that was given up since is among the others of its chat.
pub(crate) fn unless_damaged<T>(read: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) if error.kind == StoreErrorKind::Corrupt => Ok(None),
        Err(error) => Err(error),
    }
}

/// The question of a run.
pub(crate) fn question(run: &RunId, loaded: &LoadedRun) -> Result<UserMessage, StoreError> {
    let first = loaded.entries.first();
    let first = first
        .map(|text| Entry::from_text(text, run, 0))
        .transpose()?;
    if let Some(Record::Started { input, .. }) = first.map(|entry| entry.record) {
        return Ok(input);
    }
    let message = "the log does not begin with the record that starts a run";
    Err(StoreError::new(StoreErrorKind::Corrupt, message).with_run(run))
}

/// The last entry of a run.
pub(crate) fn last(run: &RunId, loaded: &LoadedRun) -> Result<Option<Entry>, StoreError> {
    let Some(last) = loaded.entries.len().checked_sub(1) else {
        return Ok(None);
    };
    Entry::from_text(&loaded.entries[last], run, last as u64).map(Some)
}

/// What was done; `None` if there was nothing to do it to.
pub(crate) fn unless_gone<T>(done: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(error) if error.kind == StoreErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
