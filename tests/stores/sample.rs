//! Runs to store.

use std::time::{Duration, SystemTime};

use toolwright::{
    run::RunId,
    store::{Append, ConversationRef, NewRun, RunInfo, RunStatus},
};

/// Longer than any test takes.
pub(crate) const LONG: Duration = Duration::from_secs(3600);

/// A run with one entry.
pub(crate) fn run(id: &str) -> NewRun {
    let info = RunInfo::new(RunId::new(id), "test", SystemTime::now());
    NewRun::new(info, vec![format!("{id} begins")])
}

/// A run that continues this version of a conversation.
pub(crate) fn continuing(id: &str, conversation: &str, version: u64) -> NewRun {
    let mut run = run(id);
    run.info.conversation = Some(ConversationRef::new(conversation, version));
    run
}

/// One entry at this place.
pub(crate) fn append(first: u64, text: &str) -> Append {
    Append::new(first, vec![text.to_owned()])
}

/// The end of a run.
pub(crate) fn end() -> Append {
    let mut end = Append::default();
    end.status = Some(RunStatus::Finished);
    end
}
