//! What is deleted by its age.

use std::time::SystemTime;

use super::place::Place;
use crate::store::{Deleted, RunFilter, StoreError, StoreErrorKind, retention::is_deleted};

impl Place {
    pub(super) fn delete_before(&self, time: SystemTime) -> Result<Deleted, StoreError> {
        // One page, because each of them reads a file of every run.
        let all = RunFilter {
            limit: usize::MAX,
            ..RunFilter::default()
        };
        let mut deleted = Deleted::default();
        for run in self.list(&all)?.items {
            if run.ended.is_some_and(|ended| ended < time) {
                deleted.runs += is_deleted(self.delete_run(&run.info.run_id))?;
            }
        }
        let conversations = self.list_conversations(None, None, usize::MAX)?;
        for old in conversations.items.iter().filter(|it| it.saved < time) {
            let result = self.delete_conversation(&old.id, |talk| {
                let is_old = talk.info()?.is_some_and(|now| now.saved < time);
                if is_old { Ok(()) } else { Err(saved_since()) }
            });
            deleted.conversations += is_deleted(result)?;
        }
        Ok(deleted)
    }
}

fn saved_since() -> StoreError {
    let message = "a version of the conversation was saved since";
    StoreError::new(StoreErrorKind::InUse, message)
}
