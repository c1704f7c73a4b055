//! Runs that begin, are found, and go.

use std::{
    collections::HashMap,
    path::Path,
    time::{Duration, SystemTime},
};

use super::{
    disk::Survives,
    inbox,
    line::{self, End, Header},
    log::Wanted,
    names::{self, Kind},
    place::{Begun, Place, RunFolder},
    taking::end_of,
    turns::locked,
};
use crate::{
    random,
    run::RunId,
    store::{
        InboxItem, Lease, LoadedRun, NewRun, Page, Received, RunFilter, RunStatus, RunSummary,
        StoreError, StoreErrorKind, page,
    },
};

/// True if what is stored says no more, and not that it cannot be read now.
pub(super) fn is_damaged(error: &StoreError) -> bool {
    matches!(error.kind, StoreErrorKind::Corrupt | StoreErrorKind::Newer)
}

impl Place {
    pub(super) fn create(&self, run: &NewRun, time: Duration) -> Result<Lease, StoreError> {
        let folder = self.run(&run.info.run_id);
        let created = self.create_in(&folder, run, time);
        created.map_err(|error| folder.named(error))
    }

    fn create_in(
        &self,
        folder: &RunFolder<'_>,
        run: &NewRun,
        time: Duration,
    ) -> Result<Lease, StoreError> {
        if self.disk.exists(&folder.path)? {
            return Err(StoreError::exists(folder.run));
        }
        let info = Begun {
            version: line::VERSION,
            birth: random::new_id(),
            info: run.info.clone(),
        };
        let until_ms = end_of(time);
        let draft = self.draft_of(&info.birth);
        let begun = self.write_run(&draft, run, &info, until_ms);
        let begun = begun.and_then(|()| match &run.info.conversation {
            None => self.disk.rename(&draft, &folder.path),
            Some(continued) => {
                self.continuing(continued, &info, || self.disk.rename(&draft, &folder.path))
            }
        });
        match begun {
            Ok(true) => {}
            Ok(false) => {
                self.disk.remove_folder(&draft);
                if self.disk.exists(&folder.path)? {
                    return Err(StoreError::exists(folder.run));
                }
                let message = "the run took so long to begin that another one took its conversation: try again";
                return Err(StoreError::new(StoreErrorKind::Unavailable, message));
            }
            Err(error) => {
                self.disk.remove_folder(&draft);
                return Err(error);
            }
        }
        self.disk.sync_folder(&self.runs())?;
        Ok(Lease::new(folder.run.clone(), 1, line::from_ms(until_ms)))
    }

    /// The folder of a run that is not there yet.
    pub(super) fn draft_of(&self, birth: &str) -> std::path::PathBuf {
        self.runs().join(format!(".new-{birth}"))
    }

    fn write_run(
        &self,
        draft: &Path,
        run: &NewRun,
        info: &Begun,
        until_ms: u64,
    ) -> Result<(), StoreError> {
        self.disk.create_draft_folder(&draft.join(inbox::FOLDER))?;
        let mut bytes = Vec::new();
        line::push(&mut bytes, info)?;
        self.disk
            .write(&draft.join("info.json"), &bytes, Survives::Power)?;
        bytes.clear();
        let header = Header {
            version: line::VERSION,
            token: 1,
            after: None,
            until_ms: Some(until_ms),
            abandoned: false,
            at_ms: None,
        };
        line::push(&mut bytes, &header)?;
        let end = End {
            entries: run.entries.len() as u64,
            ..End::default()
        };
        bytes.extend(line::append(&run.entries, end)?);
        let segment = draft.join(names::numbered(Kind::Segment, 1));
        self.disk.write(&segment, &bytes, Survives::Power)?;
        self.disk.sync_folder(draft)
    }

    pub(super) fn load(&self, run: &RunId, from: u64) -> Result<LoadedRun, StoreError> {
        let folder = self.run(run);
        let info = folder.info()?;
        let mut entries = Vec::new();
        let wanted = Wanted {
            from,
            entries: &mut entries,
        };
        let state = folder.state(Some(wanted))?;
        let until = folder.held_until(&state)?;
        Ok(LoadedRun::new(
            info.info,
            state.status,
            entries,
            state.taken,
            until,
        ))
    }

    pub(super) fn list(&self, filter: &RunFilter) -> Result<Page<RunSummary>, StoreError> {
        let mut infos = HashMap::new();
        let (mut keys, mut unknown, mut damaged) = (Vec::new(), Vec::new(), Vec::new());
        // What does not depend on the log is looked at first.
        let early = RunFilter {
            unfinished: false,
            free: false,
            ..filter.clone()
        };
        let now = SystemTime::now();
        for name in self.disk.names(&self.runs())?.unwrap_or_default() {
            if name.starts_with('.') {
                continue;
            }
            let info = match self.begun(&name) {
                Ok(Some(info)) => info,
                Ok(None) => continue,
                Err(error) if is_damaged(&error) => {
                    // When it began is not known.
                    if filter.after.is_none() {
                        unknown.push(error);
                    }
                    continue;
                }
                Err(error) => return Err(error),
            };
            let summary = RunSummary::new(info.info, RunStatus::Open, 0, None);
            if early.admits(&summary, now) {
                let key = page::key(summary.info.created, summary.info.run_id.as_str());
                keys.push(key.clone());
                infos.insert(key, summary);
            }
        }
        keys.sort_unstable_by(|a, b| b.cmp(a));
        let mut wrong = None;
        let runs = keys.into_iter().filter_map(|key| {
            if filter.after.as_deref().is_some_and(|after| *key >= *after) {
                return None;
            }
            let summary = infos.remove(&key)?;
            match self.summary(&summary) {
                Ok(summary) => summary
                    .filter(|run| filter.admits(run, now))
                    .map(|run| (key, run)),
                Err(error) if is_damaged(&error) => {
                    damaged.push((key, error));
                    None
                }
                Err(error) => {
                    wrong.get_or_insert(error);
                    None
                }
            }
        });
        let page = page::page(runs, filter.after.as_deref(), filter.limit);
        if let Some(error) = wrong {
            return Err(error);
        }
        unknown.extend(page::damaged(damaged, page.next.as_deref()));
        Ok(page.with_damaged(unknown))
    }

    /// What is known of the run in the folder of this name; `None` if there is none.
    fn begun(&self, name: &str) -> Result<Option<Begun>, StoreError> {
        let named = |error: StoreError| match names::id_of(name) {
            Some(id) => error.with_run(&RunId::new(id)),
            None => error,
        };
        let path = self.runs().join(name);
        let Some(info) = self.info_in(&path).map_err(named)? else {
            return Ok(None);
        };
        if names::folder_of(info.info.run_id.as_str()) == name {
            return Ok(Some(info));
        }
        let message = format!(
            "{} is the folder of another run than {}",
            path.display(),
            info.info.run_id
        );
        Err(named(StoreError::new(StoreErrorKind::Corrupt, message)))
    }

    /// With what the log says; `None` if the run was deleted meanwhile.
    fn summary(&self, summary: &RunSummary) -> Result<Option<RunSummary>, StoreError> {
        let folder = self.run(&summary.info.run_id);
        let state = folder
            .log()
            .read(None)
            .map_err(|error| folder.named(error))?;
        let Some(state) = state else {
            return Ok(None);
        };
        let until = folder.held_until(&state)?;
        let ended = state.ended_ms.map(line::from_ms);
        let info = summary.info.clone();
        let summary = RunSummary::new(info, state.status, state.entries, until);
        Ok(Some(summary.ended_at(ended)))
    }

    pub(super) fn put(&self, run: &RunId, item: &InboxItem) -> Result<(), StoreError> {
        let folder = self.run(run);
        let put = || {
            folder.info()?;
            let there = inbox::place_of(&self.disk, &folder.inbox(), item.id())?;
            let place = if let Some(place) = there {
                // Whoever put it may have died before its name was synced.
                self.disk.sync_folder(&folder.inbox())?;
                place
            } else {
                if folder.state(None)?.status.is_over() {
                    return Err(StoreError::over(run));
                }
                inbox::put(&self.disk, &folder.inbox(), item)?
            };
            // Whoever began the run may have died as well.
            self.disk.sync_folder(&self.runs())?;
            // The run may have ended since it was looked at, without the item.
            let state = folder.state(None)?;
            if state.status.is_over() && state.taken < place {
                return Err(StoreError::over(run));
            }
            Ok(())
        };
        put().map_err(|error| folder.named(error))
    }

    pub(super) fn inbox(&self, run: &RunId, after: u64) -> Result<Vec<Received>, StoreError> {
        let folder = self.run(run);
        folder.info()?;
        let items = inbox::items(&self.disk, &folder.inbox(), after);
        items.map_err(|error| folder.named(error))
    }

    pub(super) fn delete_run(&self, run: &RunId) -> Result<(), StoreError> {
        let folder = self.run(run);
        let turn = self.turn(&folder.path);
        let _turn = locked(&turn);
        let info = folder.info_if_whole()?;
        let state = folder.state(None)?;
        if !state.is_over() {
            return Err(StoreError::in_use(run));
        }
        // Whatever its conversation needs of it is done before it goes.
        if let Some(info) = info {
            self.settle(&info, &state)?;
        }
        let gone = self.runs().join(format!(".deleted-{}", random::new_id()));
        let renamed = self.disk.rename(&folder.path, &gone);
        if !renamed.map_err(|error| folder.named(error))? {
            return Err(StoreError::no_run(run));
        }
        locked(&self.states).remove(run);
        self.disk.sync_folder(&self.runs())?;
        self.disk.remove_folder(&gone);
        Ok(())
    }
}
