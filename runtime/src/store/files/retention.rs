//! What is deleted by its age.

use std::{collections::BTreeSet, time::SystemTime};

use super::place::Place;
use crate::store::{Deleted, RunFilter, StoreError, retention::saved_since};

impl Place {
    pub(super) fn delete_before(&self, time: SystemTime) -> Result<Deleted, StoreError> {
        // One page, because each of them reads a file of every run.
        let all = RunFilter {
            limit: usize::MAX,
            ..RunFilter::default()
        };
        let mut deleted = Deleted::default();
        let runs = self.list(&all)?;
        deleted.damaged += runs.damaged.len() as u64;
        // Also what is damaged may need the runs below it.
        let open = runs.items.iter().filter(|run| run.ended.is_none());
        let open = open.map(|run| run.info.run_id.clone());
        let damaged = runs.damaged.into_iter().filter_map(|error| error.run_id);
        let open: BTreeSet<_> = open.chain(damaged).collect();
        for run in runs.items {
            let is_needed = run.info.top().is_some_and(|top| open.contains(&top));
            if run.ended.is_some_and(|ended| ended < time) && !is_needed {
                deleted.count_run(self.delete_run(&run.info.run_id))?;
            }
        }
        let conversations = self.list_conversations(None, None, usize::MAX)?;
        deleted.damaged += conversations.damaged.len() as u64;
        for old in conversations.items.iter().filter(|it| it.saved < time) {
            let result = self.delete_conversation(&old.id, |talk| {
                let is_old = talk.info()?.is_some_and(|now| now.saved < time);
                if is_old { Ok(()) } else { Err(saved_since()) }
            });
            deleted.count_conversation(result)?;
        }
        Ok(deleted)
    }
}
