//! The order of runs in lists.

use std::collections::BTreeMap;

use crate::store::{RunFilter, RunInfo, page};
use toolwright_core::run::RunId;

/// Runs by their keys in lists.
type Keys = BTreeMap<String, RunId>;

/// The runs in the order of lists: all of them, and those with each label.
#[derive(Default)]
pub(super) struct Order {
    all: Keys,
    by_label: BTreeMap<(String, String), Keys>,
}

impl Order {
    pub(super) fn add(&mut self, run: &RunInfo) {
        let (key, id) = (key(run), &run.run_id);
        for (name, value) in &run.labels {
            let label = (name.clone(), value.clone());
            let labelled = self.by_label.entry(label).or_default();
            labelled.insert(key.clone(), id.clone());
        }
        self.all.insert(key, id.clone());
    }

    pub(super) fn remove(&mut self, run: &RunInfo) {
        let key = key(run);
        self.all.remove(&key);
        for (name, value) in &run.labels {
            let label = (name.clone(), value.clone());
            if let Some(labelled) = self.by_label.get_mut(&label) {
                labelled.remove(&key);
                if labelled.is_empty() {
                    self.by_label.remove(&label);
                }
            }
        }
    }

    /// The runs that a filter may admit, the newest first.
    pub(super) fn of(&self, filter: &RunFilter) -> impl Iterator<Item = (&String, &RunId)> {
        let labels = filter.labels.iter();
        let mut labels = labels.map(|(name, value)| (name.clone(), value.clone()));
        let keys = match labels.next() {
            Some(label) => self.by_label.get(&label),
            None => Some(&self.all),
        };
        let end = filter.after.as_ref();
        let is_after = move |(key, _): &(&String, &RunId)| end.is_none_or(|end| *key < end);
        keys.into_iter()
            .flat_map(|keys| keys.iter().rev())
            .skip_while(move |it| !is_after(it))
    }
}

fn key(run: &RunInfo) -> String {
    page::key(run.created, run.run_id.as_str())
}
